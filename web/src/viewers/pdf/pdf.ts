//! `<sb-pdf-viewer>`: a PDF, page by page. Buttons and keys make it larger and smaller, go to a page, and find words.

import { html, nothing, type PropertyValues } from "lit";
import { customElement, state } from "lit/decorators.js";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import type { Shows } from "../registry";
import { Viewer } from "../viewer";
import { headOf, openPdf, type Locked, type Pdf } from "./document";
import { Finder, mark } from "./find";
import { ACTUAL, Pages } from "./pages";
import { styles } from "./pdf.styles";

const STEP = 1.25;
/** How long a PDF stays open whose window is on its way to another place, in milliseconds. */
const KEPT = 2_000;

/** What is shown of a PDF that is open. */
interface Open extends Pdf {
  pages: Pages;
  finder: Finder;
}

@customElement("sb-pdf-viewer")
export class PdfViewer extends Viewer<Open | Locked> {
  static override styles = [Viewer.styles, styles];

  @state() private page = 1;
  @state() private zoom?: number;
  @state() private words = "";
  /** The page that has the words; none if no page has them. */
  @state() private found?: { page?: number };
  private password?: string;
  private opening = 0;
  private closing?: ReturnType<typeof setTimeout>;

  override connectedCallback(): void {
    super.connectedCallback();
    clearTimeout(this.closing);
    if (this.hasUpdated && !this.content) void this.load();
    // Whoever is taken out of the page forgets how far it was scrolled.
    requestAnimationFrame(() => this.open?.pages.go(this.page));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.closing = setTimeout(() => this.close(), KEPT);
  }

