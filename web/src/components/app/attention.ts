//! What waits for the user, above the field. One at a time: a second click meant for the first card must not fall on
//! another that took its place.

import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import type { ChatState } from "../../state/chat";
import { count } from "../../text/format";

/** How the card is shown. */
export interface Showing {
  online: boolean;
  /** It covers the screen. */
  sheet: boolean;
  /** The screen is small. */
  tiny: boolean;
  /** The cards are loaded with the first, and can be shown now. */
  loaded: () => void;
  /** Something is typed while a card has the keyboard: it goes where it was meant. */
  typed: () => void;
}

/** Whether the cards are loaded. */
let cards: "no" | "loading" | "there" | "failed" = "no";

/** The first card, and how many more there are. */
export function attention({ approvals, queries }: ChatState, { online, sheet, tiny, loaded, typed }: Showing): TemplateResult | typeof nothing {
  const [approval] = approvals;
  const [question] = queries;
  if (!approval && !question) return nothing;
  if (cards !== "there") {
    if (cards === "no") void load().then(loaded);
    return cards === "failed" ? notLoaded() : nothing;
  }
  const more = approvals.length + queries.length - 1;
  return html`<div class="attention" role="region" aria-label=${t.asking.waiting} @keydown=${(event: KeyboardEvent) => isTyping(event) && typed()}>
    ${approval
      ? html`<sb-approval .request=${approval} ?online=${online} ?sheet=${sheet} ?aside=${tiny && !sheet}></sb-approval>`
      : html`<sb-query .request=${question} ?online=${online}></sb-query>`}
    ${more > 0 ? html`<p class="more">${fill(t.asking.moreAfter, { questions: count(more, t.asking.moreQuestion) })}</p>` : nothing}
  </div>`;
}

async function load(): Promise<void> {
  cards = "loading";
  cards = await import("./cards").then(() => "there" as const, () => "failed" as const);
}

/** It is another version of the server, or the server is away: the page has to be loaded again, and then it waits as before. */
function notLoaded(): TemplateResult {
  return html`<div class="gone" role="alert">
    <p>${t.asking.notLoaded}</p>
    <button class="button primary" @click=${() => location.reload()}>${t.asking.reload}</button>
  </div>`;
}

function isTyping(event: KeyboardEvent): boolean {
  const inner = event.composedPath()[0] as HTMLElement;
  return inner.localName === "section" && event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey;
}

/** A conversation whose log is damaged: it can be read, and go on in another one. */
export function damagedNote(from: number, fork: () => void): TemplateResult {
  return html`<div class="gone damaged" role="alert">
    <p>${fill(t.connection.damaged, { seq: from })} ${t.connection.damagedWhy}</p>
    <button class="button primary" @click=${fork}>${t.connection.goOn}</button>
  </div>`;
}

/** A conversation that is not there any more. */
export function goneNote(why: string, begin: () => void): TemplateResult {
  return html`<div class="gone" role="alert">
    <p>${why} ${t.connection.goneWhy}</p>
    <button class="button primary" @click=${begin}>${t.side.newChat}</button>
  </div>`;
}
