//! `<sb-settings>`: what can be set on this page, and what the server has: the language model, tools, MCP servers, permissions,
//! specialists.

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { t } from "../../i18n";
import type { ReasonerInfo, SandboxState } from "../../protocol/generated";
import { base } from "../../theme/base";
import { reasonerAbout, reasonerName } from "../banner/banner";
import "../dialog/dialog";
import type { SettingsPart } from "../events";
import "../providers/providers";
import { aboutSandbox } from "../sandbox/sandbox";
import "./agents";
import "./appearance";
import "./permissions";
import "./tools";

const PARTS: readonly SettingsPart[] = ["appearance", "models", "tools", "permissions", "agents"];

@customElement("sb-settings")
export class Settings extends LitElement {
  static override styles = [
    base,
    css`
      sb-dialog {
        --dialog-width: 42rem;
      }
      .tabs {
        display: flex;
        gap: 0.2rem;
        margin-bottom: 1rem;
        border-bottom: 1px solid var(--line);
        overflow-x: auto;
      }
      .tab {
        flex: none;
        min-height: 40px;
        padding: 0.3rem 0.8rem;
        border: 0;
        border-bottom: 2px solid transparent;
        background: none;
        color: var(--muted);
        font-size: 0.92rem;
        font-weight: 500;
      }
      .tab:hover {
        color: var(--text);
      }
      .tab[aria-selected="true"] {
        border-color: var(--accent);
        color: var(--text);
      }
      .tab:focus-visible {
        outline-offset: -2px;
      }
      .about {
        margin: 0 0 0.8rem;
        font-size: 0.92rem;
      }
      .panel {
        /* The dialog does not jump from one part to another. */
        min-height: min(26rem, 60dvh);
      }
      @media (pointer: coarse) {
        .tab {
          min-height: 44px;
        }
      }
    `,
  ];

  /** The part that is shown. */
  @property() shown: SettingsPart = "appearance";
  @property({ attribute: false }) reasoner?: ReasonerInfo;
  @property({ attribute: false }) sandbox?: SandboxState;

  override render() {
    const words = t.dialogs.settings;
    return html`<sb-dialog heading=${words.title}>
      <div class="tabs" role="tablist" aria-label=${words.title} @keydown=${this.pressed}>
        ${PARTS.map((part) => {
          const chosen = part === this.shown;
          return html`<button class="tab" role="tab" id="tab-${part}" aria-selected=${chosen ? "true" : "false"} aria-controls="panel" tabindex=${chosen ? 0 : -1} @click=${() => (this.shown = part)}>
            ${words.parts[part]}
          </button>`;
        })}
      </div>
      <div class="panel" id="panel" role="tabpanel" aria-labelledby="tab-${this.shown}">${this.panel()}</div>
    </sb-dialog>`;
  }

  private panel(): TemplateResult {
    switch (this.shown) {
      case "appearance":
        return html`<sb-appearance></sb-appearance>`;
      case "models":
        return html`${this.about()} <sb-providers></sb-providers>`;
      case "tools":
        return html`<sb-tools></sb-tools>`;
      case "permissions":
        return html`<sb-permissions></sb-permissions>`;
      case "agents":
        return html`<sb-agents></sb-agents>`;
    }
  }

  /** What decides here, and what keeps the commands that tools run. */
  private about() {
    const { reasoner, sandbox } = this;
    const kept = aboutSandbox(sandbox);
    return html`${reasoner ? html`<p class="about"><strong>${reasonerName(reasoner)}.</strong> ${reasonerAbout(reasoner)}</p>` : nothing}
    ${kept ? html`<p class="about">${kept}</p>` : nothing}`;
  }

  private pressed(event: KeyboardEvent): void {
    const at = PARTS.indexOf(this.shown);
    const next: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at + PARTS.length - 1, Home: 0, End: PARTS.length - 1 };
    const to = next[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.shown = PARTS[to % PARTS.length] ?? this.shown;
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>("[aria-selected=true]")?.focus());
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-settings": Settings;
  }
}
