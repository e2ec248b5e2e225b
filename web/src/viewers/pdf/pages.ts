//! The pages of a PDF below each other. Each has its place from the beginning; it is drawn when it comes near the part that
//! is seen, and given up when it goes far away, so that a PDF of a thousand pages costs no more than one of ten.

import { TextLayer, type PDFDocumentProxy, type PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";

/** Pixels of the screen for a point of the paper at 100 %. */
export const ACTUAL = 96 / 72;
const LEAST = ACTUAL / 4;
const MOST = ACTUAL * 8;
/** The largest drawing, in pixels; what is larger is drawn less finely. */
const MOST_PIXELS = 16 * 1024 * 1024;
/** Around the pages, in pixels: as in the styles. */
const GAP = 12;

interface Sheet {
  readonly number: number;
  readonly box: HTMLElement;
  /** Its size in points; that of the first page until it is known. */
  width: number;
  height: number;
  page?: PDFPageProxy;
  /** It is near the part that is seen. */
  near: boolean;
  /** What was drawn last, or is being drawn. */
  drawing?: { scale: number };
  stop?: () => void;
}

/** The pages in the element that scrolls them. */
export class Pages {
  /** What scrolls. */
  readonly element = document.createElement("div");
  private readonly sheets: Sheet[];
  private readonly near: IntersectionObserver;
  private readonly resized: ResizeObserver;
  private zoom?: number;
  private shown = 1;

  constructor(
    private readonly pdf: PDFDocumentProxy,
    first: PDFPageProxy,
    /** Hears which page is seen, and when a page's text is there. */
    private readonly heard: { page: (number: number) => void; text: () => void },
  ) {
    const { width, height } = first.getViewport({ scale: 1 });
    this.sheets = Array.from({ length: pdf.numPages }, (_, at) => sheet(at + 1, width, height));
    this.element.className = "body";
    this.element.tabIndex = 0;
    this.element.append(...this.sheets.map(({ box }) => box));
    this.element.addEventListener("scroll", () => this.look(), { passive: true });
    this.near = new IntersectionObserver((entries) => this.moved(entries), { root: this.element, rootMargin: "50% 0px" });
    for (const { box } of this.sheets) this.near.observe(box);
    this.resized = new ResizeObserver(() => (this.zoom === undefined ? this.rescale() : undefined));
    this.resized.observe(this.element);
  }

  /** Gives up all that was drawn. */
  close(): void {
    this.near.disconnect();
    this.resized.disconnect();
    for (const each of this.sheets) leave(each);
  }

  /** Pixels of the screen for a point of the paper. */
  get scale(): number {
    const room = this.element.clientWidth - 2 * GAP;
    return this.zoom ?? Math.min(MOST, Math.max(0.05, room / Math.max(...this.sheets.map(({ width }) => width))));
  }

  /** Pages as wide as the window. */
  get fits(): boolean {
    return this.zoom === undefined;
  }

  /** There is more of a page at its sides than is seen. */
  get isWide(): boolean {
    return this.element.scrollWidth > this.element.clientWidth;
  }

  /** Shows the pages at this scale; without one they are as wide as the window. */
  scaleTo(scale: number | undefined): void {
    this.zoom = scale === undefined ? undefined : Math.min(MOST, Math.max(LEAST, scale));
    this.rescale();
  }

  /** Brings a page into view. */
  go(number: number): void {
    const at = Math.min(this.sheets.length, Math.max(1, Math.round(number) || 1));
    this.element.scrollTop = (this.sheets[at - 1] as Sheet).box.offsetTop - GAP;
    this.look();
  }

  /** The texts that stand on drawn pages, by the page. */
  texts(): HTMLElement[] {
    return [...this.element.querySelectorAll<HTMLElement>(".text")];
  }

  private rescale(): void {
    const { box } = this.sheets[this.shown - 1] as Sheet;
    const before = box.offsetHeight > 0 ? (this.element.scrollTop - box.offsetTop) / box.offsetHeight : 0;
    this.element.style.setProperty("--total-scale-factor", String(this.scale));
    this.element.scrollTop = box.offsetTop + before * box.offsetHeight;
    for (const each of this.sheets) if (each.near) void this.draw(each);
  }

  private look(): void {
    const middle = this.element.scrollTop + this.element.clientHeight / 2;
    if (this.element.clientHeight === 0) return;
    const next = this.sheets.findIndex(({ box }) => box.offsetTop > middle);
    const shown = next < 0 ? this.sheets.length : Math.max(1, next);
    if (shown === this.shown) return;
    this.shown = shown;
    this.heard.page(shown);
  }

  private moved(entries: IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      const each = this.sheets[Number((target as HTMLElement).dataset.page) - 1] as Sheet;
      each.near = isIntersecting;
      if (isIntersecting) void this.draw(each);
      else leave(each);
    }
  }

  private async draw(each: Sheet): Promise<void> {
    const { scale } = this;
    if (each.drawing?.scale === scale || this.element.clientWidth === 0) return;
    each.stop?.();
    const drawing = (each.drawing = { scale });
    const isCurrent = () => each.drawing === drawing;
    try {
      each.page ??= await this.pdf.getPage(each.number);
      if (!isCurrent()) return;
      const { width, height } = each.page.getViewport({ scale: 1 });
      resize(each, width, height);
      // A page that is wider than those before makes all smaller.
      if (this.zoom === undefined && this.scale !== scale) return this.rescale();
      await paint(each, each.page, scale, isCurrent);
      // What is drawn stays, even if its text cannot be read.
      if (isCurrent() && !each.box.querySelector(".text")) await write(each, each.page).catch(() => undefined);
      if (isCurrent()) this.heard.text();
    } catch {
      if (isCurrent()) fail(each);
    }
  }
}

