//! `<sb-windows>`: the windows docked beside the conversation, as tabs, with one of them in front. A tab that is dragged
//! out of its row becomes a floating window.

import { css, html, LitElement, nothing } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import type { OpenWindow } from "../../protocol/generated";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import { base, buttons } from "../../theme/base";
import { visibleLine } from "../../text/visible";
import { itemsChanged } from "../changed";
import { ask } from "../events";
import { drag } from "../floats/drag";
import type { Place } from "../floats/places";
import { chevronIcon, closeIcon, floatIcon } from "../icons";
import "../window/window";
import type { WindowElement } from "../window/window";

/** How far from its row a tab is dragged until it floats, in pixels. */
const OUT_PX = 30;

@customElement("sb-windows")
export class Windows extends LitElement {
  static override styles = [
    base,
    buttons,
    css`
      :host {
        display: flex;
        flex-direction: column;
        min-width: 0;
        background: var(--surface);
      }
      .top {
        display: flex;
        align-items: center;
        gap: 0.25rem;
        min-height: 56px;
        padding-inline: 0.5rem;
        border-bottom: 1px solid var(--line);
      }
      .tabs {
        display: flex;
        flex: 1;
        gap: 0.15rem;
        min-width: 0;
        overflow-x: auto;
        scrollbar-width: thin;
      }
      .tab {
        flex: 0 1 auto;
        min-width: 4.5rem;
        max-width: 12rem;
        min-height: 36px;
        padding: 0.3rem 0.7rem;
        border: 0;
        border-radius: var(--radius-small);
        background: none;
        color: var(--muted);
        font-size: 0.88rem;
        text-overflow: ellipsis;
        white-space: nowrap;
        overflow: hidden;
        user-select: none;
        touch-action: pan-x;
      }
      .tab[aria-selected="true"] {
        background: var(--accent-soft);
        color: var(--accent);
        font-weight: 600;
      }
      .mark {
        color: var(--warn);
      }
      .tab:focus-visible {
        outline-offset: -2px;
      }
      .panel {
        display: flex;
        flex: 1;
        flex-direction: column;
        min-height: 0;
      }
    `,
  ];

  @property() sessionId = "";
  @property({ attribute: false, hasChanged: itemsChanged }) windows: readonly OpenWindow[] = [];
  /** The id of the window in front. */
  @property() front?: string;
  /** How many calls have changed files so far. */
  @property({ type: Number }) changes = 0;
  /** The ids of the windows with changes that are not saved. */
  @property({ attribute: false, hasChanged: itemsChanged }) unsaved: ReadonlySet<string> = new Set();
  /** There is room for windows that float. */
  @property({ type: Boolean }) floats = false;
  @query('.tab[aria-selected="true"]') private tab?: HTMLElement;
  @query(".tabs") private tabs!: HTMLElement;
  @query("sb-window") private shown?: WindowElement;

  override render() {
    const { inFront } = this;
    if (!inFront) return nothing;
    const close = fill(t.windows.close, { title: visibleLine(inFront.title, 120) });
    return html`<div class="top">
        <div class="tabs" role="tablist" aria-label=${t.windows.tabs} @keydown=${this.key}>${repeat(this.windows, ({ windowId }) => windowId, (window) => this.tabOf(window, window === inFront))}</div>
        <button class="icon-button" aria-label=${t.windows.hide} title=${t.windows.hide} @click=${() => ask(this, "sb-hide-windows", {})}>${chevronIcon}</button>
      </div>
      <div class="panel" id="panel" role="tabpanel" aria-labelledby="tab-${inFront.windowId}">
        <sb-window .sessionId=${this.sessionId} .window=${inFront} .changes=${this.changes}>
          ${this.floats ? html`<button class="icon-button" aria-label=${t.windows.float} title=${t.windows.float} @click=${() => this.float(inFront)}>${floatIcon}</button>` : nothing}
          <button class="icon-button" aria-label=${close} title=${close} @click=${() => this.shut(inFront)}>${closeIcon}</button>
        </sb-window>
      </div>`;
  }

  override focus(): void {
    void this.updateComplete.then(() => this.tab?.focus());
  }

  private tabOf(window: OpenWindow, isInFront: boolean) {
    const marked = this.unsaved.has(window.windowId);
    return html`<button
      class="tab"
      role="tab"
      id="tab-${window.windowId}"
      aria-selected=${isInFront ? "true" : "false"}
      aria-controls="panel"
      tabindex=${isInFront ? 0 : -1}
      title=${visibleLine(window.title, 120)}
      @click=${() => this.bring(window)}
      @pointerdown=${(event: PointerEvent) => this.grab(window, event)}
    >${marked ? html`<span class="mark" aria-hidden="true">●</span> ` : nothing}${visibleLine(window.title, 60)}${marked ? html`<span class="hidden-text">${t.editor.unsavedTab}</span>` : nothing}</button>`;
  }

  private get inFront(): OpenWindow | undefined {
    return this.windows.find(({ windowId }) => windowId === this.front) ?? this.windows.at(-1);
  }

  private bring({ windowId }: OpenWindow): void {
    this.front = windowId;
    ask(this, "sb-front-window", { windowId });
  }

  private shut({ windowId }: OpenWindow): void {
    ask(this, "sb-close-window", { windowId });
  }

  private float({ windowId }: OpenWindow): void {
    this.shown?.pack();
    ask(this, "sb-place-window", { windowId, place: "free", focus: true });
  }

  /** Drags a tab; once it is out of its row it is a window under the pointer. */
  private grab(window: OpenWindow, event: PointerEvent): void {
    if (!this.floats || event.button !== 0) return;
    const row = this.tabs.getBoundingClientRect();
    const { width, height } = this.getBoundingClientRect();
    // The last tab that goes takes this element out of the page.
    const page = (this.getRootNode() as ShadowRoot).host as HTMLElement;
    let out = false;
    drag(event, ({ x, y }) => {
      out ||= y < row.top - OUT_PX || y > row.bottom + OUT_PX || x < row.left - OUT_PX || x > row.right + OUT_PX;
      if (!out) return;
      if (window === this.inFront) this.shown?.pack();
      const place: Place = { x: x - 60, y: y - 18, width, height: height * 0.7, state: "normal" };
      ask(page, "sb-place-window", { windowId: window.windowId, place });
    });
  }

  private readonly key = (event: KeyboardEvent): void => {
    const { inFront } = this;
    if (!inFront) return;
    const at = this.windows.indexOf(inFront);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: this.windows.length - 1 }[event.key];
    if (event.key === "Delete") this.shut(inFront);
    else if (to === undefined) return;
    else {
      const next = this.windows[(to + this.windows.length) % this.windows.length];
      if (next) this.bring(next);
    }
    event.preventDefault();
    this.focus();
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-windows": Windows;
  }
}
