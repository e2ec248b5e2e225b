//! `<sb-dialog>`: a modal window. The browser's own `<dialog>` keeps the focus inside and gives it back.

import { css, html, LitElement, nothing } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { t } from "../../i18n";
import { base, buttons } from "../../theme/base";
import { focused, nowhere } from "../focus";
import { ask } from "../events";
import { closeIcon } from "../icons";

@customElement("sb-dialog")
export class Dialog extends LitElement {
  static override styles = [
    base,
    buttons,
    css`
      :host {
        display: contents;
      }
      dialog {
        width: min(var(--dialog-width, 30rem), calc(100vw - 1.5rem));
        max-width: none;
        max-height: calc(100dvh - 2rem);
        padding: 0;
        border: 1px solid var(--line);
        border-radius: 16px;
        background: var(--surface);
        color: var(--text);
        box-shadow: var(--shadow);
      }
      dialog::backdrop {
        background: #00000059;
      }
      .inside {
        padding: 1.1rem 1.25rem 1.25rem;
      }
      header {
        display: flex;
        align-items: center;
        gap: 0.8rem;
        margin-bottom: 0.6rem;
      }
      h2 {
        flex: 1;
        min-width: 0;
        margin: 0;
        font-size: 1.08rem;
        font-weight: 600;
        overflow-wrap: anywhere;
      }
    `,
  ];

  @property() heading = "";
  /** It cannot be put away without an answer. */
  @property({ type: Boolean }) fixed = false;
  @query("dialog") private dialog!: HTMLDialogElement;
  private opener: Element | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.opener = focused();
  }

  /** It is taken out of the page rather than closed, so it gives the keyboard back itself. */
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    const { opener } = this;
    queueMicrotask(() => {
      if (nowhere() && opener instanceof HTMLElement && opener.isConnected) opener.focus();
    });
  }

  override firstUpdated(): void {
    this.dialog.showModal();
  }

  override render() {
    return html`<dialog
      aria-labelledby="heading"
      @cancel=${(event: Event) => {
        event.preventDefault();
        this.leave();
      }}
      @mousedown=${(event: Event) => {
        if (event.target === this.dialog) this.leave();
      }}
    >
      <div class="inside">
        <header>
          <h2 id="heading">${this.heading}</h2>
          ${this.fixed ? nothing : html`<button class="icon-button" aria-label=${t.dialogs.close} @click=${this.leave}>${closeIcon}</button>`}
        </header>
        <slot></slot>
      </div>
    </dialog>`;
  }

  private leave(): void {
    if (!this.fixed) ask(this, "sb-close", {});
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-dialog": Dialog;
  }
}
