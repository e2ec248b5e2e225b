//! `<sb-search>`: finds what was said in all conversations, as it is typed, and opens the place.

import { html, LitElement, nothing } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { LONGEST_QUERY, type FoundPlace, type FoundSession, type TextPiece } from "../../connection/search";
import { t } from "../../i18n";
import { ago, count } from "../../text/format";
import { visible, visibleLine } from "../../text/visible";
import { base, fields } from "../../theme/base";
import { ask, plainClick } from "../events";
import { searchIcon } from "../icons";
import { Lookup, wordsAt } from "./lookup";
import { styles } from "./search.styles";

@customElement("sb-search")
export class Search extends LitElement {
  static override styles = [base, fields, styles];

  /** Something is looked for: what was found stands where the list was. */
  @property({ type: Boolean, reflect: true }) active = false;
  /** Conversations that are being deleted, which the server may still find. */
  @property({ attribute: false }) gone: ReadonlySet<string> = new Set();
  @query("input") private field!: HTMLInputElement;
  private readonly lookup = new Lookup(this);

  override focus(): void {
    this.field.focus();
  }

  override render() {
    const { problem } = this.lookup;
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
            ${problem ? html`<p class="problem" role="alert">${visible(problem)}</p>` : nothing}
            <p class="note" role="status">${this.note()}</p>
            <ul>
              ${repeat(this.results, ({ session }) => session.sessionId, (found) => this.conversation(found))}
            </ul>
          </div>`
        : nothing}`;
  }

  private get results(): readonly FoundSession[] {
    return this.lookup.found?.results.filter(({ session }) => !this.gone.has(session.sessionId)) ?? [];
  }

  private note(): string {
    const { results } = this;
    const { found } = this.lookup;
    if (!found) return this.lookup.looking ? t.finding.searching : "";
    const { more, indexing } = found;
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

  private open(event: MouseEvent, sessionId: string, place?: FoundPlace): void {
    if (!plainClick(event)) return;
    event.preventDefault();
    ask(this, "sb-open-session", { sessionId, ...(place && { at: wordsAt(place) }) });
  }

  private readonly typed = (): void => {
    const active = this.lookup.begin(this.field.value.trim());
    if (!active) this.lookup.end();
    this.requestUpdate();
    if (active === this.active) return;
    this.active = active;
    ask(this, "sb-searching", { active });
  };

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
