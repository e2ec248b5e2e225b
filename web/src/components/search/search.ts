//! `<sb-search>`: finds what was said in all conversations, as it is typed, and opens the place.

import { html, LitElement, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { LONGEST_QUERY, searchSessions, type FoundPlace, type FoundSession, type SearchResults, type TextPiece } from "../../connection/search";
import { t } from "../../i18n";
import { ago, count } from "../../text/format";
import { visible, visibleLine } from "../../text/visible";
import { base, fields } from "../../theme/base";
import { ask, type FoundWords } from "../events";
import { searchIcon } from "../icons";
import { styles } from "./search.styles";

/** How long nothing is asked after a letter: the next one comes soon. */
const PAUSE_MS = 120;
/** How soon it is asked again while the server still reads. */
const AGAIN_MS = 1500;

@customElement("sb-search")
export class Search extends LitElement {
  static override styles = [base, fields, styles];

  /** Something is looked for: what was found stands where the list was. */
  @property({ type: Boolean, reflect: true }) active = false;
  @state() private found?: SearchResults;
  @state() private problem = "";
  @query("input") private field!: HTMLInputElement;
  private timer?: ReturnType<typeof setTimeout>;
  private asked?: AbortController;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop();
  }

  override focus(): void {
    this.field.focus();
  }

  override render() {
    return html`<div class="box" role="search" @keydown=${this.pressed}>
        ${searchIcon}
        <input
          class="field"
          type="search"
          aria-label=${t.finding.search}
          placeholder=${t.finding.search}
          autocomplete="off"
          spellcheck="false"
          enterkeyhint="search"
          maxlength=${LONGEST_QUERY}
          @input=${this.typed}
        />
      </div>
      ${this.active
        ? html`<div class="found" role="region" aria-label=${t.finding.found} @keydown=${this.pressed}>
            ${this.problem ? html`<p class="problem" role="alert">${visible(this.problem)}</p>` : nothing}
            <p class="note" role="status">${this.note()}</p>
            <ul>
              ${this.found?.results.map((found) => this.conversation(found))}
            </ul>
          </div>`
        : nothing}`;
  }

  private note(): string {
    if (!this.found) return this.problem ? "" : t.finding.searching;
    const { results, more, indexing } = this.found;
    const number = results.length === 0 ? t.finding.nothing : count(results.length, t.finding.conversations);
    return [number, more ? t.finding.more : "", indexing ? t.finding.indexing : ""].filter(Boolean).join(" ");
  }

  private conversation({ session, title, places }: FoundSession) {
    const { sessionId } = session;
    const named = title ? pieces(title) : visibleLine(session.title ?? t.page.untitled, 90);
    return html`<li class="conversation">
      <a class="title" href="#${sessionId}" @click=${(event: MouseEvent) => this.open(event, sessionId)}>
        ${named} <span class="when">${ago(session.updatedAt, Date.now())}</span>
      </a>
      <ul>
        ${places.map((place) => this.place(sessionId, place))}
      </ul>
    </li>`;
  }

  private place(sessionId: string, place: FoundPlace) {
    const { seq, by } = place;
    return html`<li>
      <a class="place" href="#${sessionId}@${seq}" @click=${(event: MouseEvent) => this.open(event, sessionId, place)}
        ><span class="by">${by === "user" ? t.finding.you : t.finding.agent}</span> ${pieces(place.pieces)}</a
      >
    </li>`;
  }

  /** A click that wants another tab or window is the browser's. */
  private open(event: MouseEvent, sessionId: string, place?: FoundPlace): void {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    const words = place?.pieces.filter(({ found }) => found).map(({ text }) => text) ?? [];
    const at: FoundWords | undefined = place && { seq: place.seq, words };
    ask(this, "sb-open-session", { sessionId, ...(at && { at }) });
  }

  private readonly typed = (): void => {
    this.stop();
    const words = this.field.value.trim();
    const active = [...words.matchAll(/[\p{L}\p{N}]/gu)].length > 1;
    if (active !== this.active) {
      this.found = undefined;
      this.active = active;
      ask(this, "sb-searching", { active });
    }
    this.problem = "";
    if (active) this.timer = setTimeout(() => void this.look(words), PAUSE_MS);
  };

  private async look(words: string): Promise<void> {
    const asked = new AbortController();
    this.asked = asked;
    try {
      const found = await searchSessions(words, asked.signal);
      if (asked.signal.aborted) return;
      this.found = found;
      if (found.indexing) this.timer = setTimeout(() => void this.look(words), AGAIN_MS);
    } catch (error) {
      if (asked.signal.aborted) return;
      this.found = undefined;
      this.problem = (error as Error).message;
    }
  }

  private stop(): void {
    clearTimeout(this.timer);
    this.asked?.abort();
  }

  /** Arrows go through what was found, from the field and back to it; Escape ends the search. */
  private readonly pressed = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === "Escape" && this.field.value !== "") {
      event.stopPropagation();
      event.preventDefault();
      this.field.value = "";
      this.typed();
      this.field.focus();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const all: HTMLElement[] = [this.field, ...this.renderRoot.querySelectorAll<HTMLElement>("a")];
      const at = all.indexOf((this.renderRoot as ShadowRoot).activeElement as HTMLElement);
      const next = all[at + (event.key === "ArrowDown" ? 1 : -1)];
      if (at < 0 || !next) return;
      event.preventDefault();
      next.focus();
    }
  };
}

function pieces(all: readonly TextPiece[]) {
  return all.map(({ text, found }) => (found ? html`<mark>${visible(text)}</mark>` : visible(text)));
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-search": Search;
  }
}