  override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (changed.get("shows")) this.page = 1;
    if (changed.has("words")) this.found = undefined;
  }

  override updated(changed: PropertyValues): void {
    if (changed.has("content")) this.open?.pages.go(this.page);
    if (changed.has("words")) this.mark();
  }

  /** Reads again what may have changed. */
  override async look(): Promise<void> {
    const { content } = this;
    if (!content || !("pages" in content)) return this.load();
    const now = await headOf(this.shows).catch(() => undefined);
    const isSame = now?.total === content.total && now.bytes.every((byte, at) => byte === content.head[at]);
    if (!isSame) await this.load();
  }

  protected override async fetched(shows: Shows): Promise<Open | Locked> {
    const opening = ++this.opening;
    const pdf = await openPdf(shows, this.password, (problem) => opening === this.opening && this.fail(problem, true));
    if (!("document" in pdf)) return pdf;
    // In the meantime another one was asked for, or the window was closed.
    if (opening !== this.opening || !this.isConnected) {
      pdf.close();
      throw new DOMException("", "AbortError");
    }
    this.close();
    this.page = Math.min(this.page, pdf.document.numPages);
    const pages = new Pages(pdf.document, pdf.first, { page: (number) => (this.page = number), text: () => this.mark() });
    pages.element.role = "group";
    pages.element.ariaLabel = shows.name;
    pages.element.addEventListener("keydown", this.key);
    pages.element.addEventListener("wheel", this.wheel);
    if (this.zoom !== undefined) pages.scaleTo(this.zoom);
    return { ...pdf, pages, finder: new Finder(pdf.document) };
  }

  /** What was open is given up, so that it is read anew when it is looked at again. */
  protected override fail(problem: Error, mayPass?: boolean): void {
    this.close();
    super.fail(problem, mayPass);
  }

  protected override view(content: Open | Locked) {
    if (!("pages" in content)) return this.lock(content);
    const { pages, document } = content;
    return html`<div class="tools" @keydown=${this.shortcut}>
        <button class="button" aria-label=${t.windows.smaller} @click=${() => this.by(1 / STEP)}>−</button>
        <button class="button" aria-label=${t.windows.larger} @click=${() => this.by(STEP)}>+</button>
        <button class="button" aria-pressed=${this.zoom === undefined} @click=${() => this.scale(undefined)}>${t.windows.fit}</button>
        <button class="button" aria-pressed=${this.zoom === ACTUAL} @click=${() => this.scale(ACTUAL)}>100 %</button>
        <label class="go">${t.windows.pdf.page}
          <input class="field number" type="number" min="1" max=${document.numPages} .value=${String(this.page)} @change=${this.go} />
          ${fill(t.windows.pdf.of, { n: String(document.numPages) })}</label>
        <input class="field find" type="search" aria-label=${t.windows.pdf.find} placeholder=${t.windows.pdf.find} .value=${this.words} @input=${(event: Event) => (this.words = (event.target as HTMLInputElement).value)} @keydown=${this.enter} />
        <span class="said" role="status">${this.found ? (this.found.page ? fill(t.windows.pdf.pageNamed, { n: String(this.found.page) }) : t.windows.pdf.notFound) : nothing}</span>
      </div>
      ${pages.element}`;
  }

  private lock({ wrong }: Locked) {
    return html`<p class="note ${wrong ? "problem" : ""}" role=${wrong ? "alert" : "status"}>${wrong ? t.windows.pdf.wrongPassword : t.windows.pdf.locked}</p>
      <form @submit=${this.unlock}>
        <input class="field" type="password" name="password" autocomplete="off" required aria-label=${t.windows.pdf.password} />
        <button class="button">${t.windows.pdf.unlock}</button>
      </form>`;
  }

  private readonly unlock = (event: SubmitEvent): void => {
    event.preventDefault();
    this.password = String(new FormData(event.target as HTMLFormElement).get("password"));
    void this.load();
  };

  private get open(): Open | undefined {
    return this.content && "pages" in this.content ? this.content : undefined;
  }

  /** Gives up what is open. */
  private close(): void {
    this.open?.pages.close();
    this.open?.close();
    this.content = undefined;
  }

  private by(factor: number): void {
    if (this.open) this.scale(this.open.pages.scale * factor);
  }

  private scale(zoom: number | undefined): void {
    this.zoom = zoom;
    this.open?.pages.scaleTo(zoom);
  }

  private readonly go = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    this.open?.pages.go(Number(input.value));
    // What is out of range is put right in the field too.
    input.value = String(this.page);
  };

  private readonly enter = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || this.words.trim() === "") return;
    event.preventDefault();
    void this.find(event.shiftKey ? -1 : 1);
  };

  private async find(step: 1 | -1): Promise<void> {
    const { open, words } = this;
    if (!open) return;
    // The same words again: on the next page.
    const from = this.found?.page ? this.found.page + step : this.page;
    const page = await open.finder.next(words, from, step, () => this.words === words && this.open === open);
    if (this.words !== words || this.open !== open) return;
    this.found = { page };
    if (page) open.pages.go(page);
  }

  private mark(): void {
    if (this.open) mark(this.open.pages.texts(), this.words);
  }

  private readonly key = (event: KeyboardEvent): void => {
    if (this.shortcut(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    if (key === "+" || key === "=") this.by(STEP);
    else if (key === "-") this.by(1 / STEP);
    else if (key === "0") this.scale(undefined);
    // Pages that are wider than the window are moved by the arrows.
    else if (this.open?.pages.isWide) return;
    else if (key === "ArrowRight") this.open?.pages.go(this.page + 1);
    else if (key === "ArrowLeft") this.open?.pages.go(this.page - 1);
    else return;
    event.preventDefault();
  };

  /** Ctrl+F finds in the document. */
  private readonly shortcut = (event: KeyboardEvent): boolean => {
    if (event.key !== "f" || !(event.ctrlKey || event.metaKey)) return false;
    event.preventDefault();
    this.renderRoot.querySelector<HTMLInputElement>(".find")?.select();
    return true;
  };

  private readonly wheel = (event: WheelEvent): void => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    this.by(event.deltaY < 0 ? STEP : 1 / STEP);
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-pdf-viewer": PdfViewer;
  }
}
