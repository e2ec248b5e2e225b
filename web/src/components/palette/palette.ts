//! `<sb-palette>`: finds what is typed among the page's actions, conversations, commands and variables, and does it. After
//! those stand the conversations that the server finds, also by what was said in them.

import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { t } from "../../i18n";
import { LONGEST_QUERY, type FoundSession, type TextPiece } from "../../connection/search";
import { best } from "../../text/fuzzy";
import { base, fields } from "../../theme/base";
import { visible, visibleLine } from "../../text/visible";
import "../dialog/dialog";
import { ask } from "../events";
import { Lookup, wordsAt } from "../search/lookup";

/** Something that can be done. */
export interface PaletteItem {
  id: string;
  kind: "action" | "conversation" | "command" | "variable";
  words: string;
  hint?: string;
  run: () => void;
}

const SHOWN = 12;

@customElement("sb-palette")
export class Palette extends LitElement {
  static override styles = [
    base,
    fields,
    css`
      sb-dialog {
        --dialog-width: 36rem;
      }
      .field {
        min-height: 44px;
        font-size: 1rem;
      }
      ul {
        margin: 0.6rem -0.4rem 0;
        padding: 0;
        max-height: min(28rem, 55dvh);
        list-style: none;
        overflow-y: auto;
      }
      li {
        display: flex;
        gap: 0.8rem;
        align-items: baseline;
        min-height: 40px;
        padding: 0.45rem 0.6rem;
        border-radius: var(--radius-small);
        cursor: pointer;
      }
      li[aria-selected="true"] {
        background: var(--accent-soft);
      }
      .words {
        flex: 1;
        min-width: 0;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      .hint {
        flex: none;
        max-width: 45%;
        color: var(--muted);
        font-size: 0.84rem;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      .none {
        margin: 0.9rem 0.2rem 0;
        color: var(--muted);
      }
      .none:empty {
        margin: 0;
      }
    `,
  ];

  @property({ attribute: false }) items: readonly PaletteItem[] = [];
  /** Conversations that are being deleted, which the server may still find. */
  @property({ attribute: false }) gone: ReadonlySet<string> = new Set();
  @state() private typed = "";
  @state() private chosen = 0;
  @query("input") private field!: HTMLInputElement;
  private readonly lookup = new Lookup(this);

  override firstUpdated(): void {
    // The dialog opens after its own first drawing.
    requestAnimationFrame(() => this.field.focus());
  }

  override updated(changed: PropertyValues): void {
    if (changed.has("chosen")) this.renderRoot.querySelector(`#found-${this.chosen}`)?.scrollIntoView({ block: "nearest" });
  }

  override render() {
    const found = this.found();
    return html`<sb-dialog heading=${t.keys.palette}>
      <input
        class="field"
        role="combobox"
        aria-label=${t.keys.find}
        placeholder=${t.keys.find}
        aria-expanded="true"
        aria-controls="found"
        aria-autocomplete="list"
        aria-activedescendant=${found.length > 0 ? `found-${this.chosen}` : nothing}
        autocomplete="off"
        spellcheck="false"
        maxlength=${LONGEST_QUERY}
        @input=${this.changed}
        @keydown=${this.pressed}
      />
      <ul role="listbox" id="found" aria-label=${t.keys.found} ?hidden=${found.length === 0}>
        ${found.map(
          (item, at) => html`<li role="option" id="found-${at}" aria-selected=${at === this.chosen ? "true" : "false"} @click=${() => this.take(item)}>
            <span class="words">${visibleLine(item.words, 120)}</span>
            <span class="hint">${visibleLine(item.hint ?? t.keys.kinds[item.kind], 80)}</span>
          </li>`,
        )}
      </ul>
      <p class="none" role="status">${found.length === 0 ? this.none : ""}</p>
    </sb-dialog>`;
  }

  private found(): PaletteItem[] {
    const held = best(this.typed, this.items, ({ words }) => words, SHOWN);
    const shown = new Set(held.map(({ id }) => id));
    const others = this.lookup.found?.results.filter(({ session: { sessionId } }) => !shown.has(sessionId) && !this.gone.has(sessionId)) ?? [];
    return [...held, ...others.slice(0, SHOWN).map((found) => this.conversation(found))];
  }

  /** A conversation whose title has the words, or a place in it. */
  private conversation({ session: { sessionId, title }, title: titleFound, places: [place] }: FoundSession): PaletteItem {
    const at = titleFound || !place ? undefined : place;
    return {
      id: sessionId,
      kind: "conversation",
      words: title ?? t.page.untitled,
      hint: at && foundIn(at.pieces),
      run: () => ask(this, "sb-open-session", { sessionId, ...(at && { at: wordsAt(at) }) }),
    };
  }

  private get none(): string {
    const { looking, problem } = this.lookup;
    return looking ? t.finding.searching : problem ? visible(problem) : t.keys.none;
  }

  private changed(): void {
    this.typed = this.field.value;
    this.chosen = 0;
    // What was found for other words must not be chosen by a quick Enter.
    this.lookup.end();
    if (!/^\s*[/@]/.test(this.typed)) this.lookup.begin(this.typed.trim());
  }

  private pressed(event: KeyboardEvent): void {
    const found = this.found();
    const { length } = found;
    if (event.isComposing || length === 0) return;
    if (event.key === "ArrowDown") this.chosen = (this.chosen + 1) % length;
    else if (event.key === "ArrowUp") this.chosen = (this.chosen + length - 1) % length;
    else if (event.key === "Enter") this.take(found[this.chosen]);
    else return;
    event.preventDefault();
  }

  private take(item: PaletteItem | undefined): void {
    if (!item) return;
    ask(this, "sb-close", {});
    item.run();
  }
}

/** The text from what was found on: there is room for a few words. */
function foundIn(pieces: readonly TextPiece[]): string {
  const first = Math.max(0, pieces.findIndex(({ found }) => found));
  return `${first > 0 ? "…" : ""}${pieces.slice(first).map(({ text }) => text).join("")}`;
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-palette": Palette;
  }
}
