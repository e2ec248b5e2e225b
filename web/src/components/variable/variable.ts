//! `<sb-variable>`: one variable with its whole value, to look at, edit, rename or delete. The value is fetched when
//! the window opens and again when the variable changes.

import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import { variableValue, valueUrl, type FetchedValue } from "../../connection/api";
import type { JsonValue, Variable } from "../../protocol/generated";
import { base, buttons, code, fields } from "../../theme/base";
import { size } from "../../text/format";
import { visible, visibleLine } from "../../text/visible";
import { nameProblem } from "../context/context";
import "../dialog/dialog";
import { ask } from "../events";
import { hexLines, pictureType, pretty } from "./value";

/** How many characters of a value are put into the page. */
const SHOWN = 200_000;
/** The largest value that is edited here; a frame to the server holds at most 1 MB. */
const EDITABLE = 900_000;

@customElement("sb-variable")
export class VariableView extends LitElement {
  static override styles = [
    base,
    buttons,
    code,
    fields,
    css`
      sb-dialog {
        --dialog-width: 46rem;
      }
      .facts {
        margin: 0 0 0.8rem;
        color: var(--muted);
        font-size: 0.9rem;
        overflow-wrap: anywhere;
      }
      .stale {
        color: var(--warn);
        font-weight: 600;
      }
      pre {
        max-height: 55vh;
      }
      textarea.field {
        min-height: 12rem;
        max-height: 55vh;
      }
      img {
        display: block;
        max-width: 100%;
        max-height: 55vh;
      }
      .actions {
        display: flex;
        flex-wrap: wrap;
        gap: 0.5rem;
        margin-top: 1rem;
      }
      .actions .danger {
        margin-inline-start: auto;
      }
      a.button {
        color: inherit;
        text-decoration: none;
      }
      form {
        margin-top: 0.9rem;
      }
    `,
  ];

  @property() sessionId = "";
  @property({ attribute: false }) variable!: Variable;
  @property({ attribute: false }) variables: readonly Variable[] = [];
  @property({ type: Boolean }) online = false;
  /** The event at which it is looked at, if that is not now. */
  @property({ type: Number }) at?: number;

  @state() private value?: FetchedValue;
  @state() private problem = "";
  @state() private mode: "view" | "edit" | "rename" = "view";
  @state() private sure = false;
  /** What the editor begins with; a value that changes meanwhile does not overwrite what is being written. */
  private draft = "";
  @query("textarea") private editor?: HTMLTextAreaElement;
  @query("#new-name") private newName?: HTMLInputElement;
  private picture?: string;

