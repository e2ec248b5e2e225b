//! What a finished reply gets beside its words: colours, formulas, diagrams, names and requests to click. Each part is loaded when
//! the first reply needs it; without it the words are there all the same.

import { ask } from "../components/events";
import { t } from "../i18n";
import { fill } from "../i18n/fill";
import { knownName } from "../state/names";
import { piecesOf, type Piece } from "../text/pieces";

/** Enriches the words that stand in this root. */
export async function enrich(words: HTMLElement, root: ShadowRoot, from: HTMLElement): Promise<void> {
  clickable(words, from);
  await Promise.all([colours(words), formulas(words, root), charts(words, from), diagrams(words, root)]);
}

/** A table of figures can be had as a chart. */
async function charts(words: HTMLElement, from: HTMLElement): Promise<void> {
  const tables = [...words.querySelectorAll<HTMLTableElement>("table")];
  // Where the turn has drawn it already, it is not offered.
  if (tables.length === 0 || from.hasAttribute("drawn")) return;
  const { drawable } = await import("./chartable");
  for (const table of tables) {
    const given = drawable(table);
    if (!given) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button as-chart acts";
    button.textContent = t.reply.asChart;
    button.addEventListener("click", () => ask(from, "sb-chart", given));
    (table.closest(".table") ?? table).after(button);
  }
}

async function colours(words: HTMLElement): Promise<void> {
  const blocks = [...words.querySelectorAll<HTMLElement>("pre > code[class^='language-']")];
  if (blocks.length === 0) return;
  const { highlighted } = await import("./highlight");
  for (const block of blocks) {
    const fragment = highlighted(block.textContent ?? "", block.className.slice("language-".length));
    if (fragment) block.replaceChildren(fragment);
  }
}

async function diagrams(words: HTMLElement, root: ShadowRoot): Promise<void> {
  const blocks = [...words.querySelectorAll<HTMLElement>("pre > code.language-mermaid")];
  if (blocks.length > 0) (await import("./diagram")).drawDiagrams(blocks, root);
}

async function formulas(words: HTMLElement, root: ShadowRoot): Promise<void> {
  const places = [...words.querySelectorAll<HTMLElement>(".maths")];
  if (places.length === 0) return;
  const { adoptRules, drawFormula } = await import("./maths");
  await adoptRules(root);
  for (const place of places) {
    if (drawFormula(place, place.textContent ?? "", place.classList.contains("block"))) place.classList.add("drawn");
  }
}

/** Names of variables and example requests become buttons; what they do is said by the page, never by the text. */
function clickable(words: HTMLElement, from: HTMLElement): void {
  const walker = document.createTreeWalker(words, NodeFilter.SHOW_TEXT);
  const found: { node: Text; pieces: readonly Piece[] }[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!parent || parent.closest("pre, a, button, .maths")) continue;
    const pieces = piecesOf(node.textContent ?? "", knownName, isExample(parent));
    if (pieces.some(({ kind }) => kind !== "words")) found.push({ node: node as Text, pieces });
  }
  for (const { node, pieces } of found) node.replaceWith(...pieces.map((piece) => part(piece, from)));
}

/** A line of a list that begins with “for example:”. */
function isExample(parent: HTMLElement): boolean {
  const item = parent.closest("li");
  if (!item || item.textContent !== parent.textContent) return false;
  return /\bfor example:\s*$/i.test(item.parentElement?.previousElementSibling?.textContent ?? "");
}

function part({ kind, text }: Piece, from: HTMLElement): Node {
  if (kind === "words") return document.createTextNode(text);
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  if (kind === "name") {
    button.className = "chip";
    button.addEventListener("click", () => ask(from, "sb-open-variable", { name: text.slice(1) }));
  } else {
    button.className = "request";
    button.title = fill(t.reply.writeRequest, { text });
    button.addEventListener("click", () => ask(from, "sb-suggest", { text }));
  }
  return button;
}
