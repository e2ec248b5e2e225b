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
      :host {
        display: contents;
      }
      section {
        position: fixed;
        z-index: 30;
        /* Above the composer, wherever that begins. */
        inset-block-end: 5.5rem;
        inset-inline-start: 1rem;
        width: min(24rem, calc(100vw - 2rem));
      }
      ol {
        display: grid;
        gap: 0.5rem;
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
  private pointed = false;
  private held = false;

  override render() {
    return html`<section
        aria-label=${t.listing.takeBack}
        ?hidden=${this.sessions.length === 0}
        @pointerenter=${() => this.point(true)}
        @pointerleave=${() => this.point(false)}
        @focusin=${this.hold}
        @focusout=${this.hold}
      >
        <ol>
          ${repeat(this.sessions, ({ sessionId }) => sessionId, (session) => this.item(session))}
        </ol>
      </section>
      <p class="hidden-text" role="status">${this.sessions.length > 0 ? this.words(this.sessions.at(-1)) : nothing}</p>`;
  }

  /** A button that was used is gone, and with it the pointer and the keyboard that were on it. */
  override updated(): void {
    if (this.sessions.length === 0) this.pointed = false;
    this.hold();
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

  private point(pointed: boolean): void {
    this.pointed = pointed;
    this.hold();
  }

  private hold(): void {
    const held = this.pointed || (this.renderRoot as ShadowRoot).activeElement !== null;
    if (held === this.held) return;
    this.held = held;
    ask(this, "sb-hold-undo", { held });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-undo": Undo;
  }
}
