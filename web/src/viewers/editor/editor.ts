//! `<sb-editor-viewer>`: a text with its line numbers, in colours where its language is known. It is for reading.

import { css, html, type PropertyValues } from "lit";
import { customElement, query } from "lit/decorators.js";
import { visible } from "../../text/visible";
import { coloured } from "../../rich/colours";
import type { TextContent } from "../content";
import { TextViewer } from "../viewer";

/** The endings of files whose language is known; colors are loaded only for these. */
const ENDINGS = new Set([
  "rs", "py", "js", "mjs", "jsx", "ts", "tsx", "json", "jsonl", "toml", "ini", "cfg", "yaml", "yml", "html", "xml", "svg", "css",
  "sh", "bash", "sql", "go", "c", "h", "cpp", "hpp", "cs", "java", "diff", "patch",
]);

@customElement("sb-editor-viewer")
export class EditorViewer extends TextViewer {
  static override styles = [
    TextViewer.styles,
    coloured,
    css`
      .text {
        display: grid;
        grid-template-columns: auto minmax(0, 1fr);
        font: 0.82rem/1.55 var(--mono);
      }
      .numbers {
        padding: 0.6rem 0.6rem 0.6rem 0.8rem;
        color: var(--muted);
        text-align: end;
        user-select: none;
        white-space: pre;
      }
      pre {
        border: 0;
        border-radius: 0;
        background: none;
        padding: 0.6rem 0.8rem 0.6rem 0.2rem;
        font: inherit;
        overflow-x: auto;
        white-space: pre;
        overflow-wrap: normal;
        tab-size: 4;
      }
    `,
  ];

  @query("pre") private words?: HTMLElement;
  /** What stands there. */
  private written?: TextContent;

  protected override body(text: string) {
    const lines = Math.max(1, text.split("\n").length - (text.endsWith("\n") ? 1 : 0));
    const numbers = Array.from({ length: lines }, (_, at) => at + 1).join("\n");
    return html`<div class="body">
        <div class="text">
          <div class="numbers" aria-hidden="true">${numbers}</div>
          <pre tabindex="0" role="group" aria-label=${this.shows.name}></pre>
        </div>
      </div>`;
  }

  override updated(changed: PropertyValues<this>): void {
    super.updated(changed);
    const { words, content } = this;
    if (!words || !content || (this.written === content && words.textContent !== "")) return;
    this.written = content;
    const shown = visible(content.text.replace(/\r\n?/g, "\n"));
    words.textContent = shown;
    void this.colour(words, shown);
  }

  private async colour(words: HTMLElement, text: string): Promise<void> {
    const language = languageOf(this.shows.name);
    if (language === undefined) return;
    const { highlighted } = await import("../../rich/highlight");
    const nodes = highlighted(text, language);
    if (nodes && words.textContent === text) words.replaceChildren(nodes);
  }
}

/** The language by the name of a file, as the library knows it; its aliases are the endings themselves. */
function languageOf(name: string): string | undefined {
  if (/^dockerfile$/i.test(name)) return "dockerfile";
  const ending = name.split(".").at(-1)?.toLowerCase() ?? "";
  return ENDINGS.has(ending) ? ending : undefined;
}
