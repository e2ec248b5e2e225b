//! What viewers share that show a text in their own way, as a table for example: the text itself stands behind a button, and
//! is edited there if it is a file.

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { t } from "../i18n";
import "./editor/editor";
import { isUnsaved, kept } from "./unsaved";
import { Viewer } from "./viewer";

/** What is shown of a content: what stands beside the button, and the rest; or why only the text is shown, if that needs saying. */
export type Shape = { tools?: TemplateResult; body: TemplateResult } | { why?: string };

/** A viewer of content of type `T`, which was read from a text. */
export abstract class AsTextViewer<T> extends Viewer<T> {
  @state() private asText = false;
  private editor?: HTMLElementTagNameMap["sb-editor-viewer"];

  protected abstract shape(content: T): Shape;

  /** Reads again what may have changed. */
  override async look(): Promise<void> {
    await Promise.all([this.load(), this.editor?.look()]);
  }

  override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    // What was typed there is not hidden.
    if (changed.has("shows") && isUnsaved(this.shows)) this.asText = true;
  }

  protected override view(content: T) {
    const shape = this.shape(content);
    if (!("body" in shape)) return html`${shape.why === undefined ? nothing : html`<p class="note" role="status">${shape.why}</p>`}${this.text()}`;
    return html`<div class="tools">
        <button class="button" aria-pressed=${this.asText ? "true" : "false"} @click=${() => (this.asText = !this.asText)}>${t.windows.asText}</button>
        ${this.asText ? nothing : shape.tools}
      </div>
      ${this.asText ? this.text() : shape.body}`;
  }

  /** It is the same element each time, with what was typed. */
  private text(): HTMLElement {
    this.editor ??= kept(this.shows) ?? document.createElement("sb-editor-viewer");
    if (this.editor.shows !== this.shows) this.editor.shows = this.shows;
    return this.editor;
  }
}
