//! `<sb-replay>`: goes through the events of the conversation. It stands where the message field does otherwise: what
//! is shown is the past, and nothing can be said to that.

import { css, html, LitElement } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import type { ServerFrame } from "../../protocol/generated";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import { moment } from "../../text/format";
import { base, buttons } from "../../theme/base";
import { ask } from "../events";
import { backIcon, chevronIcon } from "../icons";
import { eventWords } from "./words";

@customElement("sb-replay")
export class Replay extends LitElement {
  static override styles = [
    base,
    buttons,
    css`
      section {
        padding: 0.45rem 0.6rem 0.6rem 1rem;
        border: 1px solid var(--accent);
        border-radius: 16px;
        background: var(--surface);
        box-shadow: var(--shadow);
      }
      .head,
      .go,
      .ways {
        display: flex;
        gap: 0.3rem;
        align-items: center;
      }
      h2 {
        margin: 0;
        font-size: 0.92rem;
        font-weight: 600;
      }
      .where {
        flex: 1;
        min-width: 0;
        color: var(--muted);
        font-size: 0.86rem;
        font-variant-numeric: tabular-nums;
      }
      input {
        flex: 1;
        min-width: 0;
        height: 36px;
        margin: 0;
      }
      [aria-disabled="true"] {
        opacity: 0.4;
      }
      .what {
        flex: 1 1 12rem;
        margin: 0;
        font-size: 0.9rem;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
        unicode-bidi: isolate;
      }
      .ways {
        margin-top: 0.35rem;
      }
      .head,
      .ways {
        flex-wrap: wrap;
        gap: 0.2rem 0.7rem;
      }
    `,
  ];

  /** The events, from the first; none until all of them were read. */
  @property({ attribute: false }) log?: readonly ServerFrame[];
  /** The number of the event that is shown. */
  @property({ type: Number }) at = 0;
  @property({ type: Boolean }) online = false;
  @query("input") private slider?: HTMLElement;

  /** Puts the keyboard on the slider. */
  override focus(): void {
    (this.slider ?? this.renderRoot.querySelector("button"))?.focus();
  }

  override render() {
    return html`<section aria-label=${t.past.title} @keydown=${this.pressed}>
      <div class="head">
        <h2>${t.past.title}</h2>
        ${this.log ? this.where(this.log) : html`<span class="where" role="status">${t.past.reading}</span>`}
        <button class="button plain" @click=${this.end}>${t.past.close}</button>
      </div>
      ${this.log ? this.course(this.log) : ""}
    </section>`;
  }

  private where(log: readonly ServerFrame[]) {
    const time = moment(log[this.at - 1]?.timestamp ?? "");
    return html`<span class="where">${fill(t.past.event, { n: this.at, all: log.length })}${time ? ` · ${time}` : ""}</span>`;
  }

  private course(log: readonly ServerFrame[]) {
    const { at } = this;
    const frame = log[at - 1];
    const what = frame ? eventWords(frame) : "";
    return html`<div class="go">
        <button class="icon-button" aria-label=${t.past.previous} title=${t.past.previous} aria-disabled=${at <= 1 ? "true" : "false"} @click=${() => this.go(at - 1)}>${backIcon}</button>
        <input
          type="range"
          min="1"
          max=${log.length}
          .value=${String(at)}
          aria-label=${t.past.slider}
          aria-valuetext="${fill(t.past.event, { n: at, all: log.length })}: ${what}"
          @input=${(event: Event) => this.go(Number((event.target as HTMLInputElement).value))}
        />
        <button class="icon-button" aria-label=${t.past.next} title=${t.past.next} aria-disabled=${at >= log.length ? "true" : "false"} @click=${() => this.go(at + 1)}>${chevronIcon}</button>
      </div>
      <div class="ways">
        <p class="what" title=${what}>${what}</p>
        <button class="button" title=${t.past.forkHint} ?disabled=${!this.online} @click=${() => ask(this, "sb-fork", { seq: at })}>${t.past.fork}</button>
      </div>`;
  }

  private go(at: number): void {
    ask(this, "sb-replay-at", { seq: at });
  }

  private end(): void {
    ask(this, "sb-replay-end", {});
  }

  private pressed(event: KeyboardEvent): void {
    if (event.key !== "Escape") return;
    // It stops nothing that runs.
    event.preventDefault();
    this.end();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-replay": Replay;
  }
}
