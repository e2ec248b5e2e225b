//! What replies have beyond ordinary markdown: formulas and footnotes. Each becomes plain elements with a class; what
//! they look like is decided later, by the page and not by the text.

import type { MarkedExtension, TokenizerAndRendererExtension, Tokens } from "marked";
import { t } from "../i18n";
import { fill } from "../i18n/fill";

const BLOCK = /^(?:\$\$([\s\S]+?)\$\$|\\\[([\s\S]+?)\\\])[ \t]*(?:\n+|$)/;
const INLINE = /^(?:\$\$([^\n]+?)\$\$|\\\(([^\n]+?)\\\)|\$(?![\s$])((?:\\.|[^\\\n$])+?)(?<!\s)\$(?![\w$]))/;
/** `$5 and 10$` speaks of money. */
const MONEY = /^\d[\d.,]*\s+[A-Za-z]{2}/;
const NOTE = /^\[\^([^\]\s]{1,40})\]:[ \t]+([^\n]+(?:\n(?![ \t]*(?:\n|\[\^))[^\n]+)*)(?:\n+|$)/;
const MARK = /^\[\^([^\]\s]{1,40})\]/;

/** The footnotes of the text that is read now. */
let notes = new Map<string, Tokens.Generic>();
let order: string[] = [];

/** Begins a new text. */
export function beginNotes(): void {
  notes = new Map();
  order = [];
}

/** The footnotes that were asked for, in their order, as a list; `inline` reads the words of one. */
export function notesAsHtml(inline: (words: string) => string): string {
  const known = order.filter((id) => notes.has(id));
  if (known.length === 0) return "";
  const items = known.map((id) => `<li class="note">${inline(String(notes.get(id)?.text ?? ""))}</li>`);
  return `<div class="notes" role="group" aria-label="${escapeHtml(t.reply.footnotes)}"><ol>${items.join("")}</ol></div>`;
}

const blockFormula: TokenizerAndRendererExtension = {
  name: "blockFormula",
  level: "block",
  start: (source) => position(source, /^(?:\$\$|\\\[)/m),
  tokenizer(source) {
    const found = BLOCK.exec(source);
    return found && { type: "blockFormula", raw: found[0], text: (found[1] ?? found[2] ?? "").trim() };
  },
  renderer: ({ text }) => `<div class="maths block" tabindex="0" role="group" aria-label="${escapeHtml(t.reply.formula)}">${escapeHtml(String(text))}</div>`,
} as TokenizerAndRendererExtension;

const inlineFormula: TokenizerAndRendererExtension = {
  name: "inlineFormula",
  level: "inline",
  start: (source) => position(source, /\$|\\\(/),
  tokenizer(source) {
    const found = INLINE.exec(source);
    const text = found?.[1] ?? found?.[2] ?? found?.[3];
    if (!found || text === undefined || (found[3] !== undefined && MONEY.test(text))) return undefined;
    return { type: "inlineFormula", raw: found[0], text: text.trim() };
  },
  renderer: ({ text }) => `<span class="maths">${escapeHtml(String(text))}</span>`,
} as TokenizerAndRendererExtension;

const note: TokenizerAndRendererExtension = {
  name: "note",
  level: "block",
  start: (source) => position(source, /^\[\^/m),
  tokenizer(source) {
    const found = NOTE.exec(source);
    if (!found) return undefined;
    const token = { type: "note", raw: found[0], text: (found[2] ?? "").replace(/\n[ \t]*/g, " ").trim() };
    notes.set(found[1] ?? "", token);
    return token;
  },
  renderer: () => "",
} as TokenizerAndRendererExtension;

const mark: TokenizerAndRendererExtension = {
  name: "mark",
  level: "inline",
  start: (source) => position(source, /\[\^/),
  tokenizer(source) {
    const found = MARK.exec(source);
    return found ? { type: "mark", raw: found[0], text: found[1] ?? "" } : undefined;
  },
  renderer({ raw, text }) {
    const id = String(text);
    if (!notes.has(id)) return escapeHtml(raw);
    if (!order.includes(id)) order.push(id);
    return `<span class="mark" title="${escapeHtml(fill(t.reply.footnote, { number: order.indexOf(id) + 1 }))}">${order.indexOf(id) + 1}</span>`;
  },
} as TokenizerAndRendererExtension;

/** All of them. */
export const extensions: MarkedExtension = { extensions: [blockFormula, inlineFormula, note, mark] };

function position(source: string, what: RegExp): number | undefined {
  const at = source.search(what);
  return at < 0 ? undefined : at;
}

/** Text that cannot become markup. */
export function escapeHtml(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;").replace(/'/g, "&#39;");
}
