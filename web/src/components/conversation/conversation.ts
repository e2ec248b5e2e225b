//! `<sb-conversation>`: the entries in a column that stays at its end while the reader is there. Only the newest
//! entries are in the page; earlier ones come when the reader scrolls up to them, from memory first, then from the log.

import { html, LitElement, nothing, type PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { fill } from "../../i18n/fill";
import { entriesInView } from "../../connection/opening";
import type { Outgoing } from "../../connection/outbox";
import type { ChatState, Entry } from "../../state/chat";
import type { Place } from "../../state/places";
import { NO_VERSIONS, type Versions } from "../../state/versions";
import { base, buttons } from "../../theme/base";
import { visible } from "../../text/visible";
import { t } from "../../i18n";
import { chart } from "../chart/chart";
import { ask, type FoundWords } from "../events";
import { downIcon } from "../icons";
import "../markdown/markdown";
import "../tool-call/tool-call";
import "../turn/turn";
import { styles as turnStyles } from "../turn/turn.styles";
import { styles } from "./conversation.styles";
import { reveal } from "./reveal";

/** How many entries stand in the page at first, and how many more come at a time. */
const WINDOW = 200;

/** Milliseconds between the steps in which the rest of a conversation is drawn; each adds twice as many entries as are there. */
const NEXT_MS = 30;

/** How far above the view earlier entries are fetched, so that they are there when it comes. */
const AHEAD = "600px 0px 0px 0px";

/** How the composer sends a message that was edited; people are shown only what they wrote. */
const EDITED = /^\/rerun [0-9a-f]{8}-[0-9a-f-]{27} /;

/** How the timeline sends a request once more, with another tool. */
const TRIED = /^\/try \S+ /;

@customElement("sb-conversation")
export class Conversation extends LitElement {
  static override styles = [base, buttons, turnStyles, styles];

  @property({ attribute: false }) chat!: ChatState;
  @property({ attribute: false }) outgoing: readonly Outgoing[] = [];
  /** The versions of messages that were edited or sent again. */
  @property({ attribute: false }) versions: Versions = NO_VERSIONS;
  @property({ type: Boolean }) loading = false;
  @property({ type: Boolean }) online = false;
  /** More of the conversation is about to come. */
  @property({ type: Boolean }) behind = false;

  @state() private shown = WINDOW;
  /** How many entries are drawn, while there are more to come. */
  @state() private drawn = entriesInView();
  private drawing?: ReturnType<typeof setTimeout>;
  @state() private away = false;
  @query(".scroll") private scroller!: HTMLElement;
  @query(".column") private column!: HTMLElement;
  private session?: string;
  /** The entry at the top of the view while the reader is away from the end, and how far below it: what changes above must not move it. */
  private anchor?: { element: Element; below: number };
  /** How far this put the page: the event of it is no scrolling of the reader's, and what has grown since is put right. */
  private held?: number;
  private observer?: ResizeObserver;
  private above?: IntersectionObserver;
  private watched?: Element;
  /** How far it was scrolled when last heard of. */
  private top = 0;
  /** The reader has just unfolded something: what grows by that must not scroll away. */
  private unfolding = false;

  override shouldUpdate(): boolean {
    return !this.behind;
  }

  override firstUpdated(): void {
    if (typeof ResizeObserver === "undefined") return;
    this.observer = new ResizeObserver(() => this.resized());
    this.observer.observe(this.column);
    this.observer.observe(this.scroller);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.observer?.disconnect();
    this.above?.disconnect();
    this.watched = undefined;
    clearTimeout(this.drawing);
    this.drawing = undefined;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (this.chat.sessionId !== this.session) {
      this.session = this.chat.sessionId;
      this.shown = WINDOW;
      this.drawn = entriesInView();
      this.away = false;
    }
    const grown = changed.has("chat") && changed.get("chat") ? (changed.get("chat") as ChatState) : undefined;
    if (grown && grown.firstSeq > this.chat.firstSeq && grown.log.length > 0 && this.scroller) {
      this.shown += this.chat.timeline.length - grown.timeline.length;
      if (!this.away) this.drawn = Math.max(1, grown.timeline.length);
      this.remember();
    }
  }

  override updated(): void {
    if (!this.unfolding) this.stay();
    if (this.isOpening) void this.toDrawnEnd();
    this.watch();
    if (this.isConnected && this.drawn !== Infinity && this.chat.timeline.length > 0) this.drawing ??= setTimeout(() => this.drawMore(), NEXT_MS);
  }

  /** Draws more of what is shown. When there is no more, what comes then is drawn at once. */
  private drawMore(): void {
    this.drawing = undefined;
    if (this.isOpening) ask(this, "sb-drawn", {});
    this.drawn = this.drawn < this.chat.timeline.length ? 3 * this.drawn : Infinity;
  }

  /** The end is there with the first frame: what is in the turns gets its height only when they have drawn themselves. */
  private async toDrawnEnd(): Promise<void> {
    await Promise.all([...this.renderRoot.querySelectorAll("sb-turn")].map(({ updateComplete }) => updateComplete));
    this.stay();
  }

  private get isOpening(): boolean {
    return this.drawn <= entriesInView();
  }

  /** Takes note of what the reader sees at the top. */
  private remember(): void {
    if (!this.away) return void (this.anchor = undefined);
    const top = this.scroller.getBoundingClientRect().top;
    const element = [...this.column.children].find((entry) => !entry.matches(".earlier, h2, slot") && entry.getBoundingClientRect().bottom > top);
    this.anchor = element && { element, below: element.getBoundingClientRect().top - top };
  }

  /** Puts it back where it was, if it has moved. */
  private hold(): void {
    const { anchor, scroller } = this;
    if (!anchor?.element.isConnected) return;
    const moved = anchor.element.getBoundingClientRect().top - scroller.getBoundingClientRect().top - anchor.below;
    if (Math.abs(moved) < 1) return;
    scroller.scrollTop += moved;
    this.held = scroller.scrollTop;
  }

  /** What is earlier comes by itself when the reader nears its place; the button is for whoever does not scroll. */
  private watch(): void {
    if (typeof IntersectionObserver === "undefined") return;
    this.above ??= new IntersectionObserver(
      (seen) => {
        if (seen.at(-1)?.isIntersecting && this.away && !this.loading) this.earlier();
      },
      { root: this.scroller, rootMargin: AHEAD },
    );
    const mark = this.renderRoot.querySelector(".earlier") ?? undefined;
    // Watching anew asks anew: it may be in view still.
    if (this.watched) this.above.unobserve(this.watched);
    this.watched = mark;
    if (mark) this.above.observe(mark);
  }

  /** Puts the keyboard on the conversation, where arrows scroll it. */
  override focus(): void {
    this.scroller?.focus({ preventScroll: true });
  }

  /** Shows a place, with the words that were found there; another version of a message where that stood. */
  async reveal({ at, turn, part }: Place, { words, from }: FoundWords): Promise<void> {
    this.away = true;
    this.drawn = Infinity;
    this.shown = Math.max(this.shown, this.chat.timeline.length - at + 5);
    await this.updateComplete;
    const element = [...this.renderRoot.querySelectorAll("sb-turn")].find((each) => each.turn.id === turn);
    await element?.updateComplete;
    if (!element) return;
    if (from && typeof part === "number") element.focusVersions(part, from.step);
    await reveal(this.scroller, element.partOf(part), words, from?.below);
  }

  /** Another time is shown: only its newest entries stand in the page, and its end is in view. */
  settle(): void {
    this.shown = WINDOW;
    this.away = false;
    this.anchor = undefined;
  }

  /** Goes to the newest entry and stays there. */
  toEnd(): void {
    this.away = false;
    this.scroller.scrollTop = this.scroller.scrollHeight;
  }

  override render() {
    const { chat } = this;
    const entries = chat.timeline.slice(-Math.min(this.shown, this.drawn));
    const more = chat.timeline.length > entries.length || chat.firstSeq > 1;
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${t.page.conversation} @scroll=${this.scrolled} @click=${this.clicked}>
        <div class="column ${this.isOpening ? "opening" : ""}">
          <h2 class="hidden-text">${t.page.conversation}</h2>
          ${more
            ? html`<div class="earlier">
                <button class="button" ?disabled=${this.loading} @click=${this.earlier}>${this.loading ? t.work.loading : t.work.earlier}</button>
                <button class="button plain" @click=${() => ask(this, "sb-to-start", {})}>${t.work.toStart}</button>
              </div>`
            : html`<slot></slot>`}
          ${repeat(entries, (entry) => `${entry.kind}-${entry.id}`, (entry) => this.entry(entry))}
          ${this.outgoing.map((item) => this.waiting(item))}
        </div>
      </div>
      ${this.away ? html`<div class="latest"><button class="button" aria-label=${t.work.latest} title=${t.work.latest} @click=${this.toEnd}>${downIcon}</button></div>` : nothing}`;
  }

  private entry(entry: Entry) {
    switch (entry.kind) {
      case "turn":
        return html`<sb-turn .turn=${entry} .session=${this.chat.sessionId ?? ""} .versions=${this.versions} .busy=${entry.end ? undefined : this.chat.busy}></sb-turn>`;
      case "command":
        return html`<section class="command ${entry.ok ? "" : "wrong"}" role="group" aria-label=${t.page.commandAnswer}>
          <h3>/${visible(entry.command.replace(/^\//, ""))}</h3>
          <sb-markdown .text=${entry.text}></sb-markdown>
          ${entry.usage ? html`<p class="usage">${fill(t.work.usage, { usage: visible(entry.usage) })}</p>` : nothing}
        </section>`;
      case "loose-call":
        return html`<sb-tool-call class="loose" .call=${entry.call} .session=${this.chat.sessionId ?? ""}></sb-tool-call>${chart(entry.call, this.chat.sessionId ?? "")}`;
      case "note":
        return entry.detail
          ? html`<details class="note"><summary>${entry.text}</summary><p>${visible(entry.detail)}</p></details>`
          : html`<p class="note">${entry.text}</p>`;
    }
  }

  private waiting(item: Outgoing) {
    const words = item.refused ?? (this.online ? t.work.sending : t.work.unsent);
    return html`<div class="message outgoing">
      <div class="bubble"><span class="hidden-text">${t.work.you}</span>${visible(item.text.replace(EDITED, "").replace(TRIED, ""))}</div>
      <div class="aside ${item.refused ? "refused" : "sending"}">
        <span>${visible(words)}</span>
        ${item.refused
          ? html`<button class="link-button" @click=${() => ask(this, "sb-retry", { messageId: item.messageId })}>${t.work.sendAgain}</button>
              <button class="link-button" @click=${() => ask(this, "sb-forget", { messageId: item.messageId })}>${t.work.remove}</button>`
          : nothing}
      </div>
    </div>`;
  }

  private earlier(): void {
    this.away = true;
    this.drawn = Infinity;
    this.remember();
    if (this.chat.timeline.length > this.shown) this.shown += WINDOW;
    else ask(this, "sb-load-earlier", {});
  }

  /** What only grew below the reader was scrolled by nobody: its end may come after the event of our own scrolling. */
  private scrolled(): void {
    const { scrollTop } = this.scroller;
    if (this.isAtEnd) this.away = false;
    else if (scrollTop < this.top) this.away = true;
    this.top = scrollTop;
    if (scrollTop === this.held) this.hold();
    else this.remember();
  }

  private get isAtEnd(): boolean {
    const { scrollTop, clientHeight, scrollHeight } = this.scroller;
    return scrollTop + clientHeight >= scrollHeight - 80;
  }

  private clicked(event: Event): void {
    this.unfolding = event.composedPath().some((node) => node instanceof HTMLElement && node.localName === "summary");
  }

  private resized(): void {
    if (!this.unfolding) this.stay();
    else {
      this.away = !this.isAtEnd;
      this.remember();
    }
    this.unfolding = false;
  }

  /** Where the reader is; or at the end, unless the newest is the long answer of a command: that is read from its first line. */
  private stay(): void {
    if (!this.scroller) return;
    if (this.away) return this.hold();
    const answer = this.renderRoot.querySelector<HTMLElement>(".column > .command:last-child");
    const { scrollHeight, clientHeight } = this.scroller;
    this.scroller.scrollTop = answer && answer.offsetHeight > clientHeight ? answer.offsetTop - 12 : scrollHeight;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-conversation": Conversation;
  }
}
