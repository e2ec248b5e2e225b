//! `<sb-editor-viewer>`: a text with its line numbers, in colours where its language is known. It is for reading.

import { css, html, type PropertyValues } from "lit";
import { customElement, query } from "lit/decorators.js";
import { t } from "../../i18n";
import { visible } from "../../text/visible";
import { coloured } from "../../rich/colours";
import { textOf, type TextContent } from "../content";
import type { Shows } from "../registry";
import { Viewer } from "../viewer";

@customElement("sb-editor-viewer")
export class EditorViewer extends Viewer<TextContent> {
  static override styles = [
    Viewer.styles,
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

  protected override fetched({ url }: Shows): Promise<TextContent> {
    return textOf(url);
  }

  protected override view({ text, cut }: TextContent) {
    const lines = Math.max(1, text.split("\n").length - (text.endsWith("\n") ? 1 : 0));
    const numbers = Array.from({ length: lines }, (_, at) => at + 1).join("\n");
    return html`<div class="body">
        <div class="text">
          <div class="numbers" aria-hidden="true">${numbers}</div>
          <pre tabindex="0" role="group" aria-label=${this.shows.name}></pre>
        </div>
      </div>
      ${cut ? html`<p class="note">${t.side.onlyBeginning}</p>` : ""}`;
  }

  override updated(changed: PropertyValues<this>): void {
    super.updated(changed);
    const { words, content } = this;
    if (!words || !content || words.dataset.of === this.shows.url && words.textContent !== "") return;
    words.dataset.of = this.shows.url;
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

const LANGUAGES: Record<string, string> = {
  rs: "rust", py: "python", js: "javascript", mjs: "javascript", jsx: "javascript", ts: "typescript", tsx: "typescript",
  json: "json", jsonl: "json", toml: "ini", ini: "ini", cfg: "ini", yaml: "yaml", yml: "yaml", html: "xml", xml: "xml", svg: "xml",
  css: "css", sh: "bash", bash: "bash", sql: "sql", go: "go", c: "c", h: "c", cpp: "cpp", hpp: "cpp", cs: "csharp", java: "java",
  diff: "diff", patch: "diff",
};

function languageOf(name: string): string | undefined {
  if (/^dockerfile$/i.test(name)) return "dockerfile";
  return LANGUAGES[name.split(".").at(-1)?.toLowerCase() ?? ""];
}