function sheet(number: number, width: number, height: number): Sheet {
  const box = document.createElement("div");
  box.className = "sheet";
  box.dataset.page = String(number);
  box.role = "group";
  box.ariaLabel = fill(t.windows.pdf.pageNamed, { n: String(number) });
  const made: Sheet = { number, box, width: 0, height: 0, near: false };
  resize(made, width, height);
  return made;
}

function resize(each: Sheet, width: number, height: number): void {
  if (each.width === width && each.height === height) return;
  each.width = width;
  each.height = height;
  each.box.style.width = `calc(var(--total-scale-factor) * ${width}px)`;
  each.box.style.height = `calc(var(--total-scale-factor) * ${height}px)`;
}

/** Draws the page beside what is there, and then takes its place. */
async function paint(each: Sheet, page: PDFPageProxy, scale: number, isCurrent: () => boolean): Promise<void> {
  const viewport = page.getViewport({ scale });
  const fineness = Math.min(devicePixelRatio || 1, Math.sqrt(MOST_PIXELS / (viewport.width * viewport.height)));
  const canvas = document.createElement("canvas");
  canvas.ariaHidden = "true";
  canvas.width = Math.max(1, Math.floor(viewport.width * fineness));
  canvas.height = Math.max(1, Math.floor(viewport.height * fineness));
  const task = page.render({ canvas, viewport, transform: fineness === 1 ? undefined : [fineness, 0, 0, fineness, 0, 0] });
  each.stop = () => task.cancel();
  await task.promise;
  if (!isCurrent()) return;
  const before = each.box.querySelector("canvas, .note");
  if (before) before.replaceWith(canvas);
  else each.box.prepend(canvas);
}

/** Lays the page's text over it, so that it can be selected and read. */
async function write(each: Sheet, page: PDFPageProxy): Promise<void> {
  const container = document.createElement("div");
  container.className = "text";
  const layer = new TextLayer({ textContentSource: page.streamTextContent(), container, viewport: page.getViewport({ scale: 1 }) });
  each.stop = () => layer.cancel();
  await layer.render();
  each.box.append(container);
}

function fail(each: Sheet): void {
  const note = document.createElement("p");
  note.classList.add("note", "problem");
  note.textContent = t.windows.pdf.badPage;
  each.box.replaceChildren(note);
}

function leave(each: Sheet): void {
  each.stop?.();
  each.stop = each.drawing = undefined;
  each.page?.cleanup();
  each.box.replaceChildren();
}
