//! `<sb-settings>`: what can be set on this page, and what the server has: tools, MCP servers, permissions, specialists.

import { css, html, LitElement, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { t } from "../../i18n";
import { base } from "../../theme/base";
import "../dialog/dialog";
import "./agents";
import "./appearance";
import "./permissions";
import "./tools";

const PARTS = ["appearance", "tools", "permissions", "agents"] as const;
type Part = (typeof PARTS)[number];

const DRAWN: Record<Part, () => TemplateResult> = {
  appearance: () => html`<sb-appearance></sb-appearance>`,
  tools: () => html`<sb-tools></sb-tools>`,
  permissions: () => html`<sb-permissions></sb-permissions>`,
  agents: () => html`<sb-agents></sb-agents>`,
};

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

  @state() private shown: Part = "appearance";

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
      <div class="panel" id="panel" role="tabpanel" aria-labelledby="tab-${this.shown}">${DRAWN[this.shown]()}</div>
    </sb-dialog>`;
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