  override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get("variable");
    if (changed.has("variable") && (before?.name !== this.variable.name || before.version !== this.variable.version)) void this.load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.forgetPicture();
  }

  override render() {
    const { variable, mode } = this;
    return html`<sb-dialog heading="@${visibleLine(variable.name, 64)}">
      <p class="facts">
        ${fill(t.side.facts, { type: variable.type, size: size(variable.bytes), version: variable.version, origin: originOf(variable) })}
        ${variable.stale ? html`<span class="stale">${t.side.stale}</span>` : nothing}
      </p>
      ${mode === "edit" ? this.edit() : this.view()} ${mode === "rename" ? this.rename() : nothing}
      ${this.problem ? html`<p class="problem" role="alert">${visible(this.problem)}</p>` : nothing} ${mode === "view" ? this.actions() : nothing}
    </sb-dialog>`;
  }

  private view() {
    const { value, variable } = this;
    if (!value) return this.problem ? nothing : html`<p class="facts">${t.side.loading}</p>`;
    if (this.picture) return html`<img src=${this.picture} alt=${fill(t.side.picture, { name: visibleLine(variable.name, 64) })} />`;
    const text = variable.type === "bytes" ? hexLines(value.bytes) : pretty(value);
    return html`<pre tabindex="0" role="region" aria-label=${t.side.wholeValue}>${visible(text.slice(0, SHOWN))}</pre>
      ${text.length > SHOWN ? html`<p class="facts">${t.side.onlyBeginning}</p>` : nothing}`;
  }

  private edit() {
    return html`<label class="label" for="editor">${this.variable.type === "text" ? t.side.text : t.side.json}</label>
      <textarea id="editor" class="field" rows="12" spellcheck="false" .value=${this.draft}></textarea>
      <div class="actions">
        <button class="button primary" ?disabled=${!this.online} @click=${this.save}>${t.side.save}</button>
        <button class="button plain" @click=${() => this.to("view")}>${t.side.cancel}</button>
      </div>`;
  }

  private rename() {
    return html`<form @submit=${this.saveName}>
      <label class="label" for="new-name">${t.side.newName}</label>
      <input id="new-name" class="field" maxlength="64" autocomplete="off" spellcheck="false" .value=${this.variable.name} />
      <div class="actions">
        <button class="button primary" ?disabled=${!this.online}>${t.side.rename}</button>
        <button type="button" class="button plain" @click=${() => this.to("view")}>${t.side.cancel}</button>
      </div>
    </form>`;
  }

  private actions() {
    const { variable, online } = this;
    const editable = this.value !== undefined && variable.type !== "bytes" && this.value.bytes.length <= EDITABLE;
    return html`<div class="actions">
      <button class="button" ?disabled=${!editable || !online} @click=${() => this.to("edit")}>${t.side.edit}</button>
      <button class="button" ?disabled=${!online} @click=${() => this.to("rename")}>${t.side.rename}</button>
      <a class="button" href=${valueUrl(this.sessionId, variable.name, this.at)} download=${variable.name}>${t.side.download}</a>
      <button class="button danger" ?disabled=${!online} @click=${this.removeVariable}>${this.sure ? t.side.deleteSure : t.side.delete}</button>
    </div>`;
  }

  private to(mode: "view" | "edit" | "rename"): void {
    this.mode = mode;
    this.draft = this.value ? pretty(this.value) : "";
    this.problem = "";
    this.sure = false;
    void this.updateComplete.then(() => (this.editor ?? this.newName)?.focus());
  }

  private save(): void {
    const text = this.editor?.value ?? "";
    let value: JsonValue = text;
    if (this.variable.type !== "text") {
      try {
        value = JSON.parse(text) as JsonValue;
      } catch {
        this.problem = t.side.badJson;
        return;
      }
    }
    ask(this, "sb-set-variable", { name: this.variable.name, value });
    this.to("view");
  }

  private saveName(event: Event): void {
    event.preventDefault();
    const { name } = this.variable;
    const newName = this.newName?.value.trim() ?? "";
    this.problem = newName === name ? t.side.sameName : nameProblem(newName, this.variables);
    if (this.problem) return;
    ask(this, "sb-rename-variable", { name, newName });
  }

  private removeVariable(): void {
    if (this.sure) ask(this, "sb-delete-variable", { name: this.variable.name });
    this.sure = !this.sure;
  }

  private async load(): Promise<void> {
    const { variable } = this;
    try {
      const value = await variableValue(this.sessionId, variable.name, this.at);
      if (this.variable !== variable) return;
      this.forgetPicture();
      const type = variable.type === "bytes" ? pictureType(value.bytes) : undefined;
      if (type) this.picture = URL.createObjectURL(new Blob([value.bytes as BlobPart], { type }));
      this.value = value;
      this.problem = "";
    } catch (error) {
      this.problem = (error as Error).message;
    }
  }

  private forgetPicture(): void {
    if (this.picture) URL.revokeObjectURL(this.picture);
    this.picture = undefined;
  }
}

/** Where it came from, in words. */
function originOf({ origin: { tool, inputs } }: Variable): string {
  const from = tool === "user" ? t.side.factsYou : fill(t.side.factsFrom, { tool: visibleLine(tool, 64) });
  return inputs.length > 0 ? from + fill(t.side.ofInputs, { inputs: inputs.map((input) => `@${visibleLine(input, 64)}`).join(", ") }) : from;
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-variable": VariableView;
  }
}
