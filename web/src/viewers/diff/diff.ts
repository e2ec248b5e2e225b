//! `<sb-diff-viewer>`: a unified diff.

import { html } from "lit";
import { customElement } from "lit/decorators.js";
import "../../components/diff/diff";
import { TextViewer } from "../viewer";

@customElement("sb-diff-viewer")
export class DiffViewer extends TextViewer {
  protected override body(text: string) {
    return html`<div class="body"><sb-diff .text=${text}></sb-diff></div>`;
  }
}
