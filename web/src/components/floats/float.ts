//! `<sb-float>`: a window that floats over the page. It is moved by its title and pulled by its edges, or with the arrow
//! keys on its title; it stays inside of the page.

import { html, LitElement, nothing, type PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import type { OpenWindow } from "../../protocol/generated";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import { base, buttons } from "../../theme/base";
import { visibleLine } from "../../text/visible";
import { ask } from "../events";
import { closeIcon, dockIcon, maximizeIcon, minimizeIcon, restoreIcon } from "../icons";
import "../window/window";
import type { WindowElement } from "../window/window";
import { drag } from "./drag";
import { styles } from "./float.styles";
import { pulled, within, type Edge, type Place, type Rect, type Room } from "./places";

/** How far a key moves or sizes a window, in pixels. */
const STEP_PX = 20;
const EDGES: readonly Edge[] = ["n", "e", "s", "w", "ne", "se", "sw", "nw"];
const ARROWS: Record<string, readonly [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

@customElement("sb-float")
export class Float extends LitElement {
  static override styles = [base, buttons, styles];

  @property() sessionId = "";
  @property({ attribute: false }) window!: OpenWindow;
  @property({ attribute: false }) place!: Place;
  /** Its level in the stack. */
  @property({ type: Number }) level = 0;
  @property({ attribute: false }) room!: Room;
  @property({ type: Number }) changes = 0;
  /** It is on top of all others. */
  @property({ type: Boolean, reflect: true }) front = false;
  /** It has changes that are not saved. */
  @property({ type: Boolean }) unsaved = false;
  /** Where it is while it is dragged. */
  @state() private dragged?: Rect;
  @query(".title") private handle!: HTMLElement;
  @query("sb-window") private shown!: WindowElement;

  constructor() {
    super();
    // Whatever is used is brought to the front.
    this.addEventListener("pointerdown", () => this.raise(), { capture: true });
    this.addEventListener("focusin", () => this.raise());
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("place")) this.dragged = undefined;
    const { x, y, width, height } = this.rect;
    this.style.transform = `translate(${x}px, ${y}px)`;
    this.style.width = `${width}px`;
    this.style.height = `${height}px`;
    this.style.zIndex = String(this.level);
  }

  override focus(): void {
    this.handle.focus();
  }

  override render() {
    const name = visibleLine(this.window.title, 120);
    const isLarge = this.place.state === "maximized";
    const button = (words: string, icon: unknown, act: () => void) =>
      html`<button class="icon-button" aria-label=${fill(words, { title: name })} title=${fill(words, { title: name })} @click=${act}>${icon}</button>`;
    return html`<section role="dialog" aria-label=${name}>
      <div class="bar" @pointerdown=${this.grab} @dblclick=${this.double}>
        <button class="title" aria-describedby="hint" title=${name} @keydown=${this.key}>${this.unsaved ? html`<span class="mark" aria-hidden="true">●</span> ` : nothing}${name}${
          this.unsaved ? html`<span class="hidden-text">${t.editor.unsavedTab}</span>` : nothing
        }</button>
        <span class="hidden-text" id="hint">${t.windows.moveHint}</span>
        ${button(t.windows.minimize, minimizeIcon, () => this.put({ state: "minimized" }))}
        ${isLarge ? button(t.windows.restoreOf, restoreIcon, this.large) : button(t.windows.maximize, maximizeIcon, this.large)}
        ${button(t.windows.dock, dockIcon, this.dock)}
        ${button(t.windows.close, closeIcon, () => ask(this, "sb-close-window", { windowId: this.window.windowId }))}
      </div>
      <sb-window .sessionId=${this.sessionId} .window=${this.window} .changes=${this.changes}></sb-window>
      ${isLarge ? nothing : EDGES.map((edge) => html`<div class="edge ${edge}" @pointerdown=${(event: PointerEvent) => this.pull(edge, event)}></div>`)}
    </section>`;
  }

  /** Where it is now, inside of the page. */
  private get rect(): Rect {
    if (this.place.state === "maximized") return { x: 0, y: 0, ...this.room };
    return within(this.dragged ?? this.place, this.room);
  }

  private raise(): void {
    if (!this.front) this.put({});
  }

  private put(change: Partial<Place>, focus = change.state !== undefined): void {
    ask(this, "sb-place-window", { windowId: this.window.windowId, place: { ...this.place, ...change }, focus });
  }

  private readonly large = (): void => {
    this.put({ state: this.place.state === "maximized" ? "normal" : "maximized" });
  };

  private readonly double = (event: Event): void => {
    if ((event.target as Element).closest(".icon-button") === null) this.large();
  };

  private readonly dock = (): void => {
    this.shown.pack();
    ask(this, "sb-place-window", { windowId: this.window.windowId, place: undefined, focus: true });
  };

  private readonly grab = (event: PointerEvent): void => {
    if ((event.target as Element).closest(".icon-button") || this.place.state === "maximized") return;
    this.follow(event, (from, dx, dy) => ({ ...from, x: from.x + dx, y: from.y + dy }));
  };

  private pull(edge: Edge, event: PointerEvent): void {
    this.follow(event, (from, dx, dy) => pulled(from, edge, dx, dy, this.room));
  }

  /** Follows the pointer until it is let go. */
  private follow(event: PointerEvent, rect: (from: Rect, dx: number, dy: number) => Rect): void {
    if (event.button !== 0) return;
    const from = this.rect;
    drag(
      event,
      ({ x, y }) => (this.dragged = within(rect(from, x - event.clientX, y - event.clientY), this.room)),
      () => this.dragged && this.put(this.dragged),
    );
  }

  /** Arrows move it, Shift with arrows sizes it. */
  private readonly key = (event: KeyboardEvent): void => {
    const arrow = ARROWS[event.key];
    if (!arrow || event.ctrlKey || event.metaKey || event.altKey || this.place.state === "maximized") return;
    event.preventDefault();
    const [dx, dy] = arrow.map((step) => step * STEP_PX) as [number, number];
    const { rect, room } = this;
    this.put(event.shiftKey ? pulled(rect, "se", dx, dy, room) : within({ ...rect, x: rect.x + dx, y: rect.y + dy }, room));
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-float": Float;
  }
}
