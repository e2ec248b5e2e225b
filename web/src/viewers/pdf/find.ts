//! Finding words in a PDF: page after page is read until one has them, and they are marked on the pages that are drawn.

import type { PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs";

/** The name of the marks; the style stands in `pdf.styles.ts`. */
const MARKS = "found-in-pdf";
/** How many places are marked at most. */
const MOST = 1000;

/** The text of a page as it is compared: in small letters, with one space where there is any. */
export function comparable(text: string): string {
  return text.toLowerCase().replace(/\s+/g, " ");
}

/** Finds words in a document. */
export class Finder {
  private readonly pages = new Map<number, string>();

  constructor(private readonly pdf: PDFDocumentProxy) {}

  /** The next page with the words, from `from` on in the direction `step`, and around the ends; none if no page has them. */
  async next(words: string, from: number, step: 1 | -1, isWanted: () => boolean): Promise<number | undefined> {
    const wanted = comparable(words);
    const count = this.pdf.numPages;
    for (let turn = 0; turn < count && isWanted(); turn += 1) {
      const number = ((((from - 1 + turn * step) % count) + count) % count) + 1;
      if ((await this.text(number)).includes(wanted)) return number;
    }
    return undefined;
  }

  private async text(number: number): Promise<string> {
    const known = this.pages.get(number);
    if (known !== undefined) return known;
    // A page that is damaged has no text.
    const items = await this.pdf.getPage(number).then(async (page) => (await page.getTextContent()).items).catch(() => []);
    const text = comparable(items.map((item) => ("str" in item ? item.str + (item.hasEOL ? " " : "") : "")).join(""));
    this.pages.set(number, text);
    return text;
  }
}

/** Marks the words in these texts, where the browser can mark without changing the page. */
export function mark(texts: readonly HTMLElement[], words: string): void {
  if (typeof CSS === "undefined" || !("highlights" in CSS)) return;
  const wanted = comparable(words);
  const ranges = wanted.trim() === "" ? [] : texts.flatMap((text) => places(text, wanted)).slice(0, MOST);
  if (ranges.length > 0) CSS.highlights.set(MARKS, new Highlight(...ranges));
  else CSS.highlights.delete(MARKS);
}

/** Each place of the words in a text, which may begin in one part and end in another. */
export function places(root: HTMLElement, wanted: string): Range[] {
  // Each letter that is compared, with where it stands; a line that ends counts as a space.
  let text = "";
  const at: { node: Node; offset: number }[] = [];
  const add = (letters: string, node: Node, offset: number) => {
    for (const letter of letters) {
      if (letter === " " && text.endsWith(" ")) continue;
      text += letter;
      for (let unit = 0; unit < letter.length; unit += 1) at.push({ node, offset });
    }
  };
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node instanceof HTMLBRElement) add(" ", node, 0);
    if (!(node instanceof Text)) continue;
    for (let offset = 0; offset < node.data.length; offset += 1) add(comparable(node.data.charAt(offset)), node, offset);
  }
  const found: Range[] = [];
  for (let start = text.indexOf(wanted); start >= 0; start = text.indexOf(wanted, start + wanted.length)) {
    const [first, last] = [at[start], at[start + wanted.length - 1]];
    if (!(first?.node instanceof Text) || !(last?.node instanceof Text)) continue;
    const range = document.createRange();
    range.setStart(first.node, first.offset);
    range.setEnd(last.node, last.offset + 1);
    found.push(range);
  }
  return found;
}
