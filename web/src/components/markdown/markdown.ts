//! `<sb-markdown>`: shows markdown as safe nodes. A text that grows while it is written is drawn at most ten times
//! a second; a very long one shows its beginning until the reader asks for all.

import { html, LitElement, nothing, type PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { base, buttons, code } from "../../theme/base";
import { size } from "../../text/format";
import { renderMarkdown, RENDER_LIMIT } from "../../text/markdown";
import { visible } from "../../text/visible";
import { styles } from "./markdown.styles";

const REDRAW_MS = 100;

@customElement("sb-markdown")
export class Markdown extends LitElement {
  static override styles = [base, buttons, code, styles];

  @property() text = "";
  /** It is still being written. */
  @property({ type: Boolean }) live = false;

  @state() private whole = false;
  @query(".words") private words!: HTMLElement;
  private drawnAt = 0;
  private timer?: ReturnType<typeof setTimeout>;

  override render() {
    const long = this.text.length > RENDER_LIMIT;
    return html`<div class="words"></div>
      ${long && this.whole ? html`<pre tabindex="0" role="region" aria-label="The rest">${visible(this.text.slice(RENDER_LIMIT))}</pre>` : nothing}
      ${long && !this.whole
        ? html`<button class="link-button" @click=${() => (this.whole = true)}>Show the rest (${size(this.text.length - RENDER_LIMIT)} more)</button>`
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
    this.words.replaceChildren(fragment);
  }
}

function withCopy(block: HTMLElement): void {
  const frame = document.createElement("div");
  frame.className = "code";
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.addEventListener("click", () => {
    void copy(block.textContent ?? "").then((done) => (button.textContent = done ? "Copied" : "Not allowed"));
  });
  block.replaceWith(frame);
  frame.append(block, button);
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-markdown": Markdown;
  }
}
