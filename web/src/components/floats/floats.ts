//! `<sb-floats>`: the windows that float over the page, each above those behind it, and a row of those that are put away.

import { css, html, LitElement, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import type { OpenWindow } from "../../protocol/generated";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import { base, buttons } from "../../theme/base";
import { visibleLine } from "../../text/visible";
import { itemsChanged } from "../changed";
import { ask } from "../events";
import "./float";
import type { Float } from "./float";
import { roomNow, type Place, type Room } from "./places";

/** A window and where it is; the higher one covers the lower. */
export interface Floating {
  window: OpenWindow;
  place: Place;
  level: number;
}

/** Whether other windows float, or elsewhere. */
function moved(now: readonly Floating[], before?: readonly Floating[]): boolean {
  const facts = (windows: readonly Floating[] | undefined) => windows?.flatMap(({ window, place, level }) => [window, place, level]);
  return itemsChanged(facts(now), facts(before));
}

@customElement("sb-floats")
export class Floats extends LitElement {
  static override styles = [
    base,
    buttons,
    css`
      :host {
        position: fixed;
        z-index: 16;
        inset: 0;
        pointer-events: none;
      }
      sb-float,
      .shelf {
        pointer-events: auto;
      }
      .shelf {
        position: absolute;
        inset-inline: 0;
        inset-block-end: 0;
        display: flex;
        gap: 0.4rem;
        align-items: center;
        height: var(--shelf);
        padding-inline: 0.6rem;
        overflow-x: auto;
        border-top: 1px solid var(--line);
        background: var(--side);
      }
      .shelf .button {
        flex: none;
        max-width: 14rem;
        min-height: 32px;
        padding-block: 0.1rem;
      }
      .name {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      .mark {
        color: var(--warn);
      }
    `,
  ];

  @property() sessionId = "";
  /** In the order in which they were opened, so that no window is taken out of the page when another comes to the front. */
  @property({ attribute: false, hasChanged: moved }) windows: readonly Floating[] = [];
  @property({ type: Number }) changes = 0;
  @property({ attribute: false, hasChanged: itemsChanged }) unsaved: ReadonlySet<string> = new Set();
  @state() private room: Room = roomNow();

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener("resize", this.resized);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener("resize", this.resized);
  }

  override render() {
    const away = this.windows.filter(({ place }) => place.state === "minimized");
    const top = Math.max(...this.windows.filter(({ place }) => place.state !== "minimized").map(({ level }) => level));
    const room = { ...this.room, height: this.room.height - (away.length > 0 ? shelfPx() : 0) };
    return html`${repeat(this.windows, ({ window }) => window.windowId, ({ window, place, level }) => html`<sb-float
        ?hidden=${place.state === "minimized"}
        .sessionId=${this.sessionId}
        .window=${window}
        .place=${place}
        .level=${level}
        .room=${room}
        .changes=${this.changes}
        ?front=${level === top}
        ?unsaved=${this.unsaved.has(window.windowId)}
      ></sb-float>`)}
      ${away.length > 0 ? html`<div class="shelf" role="group" aria-label=${t.windows.minimized}>${away.map((floating) => this.item(floating))}</div>` : nothing}`;
  }

  private item({ window: { windowId, title }, place }: Floating) {
    const name = visibleLine(title, 60);
    return html`<button
      class="button"
      id="away-${windowId}"
      aria-label=${fill(t.windows.restoreOf, { title: name })}
      @click=${() => ask(this, "sb-place-window", { windowId, place: { ...place, state: "normal" }, focus: true })}
    >${this.unsaved.has(windowId) ? html`<span class="mark" aria-hidden="true">●</span>` : nothing}<span class="name">${name}</span></button>`;
  }

  /** Gives the keyboard to a window, or to its button in the row. */
  async focusOn(windowId: string): Promise<void> {
    await this.updateComplete;
    const found = [...this.renderRoot.querySelectorAll<Float>("sb-float")].find(({ window }) => window.windowId === windowId);
    await found?.updateComplete;
    if (found && !found.hidden) found.focus();
    else this.renderRoot.querySelector<HTMLElement>(`#away-${CSS.escape(windowId)}`)?.focus();
  }

  private readonly resized = (): void => {
    this.room = roomNow();
  };
}

/** How high the row of those put away is: 2.75rem, as the page's styles say. */
function shelfPx(): number {
  return 2.75 * Number.parseFloat(getComputedStyle(document.documentElement).fontSize || "16");
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-floats": Floats;
  }
}
