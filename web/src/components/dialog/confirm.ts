//! `<sb-confirm>`: asks before something is gone for good. The safe answer has the focus.

import { css, html, LitElement } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { t } from "../../i18n";
import { base, buttons } from "../../theme/base";
import { ask } from "../events";
import "./dialog";

@customElement("sb-confirm")
export class Confirm extends LitElement {
  static override styles = [
    base,
    buttons,
    css`
      p {
        margin: 0 0 1.1rem;
        overflow-wrap: anywhere;
      }
      div {
        display: flex;
        justify-content: flex-end;
        flex-wrap: wrap;
        gap: 0.5rem;
      }
    `,
  ];

  @property() heading = "";
  @property() words = "";
  @property() action = t.dialogs.delete;
  @property({ attribute: false }) confirmed: () => void = () => undefined;
  @query(".keep") private keep!: HTMLElement;

  override firstUpdated(): void {
    // The dialog opens after its own first render; the focus goes to the safe answer then.
    requestAnimationFrame(() => this.keep.focus());
  }

  override render() {
    return html`<sb-dialog heading=${this.heading}>
      <p>${this.words}</p>
      <div>
        <button class="button keep" @click=${() => ask(this, "sb-close", {})}>${t.dialogs.keep}</button>
        <button
          class="button danger"
          @click=${() => {
            this.confirmed();
            ask(this, "sb-close", {});
          }}
        >
          ${this.action}
        </button>
      </div>
    </sb-dialog>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-confirm": Confirm;
  }
}
