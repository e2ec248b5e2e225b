//! `<sb-sandbox>`: what keeps the commands that tools run. Quiet while the kernel does; plain to see when nothing does,
//! also on a phone.

import { css, html, LitElement, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { t } from "../../i18n";
import type { SandboxState } from "../../protocol/generated";
import { base } from "../../theme/base";
import { ask } from "../events";

const WORDS: Record<SandboxState, { short: string; long: string }> = t.dialogs.sandbox;

/** What keeps commands, in a sentence; what a newer server says is not known here. */
export function aboutSandbox(state: SandboxState | undefined): string | undefined {
  return state === undefined ? undefined : WORDS[state]?.long;
}

@customElement("sb-sandbox")
export class Sandbox extends LitElement {
  static override styles = [
    base,
    css`
      :host {
        flex: none;
      }
      button {
        padding: 0.15rem 0.65rem;
        border: 1px solid var(--line);
        border-radius: 99px;
        background: none;
        color: var(--muted);
        font-size: 0.82rem;
        white-space: nowrap;
      }
      button:hover {
        color: var(--text);
        border-color: var(--line-strong);
      }
      .loud {
        border-color: var(--danger);
        color: var(--danger);
        font-weight: 600;
      }
      @media (max-width: 640px) {
        button {
          min-height: 26px;
          padding: 0 0.5rem;
          font-size: 0.78rem;
        }
      }
    `,
  ];

  @property({ attribute: false }) state?: SandboxState;

  override render() {
    const words = this.state && WORDS[this.state];
    if (!words) return nothing;
    return html`<button class=${this.state === "on" ? "quiet" : "loud"} title=${words.long} @click=${() => ask(this, "sb-settings", { part: "models" })}>${words.short}</button>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-sandbox": Sandbox;
  }
}
