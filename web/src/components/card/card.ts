//! What the cards that ask the user have in common: a clock, one answer, and that they are deaf for their first half
//! second, so that a click or key meant for something else cannot answer anything.

import { html, LitElement, nothing, type PropertyValues } from "lit";
import { property, query, state } from "lit/decorators.js";
import { fill } from "../../i18n/fill";
import { countdown } from "../../text/format";

/** How long the buttons do nothing. */
export const ARMING_MS = 500;

/** A card about one question; it arms itself anew for each. */
export abstract class Card<Request> extends LitElement {
  @property({ attribute: false }) request!: Request;
  /** There is a connection to answer over. */
  @property({ type: Boolean }) online = false;

  /** For what is left of the time. */
  @state() protected now = Date.now();
  @state() private armed = false;
  @state() private answered = false;
  @query("section") private section?: HTMLElement;
  private asked?: string;
  private arming?: ReturnType<typeof setTimeout>;
  private ticking?: ReturnType<typeof setInterval>;

  override connectedCallback(): void {
    super.connectedCallback();
    this.ticking = setInterval(() => (this.now = Date.now()), 1000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.ticking);
    clearTimeout(this.arming);
  }

  override willUpdate(_changed: PropertyValues<this>): void {
    if (this.asked === this.key) return;
    this.asked = this.key;
    this.answered = false;
    this.armed = false;
    clearTimeout(this.arming);
    this.arming = setTimeout(() => (this.armed = true), ARMING_MS);
    this.begin();
  }

  /** Which question this is. */
  abstract get key(): string;

  /** Puts the keyboard on the card, not on a button: Enter does nothing there. */
  override focus(): void {
    this.section?.focus();
  }

  /** Another question stands here now. */
  protected begin(): void {}

  /** Whether an answer would be taken. */
  protected get ready(): boolean {
    return this.armed && this.online && !this.answered;
  }

  /** For `aria-disabled`: the buttons are never disabled, so that the keyboard stays where it is. */
  protected get off(): "true" | "false" {
    return this.ready ? "false" : "true";
  }

  /** What is left of the time, in these words; nothing where there is no limit. */
  protected timer(words: string, until: string | undefined) {
    if (until === undefined) return nothing;
    return html`<span class="timer" role="timer" aria-live="off">${fill(words, { time: countdown(Date.parse(until), this.now) })}</span>`;
  }

  /** The one answer is given. */
  protected done(): void {
    this.answered = true;
  }
}
