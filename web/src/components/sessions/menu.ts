//! `<sb-session-menu>`: what can be done to one conversation, in a menu that lies over the page beside its button.

import { css, html, LitElement, nothing } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import type { SessionSummary } from "../../protocol/generated";
import { exportUrl, pageUrl } from "../../connection/api";
import { t } from "../../i18n";
import { base } from "../../theme/base";
import { ask } from "../events";
import { nowhere } from "../focus";
import { binIcon, exportIcon, pageIcon, penIcon, pinIcon, replayIcon } from "../icons";

@customElement("sb-session-menu")
export class SessionMenu extends LitElement {
  static override styles = [
    base,
    css`
      [role="menu"] {
        position: fixed;
        inset: auto;
        width: max-content;
        max-width: min(20rem, calc(100vw - 1rem));
        margin: 0;
        padding: 0.3rem;
        border: 1px solid var(--line-strong);
        border-radius: var(--radius-small);
        background: var(--surface);
        color: var(--text);
        box-shadow: var(--shadow);
      }
      [role="menuitem"] {
        display: flex;
        align-items: center;
        gap: 0.7rem;
        width: 100%;
        min-height: 36px;
        padding: 0.3rem 0.8rem 0.3rem 0.6rem;
        border: 0;
        border-radius: 6px;
        background: none;
        color: inherit;
        font: inherit;
        font-size: 0.92rem;
        text-align: start;
        text-decoration: none;
      }
      [role="menuitem"]:hover,
      [role="menuitem"]:focus-visible {
        background: var(--sunken);
      }
      svg {
        width: 18px;
      }
      .danger {
        color: var(--danger);
      }
      @media (pointer: coarse) {
        [role="menuitem"] {
          min-height: 44px;
        }
      }
    `,
  ];

  @property({ attribute: false }) session?: SessionSummary;
  @query("[role=menu]") private menu!: HTMLElement;
  private opener?: HTMLElement;

  /** Opens it beside the button. */
  async open(session: SessionSummary, opener: HTMLElement): Promise<void> {
    this.session = session;
    this.opener = opener;
    await this.updateComplete;
    this.menu.showPopover();
    const [at, own] = [opener.getBoundingClientRect(), this.menu.getBoundingClientRect()];
    const below = at.bottom + own.height + 8 <= innerHeight;
    this.menu.style.top = `${Math.max(4, below ? at.bottom + 2 : at.top - own.height - 2)}px`;
    this.menu.style.left = `${Math.max(4, Math.min(at.left, innerWidth - own.width - 4))}px`;
    this.items[0]?.focus();
  }

  override render() {
    const { session } = this;
    return html`<div role="menu" popover="auto" aria-label=${t.listing.menu} @keydown=${this.pressed} @toggle=${this.toggled}>
      ${session
        ? html`<button role="menuitem" tabindex="-1" @click=${() => this.does(() => ask(this, "sb-pin-session", { sessionId: session.sessionId, pinned: !session.pinned }))}>
              ${pinIcon} ${session.pinned ? t.listing.unpin : t.listing.pin}
            </button>
            <button role="menuitem" tabindex="-1" @click=${() => this.does(() => ask(this, "sb-name-session", { sessionId: session.sessionId }))}>${penIcon} ${t.listing.rename}</button>
            <button role="menuitem" tabindex="-1" @click=${() => this.does(() => ask(this, "sb-replay", { sessionId: session.sessionId }))}>${replayIcon} ${t.listing.replay}</button>
            <a role="menuitem" tabindex="-1" href=${pageUrl(session.sessionId)} download @click=${() => this.does(() => undefined)}>${pageIcon} ${t.listing.page}</a>
            <a role="menuitem" tabindex="-1" href=${exportUrl(session.sessionId)} download @click=${() => this.does(() => undefined)}>${exportIcon} ${t.listing.export}</a>
            <button role="menuitem" tabindex="-1" class="danger" @click=${() => this.does(() => ask(this, "sb-delete-session", { sessionId: session.sessionId }))}>${binIcon} ${t.listing.delete}</button>`
        : nothing}
    </div>`;
  }

  private get items(): HTMLElement[] {
    return [...this.menu.querySelectorAll<HTMLElement>("[role=menuitem]")];
  }

  /** The keyboard goes back to the button first: what was chosen may take it from there, as the row below does from a deleted one. */
  private does(act: () => void): void {
    this.menu.hidePopover();
    this.opener?.focus();
    act();
  }

  /** The keyboard goes back to the button, unless a click that closed the menu has put it elsewhere. */
  private toggled(event: Event): void {
    if ((event as ToggleEvent).newState === "closed" && nowhere()) this.opener?.focus();
  }

  private pressed(event: KeyboardEvent): void {
    const { items } = this;
    const at = items.indexOf((this.renderRoot as ShadowRoot).activeElement as HTMLElement);
    const next: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at + items.length - 1, Home: 0, End: items.length - 1 };
    const to = next[event.key];
    if (event.key === "Tab") this.menu.hidePopover();
    // The page does not close its sides too.
    if (event.key === "Escape") {
      event.stopPropagation();
      event.preventDefault();
      this.does(() => undefined);
    }
    // A link, which a menu's item may be, does nothing by itself.
    if (event.key === " " && items[at] instanceof HTMLAnchorElement) {
      event.preventDefault();
      items[at].click();
    }
    if (to === undefined) return;
    event.preventDefault();
    items[to % items.length]?.focus();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-session-menu": SessionMenu;
  }
}
