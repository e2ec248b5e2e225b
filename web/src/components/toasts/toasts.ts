//! `<sb-toasts>`: words that pass. They stay while the pointer or the keyboard is on them. They never lie over a card that
//! asks: whoever allows something has seen all of it.

import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { customElement, property } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { t } from "../../i18n";
import type { Notice } from "../../state/chat";
import { base, buttons } from "../../theme/base";
import { visible } from "../../text/visible";
import { ask } from "../events";
import { closeIcon } from "../icons";

const LEVELS: Record<Notice["level"], string> = t.dialogs.toasts;

@customElement("sb-toasts")
export class Toasts extends LitElement {
  static override styles = [
    base,
    buttons,
    css`
      ol {
        position: fixed;
        z-index: 40;
        top: 4rem;
        inset-inline-end: 1rem;
        display: grid;
        gap: 0.5rem;
        width: min(24rem, calc(100vw - 2rem));
        margin: 0;
        padding: 0;
        list-style: none;
      }
      /* A progress stays for as long as its turn: the controls of a window, which are at its top, and the field stay free. */
      @media (min-width: 641px) {
        ol {
          top: auto;
          bottom: 5.5rem;
        }
      }
      /* A card has at most 68dvh above the field: what is left over it. */
      :host([room="above"]) ol {
        top: 4rem;
        bottom: auto;
        max-height: max(3rem, 32dvh - 13.5rem);
        overflow-y: auto;
      }
      @media (max-height: 720px) {
        :host([room="above"]) ol {
          top: 0.5rem;
        }
      }
      li {
        display: flex;
        align-items: flex-start;
        gap: 0.4rem;
        padding: 0.55rem 0.4rem 0.55rem 0.9rem;
        border: 1px solid var(--line);
        border-inline-start: 4px solid var(--accent);
        border-radius: var(--radius-small);
        background: var(--surface);
        box-shadow: var(--shadow);
        font-size: 0.92rem;
      }
      li.error {
        border-inline-start-color: var(--danger);
      }
      .words {
        flex: 1;
        min-width: 0;
        margin: 0.2rem 0;
        overflow-wrap: anywhere;
        white-space: pre-line;
        max-height: 12rem;
        overflow-y: auto;
      }
      /* One scrollbar for all of them. */
      :host([room="above"]) .words {
        max-height: none;
      }
      progress {
        width: 100%;
      }
      .icon-button {
        width: 30px;
        height: 30px;
        min-height: 30px;
      }
    `,
  ];

  @property({ attribute: false }) notices: readonly Notice[] = [];
  /** Where there is room: `above` the card that asks; `none` while it covers the screen, and then they wait. */
  @property({ reflect: true }) room: "below" | "above" | "none" = "below";
  private readonly timers = new Map<string, { notice: Notice; timer: ReturnType<typeof setTimeout> }>();
  private held = false;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const { timer } of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
  }

  override willUpdate(changed: PropertyValues<this>): void {
    // What is gone from under the pointer does not hear it leave.
    if (changed.has("room")) this.held = false;
  }

  override updated(): void {
    const waits = this.held || this.room === "none";
    for (const [id, { notice, timer }] of this.timers) {
      if (!waits && this.notices.includes(notice)) continue;
      clearTimeout(timer);
      this.timers.delete(id);
    }
    if (waits) return;
    for (const notice of this.notices) {
      if (notice.durationMs <= 0 || this.timers.has(notice.id)) continue;
      const timer = setTimeout(() => ask(this, "sb-dismiss", { id: notice.id }), notice.durationMs);
      this.timers.set(notice.id, { notice, timer });
    }
  }

  override render() {
    if (this.room === "none") return nothing;
    return html`<ol aria-label=${t.dialogs.notifications} @pointerenter=${() => this.hold(true)} @pointerleave=${() => this.hold(false)} @focusin=${() => this.hold(true)} @focusout=${() => this.hold(false)}>
      ${repeat(this.notices, (notice) => notice.id, (notice) => html`<li class=${notice.level}>
        <p class="words" role=${notice.level === "error" ? "alert" : "status"}><span class="hidden-text">${LEVELS[notice.level]}: </span>${visible(notice.message)}${notice.progress !== undefined ? html`<progress max="1" value=${notice.progress} aria-label=${t.dialogs.progress}></progress>` : notice.level === "progress" ? html`<progress aria-label=${t.dialogs.progress}></progress>` : nothing}</p>
        <button class="icon-button" aria-label=${t.dialogs.dismiss} @click=${() => ask(this, "sb-dismiss", { id: notice.id })}>${closeIcon}</button>
      </li>`)}
    </ol>`;
  }

  private hold(held: boolean): void {
    this.held = held;
    this.requestUpdate();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-toasts": Toasts;
  }
}
