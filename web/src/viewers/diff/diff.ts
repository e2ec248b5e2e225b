//! `<sb-diff-viewer>`: a unified diff.

import { html } from "lit";
import { customElement } from "lit/decorators.js";
import "../../components/diff/diff";
import { textOf, type TextContent } from "../content";
import type { Shows } from "../registry";
import { Viewer } from "../viewer";

@customElement("sb-diff-viewer")
export class DiffViewer extends Viewer<TextContent> {
  protected override fetched(shows: Shows): Promise<TextContent> {
    return textOf(shows);
  }

  protected override view({ text, cut }: TextContent) {
    return html`<div class="body"><sb-diff .text=${text}></sb-diff></div>${this.beginning(cut)}`;
  }
}
