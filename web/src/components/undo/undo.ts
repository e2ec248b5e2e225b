//! `<sb-undo>`: says what is being deleted, and takes it back while there is time. The time stands still while the pointer
//! or the keyboard is here.

import { css, html, LitElement, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import type { SessionSummary } from "../../protocol/generated";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import { visibleLine } from "../../text/visible";
import { base, buttons } from "../../theme/base";
import { ask } from "../events";

@customElement("sb-undo")
export class Undo extends LitElement {
  static override styles = [
    base,
    buttons,
    css`
      ol {
        position: fixed;
        z-index: 30;
        inset-block-end: 1rem;
        inset-inline-start: 1rem;
        display: grid;
        gap: 0.5rem;
        width: min(24rem, calc(100vw - 2rem));
        margin: 0;
        padding: 0;
        list-style: none;
      }
      li {
        display: flex;
        align-items: center;
        gap: 0.8rem;
        padding: 0.5rem 0.6rem 0.5rem 0.9rem;
        border: 1px solid var(--line-strong);
        border-radius: var(--radius-small);
        background: var(--surface);
        box-shadow: var(--shadow);
        font-size: 0.92rem;
      }
      span {
        flex: 1;
        min-width: 0;
        overflow-wrap: anywhere;
      }
    `,
  ];

  @property({ attribute: false }) sessions: readonly SessionSummary[] = [];

  override render() {
    return html`<ol
      ?hidden=${this.sessions.length === 0}
      @pointerenter=${() => this.hold(true)}
      @pointerleave=${() => this.hold(false)}
      @focusin=${() => this.hold(true)}
      @focusout=${() => this.hold(false)}
    >
      ${repeat(this.sessions, ({ sessionId }) => sessionId, (session) => this.item(session))}
    </ol>
    <p class="hidden-text" role="status">${this.sessions.length > 0 ? this.words(this.sessions.at(-1)) : nothing}</p>`;
  }

  private item(session: SessionSummary) {
    return html`<li>
      <span>${this.words(session)}</span>
      <button class="button" @click=${() => ask(this, "sb-undelete-session", { sessionId: session.sessionId })}>${t.listing.undo}</button>
    </li>`;
  }

  private words(session: SessionSummary | undefined): string {
    return fill(t.listing.deleted, { title: visibleLine(session?.title ?? t.page.untitled, 60) });
  }

  private hold(held: boolean): void {
    ask(this, "sb-hold-undo", { held });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-undo": Undo;
  }
}
