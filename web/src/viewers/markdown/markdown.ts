//! `<sb-markdown-viewer>`: markdown as a page.

import { css, html } from "lit";
import { customElement } from "lit/decorators.js";
import { t } from "../../i18n";
import "../../components/markdown/markdown";
import { textOf, type TextContent } from "../content";
import type { Shows } from "../registry";
import { Viewer } from "../viewer";

@customElement("sb-markdown-viewer")
export class MarkdownViewer extends Viewer<TextContent> {
  static override styles = [
    Viewer.styles,
    css`
      .body {
        padding: 0.9rem 1.1rem;
      }
    `,
  ];

  protected override fetched({ url }: Shows): Promise<TextContent> {
    return textOf(url);
  }

  protected override view({ text, cut }: TextContent) {
    return html`<div class="body" tabindex="0" role="group" aria-label=${this.shows.name}><sb-markdown .text=${text}></sb-markdown></div>
      ${cut ? html`<p class="note">${t.side.onlyBeginning}</p>` : ""}`;
  }
}
