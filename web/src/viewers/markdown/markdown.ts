//! `<sb-markdown-viewer>`: markdown as a page, or as the text that it is.

import { css, html } from "lit";
import { customElement } from "lit/decorators.js";
import "../../components/markdown/markdown";
import { AsTextViewer, type Shape } from "../as-text";
import { textOf, type TextContent } from "../content";
import type { Shows } from "../registry";

@customElement("sb-markdown-viewer")
export class MarkdownViewer extends AsTextViewer<TextContent> {
  static override styles = [
    AsTextViewer.styles,
    css`
      .body {
        padding: 0.9rem 1.1rem;
      }
    `,
  ];

  protected override fetched(shows: Shows): Promise<TextContent> {
    return textOf(shows);
  }

  protected override shape({ text, cut }: TextContent): Shape {
    const folder = /^file:(.*)\//.exec(this.shows.handle)?.[1] ?? "";
    return { body: html`<div class="body" tabindex="0" role="group" aria-label=${this.shows.name}><sb-markdown .text=${text} .folder=${folder}></sb-markdown>${this.beginning(cut)}</div>` };
  }
}
