//! Brings a found place into view, and marks the words that were found, where the browser can mark without changing
//! the page.

/** The name of the marks; the style stands in `base`. */
const MARKS = "found";
/** How many words are marked at most. */
const MOST = 200;
/** How many frames the place is held: what comes into view may be taller than it was thought to be. */
const FRAMES = 20;
/** What the reader does meanwhile goes before. */
const ACTS = ["wheel", "pointerdown", "keydown"];
const LETTER_LAST = /[\p{L}\p{N}\p{M}]$/u;
const LETTER_FIRST = /^[\p{L}\p{N}\p{M}]/u;

/** How far below the top of the view a target stands, if nothing else is said. */
const BELOW = 24;

/** Scrolls until `target` stands so far below the top, or the first of the words in it in the upper half, and marks the words. */
export async function reveal(scroller: HTMLElement, target: HTMLElement, words: readonly string[], below = BELOW): Promise<void> {
  const ranges = occurrences(target, words);
  mark(ranges);
  const acted = new AbortController();
  for (const type of ACTS) scroller.getRootNode().addEventListener(type, () => acted.abort(), { signal: acted.signal, passive: true });
  for (let frame = 0; frame < FRAMES && !acted.signal.aborted; frame += 1) {
    const { top } = (ranges[0] ?? target).getBoundingClientRect();
    const box = scroller.getBoundingClientRect();
    const off = top - box.top - (ranges.length > 0 ? box.height / 3 : below);
    if (Math.abs(off) > 1) scroller.scrollTop += off;
    await new Promise(requestAnimationFrame);
  }
  acted.abort();
}

/** Each place of each word in the text, inside of components too; where it is a part of another word it is not meant. */
export function occurrences(root: HTMLElement, words: readonly string[]): Range[] {
  const wanted = [...new Set(words.map((word) => word.trim().toLowerCase()))].filter(Boolean);
  const found: Range[] = [];
  for (const node of textsIn(root)) {
    const text = node.data.toLowerCase();
    // A letter that changes its length with its case would shift all behind it.
    if (text.length !== node.data.length) continue;
    for (const word of wanted) {
      for (let at = text.indexOf(word); at >= 0 && found.length < MOST; at = text.indexOf(word, at + word.length)) {
        const end = at + word.length;
        if (LETTER_LAST.test(text.slice(Math.max(0, at - 2), at)) || LETTER_FIRST.test(text.slice(end, end + 2))) continue;
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, end);
        found.push(range);
      }
    }
  }
  return found;
}

function mark(ranges: readonly Range[]): void {
  if (typeof CSS === "undefined" || !("highlights" in CSS)) return;
  if (ranges.length > 0) CSS.highlights.set(MARKS, new Highlight(...ranges));
  else CSS.highlights.delete(MARKS);
}

function* textsIn(node: Node): Generator<Text> {
  if (node instanceof Text) yield node;
  if (node instanceof HTMLStyleElement || (node instanceof HTMLElement && node.classList.contains("hidden-text"))) return;
  const inner = node instanceof HTMLElement && node.shadowRoot ? node.shadowRoot : node;
  for (const child of inner.childNodes) yield* textsIn(child);
}
