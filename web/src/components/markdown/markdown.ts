//! `<sb-markdown>`: shows markdown as safe nodes. A text that grows while it is written is drawn at most ten times
//! a second; a very long one shows its beginning until the reader asks for all.

import { html, LitElement, nothing, type PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { base, buttons, code } from "../../theme/base";
import { size } from "../../text/format";
import { copyText } from "../../text/copy";
import { pathFrom, renderMarkdown, RENDER_LIMIT } from "../../text/markdown";
import { visible } from "../../text/visible";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import { coloured } from "../../rich/colours";
import { enrich } from "../../rich/enrich";
import { ask } from "../events";
import { styles } from "./markdown.styles";

const REDRAW_MS = 100;

@customElement("sb-markdown")
export class Markdown extends LitElement {
  static override styles = [base, buttons, code, coloured, styles];

  @property() text = "";
  /** The folder from which links to files lead. */
  @property() folder = "";
  /** It is still being written. */
  @property({ type: Boolean }) live = false;

  @state() private whole = false;
  @query(".words") private words!: HTMLElement;
  private drawnAt = 0;
  private timer?: ReturnType<typeof setTimeout>;

  override render() {
    const long = this.text.length > RENDER_LIMIT;
    return html`<div class="words"></div>
      ${long && this.whole ? html`<pre tabindex="0" role="group" aria-label=${t.reply.theRest}>${visible(this.text.slice(RENDER_LIMIT))}</pre>` : nothing}
      ${long && !this.whole
        ? html`<button class="link-button" @click=${() => (this.whole = true)}>${fill(t.reply.showRest, { size: size(this.text.length - RENDER_LIMIT) })}</button>`
        : nothing}`;
  }

  override updated(changed: PropertyValues<this>): void {
    if (!changed.has("text") && !changed.has("live")) return;
    const due = this.live ? this.drawnAt + REDRAW_MS - Date.now() : 0;
    clearTimeout(this.timer);
    if (due > 0) this.timer = setTimeout(() => this.draw(), due);
    else this.draw();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
  }

  private draw(): void {
    this.drawnAt = Date.now();
    const fragment = renderMarkdown(this.text.slice(0, RENDER_LIMIT));
    for (const block of fragment.querySelectorAll("pre")) withCopy(block);
    withWays(fragment);
    for (const link of fragment.querySelectorAll<HTMLElement>("span.file")) withWindow(link, this.folder, this);
    this.words.replaceChildren(fragment);
    // While it is written, each drawing takes the place of the one before.
    if (!this.live) void enrich(this.words, this.renderRoot as ShadowRoot, this);
  }
}

/** A block of code gets a head: its language, and a button that copies it. */
function withCopy(block: HTMLElement): void {
  const frame = document.createElement("div");
  frame.className = "code";
  const head = document.createElement("div");
  head.className = "head";
  const label = document.createElement("span");
  // That it is text is seen.
  label.textContent = block.querySelector("code")?.className.replace(/^language-(?:te?xt$|plain$)?/, "") ?? "";
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = t.reply.copy;
  button.addEventListener("click", () => {
    void copyText((block.textContent ?? "").replace(/\n$/, "")).then((done) => {
      button.textContent = done ? t.reply.copied : t.reply.notCopied;
      setTimeout(() => (button.textContent = t.reply.copy), 2000);
    });
  });
  head.append(label, button);
  block.replaceWith(frame);
  frame.append(head, block);
}

/** A link to a file of the workspace opens it in a window. */
function withWindow(link: HTMLElement, folder: string, host: HTMLElement): void {
  const path = pathFrom(folder, link.title);
  if (path === undefined) return link.removeAttribute("title");
  const label = `${link.textContent?.trim() ?? ""} (${fill(t.windows.open, { title: path })})`;
  const button = way("", label, () => ask(host, "sb-show", { handle: `file:${path}` }));
  button.title = path;
  button.replaceChildren(...link.childNodes);
  link.replaceWith(button);
}

/** Footnotes can be reached from their marks, and left again; the address of the page is the conversation's. */
function withWays(fragment: DocumentFragment): void {
  const items = [...fragment.querySelectorAll<HTMLElement>(".notes .note")];
  for (const mark of fragment.querySelectorAll<HTMLElement>(".mark")) {
    const item = items[Number(mark.textContent) - 1];
    if (!item) continue;
    const there = way(mark.textContent ?? "", mark.title, () => goTo(item));
    mark.removeAttribute("title");
    mark.replaceChildren(there);
    if (!item.querySelector(".back")) {
      const back = way("↩", t.reply.back, () => there.focus());
      back.classList.add("back");
      item.append(" ", back);
    }
  }
}

function way(text: string, label: string, go: () => void): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "way";
  button.textContent = text;
  button.setAttribute("aria-label", label);
  button.addEventListener("click", go);
  return button;
}

function goTo(item: HTMLElement): void {
  item.tabIndex = -1;
  item.focus();
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-markdown": Markdown;
  }
}
