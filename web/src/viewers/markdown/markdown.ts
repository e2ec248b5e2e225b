//! `<sb-markdown-viewer>`: markdown as a page.

import { css, html } from "lit";
import { customElement } from "lit/decorators.js";
import "../../components/markdown/markdown";
import { TextViewer } from "../viewer";

@customElement("sb-markdown-viewer")
export class MarkdownViewer extends TextViewer {
  static override styles = [
    TextViewer.styles,
    css`
      .body {
        padding: 0.9rem 1.1rem;
      }
    `,
  ];

  protected override body(text: string) {
    return html`<div class="body" tabindex="0" role="group" aria-label=${this.shows.name}><sb-markdown .text=${text}></sb-markdown></div>`;
  }
}
