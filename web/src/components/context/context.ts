//! `<sb-context>`: the variables of the session, each with its type, size, origin and the beginning of its value.

import { css, html, LitElement, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import type { Variable } from "../../protocol/generated";
import { base, buttons, fields } from "../../theme/base";
import { count, size } from "../../text/format";
import { textOrJson } from "../../text/json";
import { visible, visibleLine } from "../../text/visible";
import { ask } from "../events";
import { closeIcon } from "../icons";
import "../mcp/mcp";

@customElement("sb-context")
export class Context extends LitElement {
  static override styles = [
    base,
    buttons,
    fields,
    css`
      :host {
        display: flex;
        flex-direction: column;
        min-height: 0;
        background: var(--side);
      }
      .header {
        display: flex;
        align-items: center;
        gap: 0.5rem;
        min-height: 56px;
        padding: 0.5rem 0.6rem 0.5rem 1.1rem;
      }
      h2 {
        flex: 1;
        margin: 0;
        font-size: 0.98rem;
        font-weight: 600;
      }
      .body {
        flex: 1;
        min-height: 0;
        padding: 0.1rem 0.8rem 1rem;
        overflow-y: auto;
      }
      .empty {
        margin: 0.4rem 0.3rem;
        color: var(--muted);
        font-size: 0.92rem;
      }
      ul {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 0.55rem;
        margin: 0;
        padding: 0;
        list-style: none;
      }
      .variable {
        display: block;
        width: 100%;
        padding: 0.65rem 0.8rem 0.7rem;
        border: 1px solid var(--line);
        border-radius: var(--radius);
        background: var(--surface);
        text-align: start;
      }
      .variable:hover {
        border-color: var(--line-strong);
      }
      .head {
        display: flex;
        flex-wrap: wrap;
        gap: 0 0.5rem;
        align-items: baseline;
      }
      .name {
        flex: 1;
        min-width: 0;
        font: 600 0.88rem/1.5 var(--mono);
        overflow-wrap: anywhere;
      }
      .facts,
      .origin {
        color: var(--muted);
        font-size: 0.8rem;
        line-height: 1.5;
      }
      .preview {
        display: -webkit-box;
        margin: 0.3rem 0;
        font: 0.82rem/1.5 var(--mono);
        overflow: hidden;
        overflow-wrap: anywhere;
        white-space: pre-wrap;
        -webkit-box-orient: vertical;
        -webkit-line-clamp: 4;
        unicode-bidi: isolate;
      }
      .origin {
        display: block;
        overflow-wrap: anywhere;
      }
      .stale {
        color: var(--warn);
        font-weight: 600;
      }
      form {
        display: grid;
        gap: 0.5rem;
        margin: 0 0 0.8rem;
        padding: 0.8rem;
        border: 1px solid var(--line);
        border-radius: var(--radius);
        background: var(--surface);
      }
      .add {
        margin-top: 0.8rem;
      }
    `,
  ];

  @property({ attribute: false }) variables: readonly Variable[] = [];
  @property({ type: Boolean }) online = false;
  @state() private adding = false;
  @state() private problem = "";

  override render() {
    const { variables } = this;
    return html`<div class="header">
        <h2>${t.side.variables}${variables.length > 0 ? html` <span class="facts">${variables.length}</span>` : nothing}</h2>
        <button class="icon-button" aria-label=${t.side.closeVariables} @click=${() => ask(this, "sb-close", {})}>${closeIcon}</button>
      </div>
      <div class="body">
        ${variables.length === 0 && !this.adding
          ? html`<p class="empty">${t.side.noVariables}</p>`
          : nothing}
        ${this.adding ? this.form() : nothing}
        <ul>
          ${repeat(variables, (variable) => variable.name, (variable) => html`<li>${this.item(variable)}</li>`)}
        </ul>
        ${this.adding ? nothing : html`<button class="button plain add" ?disabled=${!this.online} @click=${this.begin}>${t.side.addVariable}</button>`}
        <sb-mcp></sb-mcp>
      </div>`;
  }

  private item(variable: Variable) {
    const { name, type, bytes, preview, version, origin, stale } = variable;
    const inputs = origin.inputs.map((input) => `@${visibleLine(input, 64)}`).join(", ");
    return html`<button class="variable" @click=${() => ask(this, "sb-open-variable", { name })}>
      <span class="head">
        <span class="name">${visibleLine(name, 64)}</span>
        <span class="facts">${type} · ${size(bytes)}</span>
      </span>
      <span class="preview">${visible(preview)}</span>
      <span class="origin">
        ${origin.tool === "user" ? t.side.setByYou : fill(t.side.from, { tool: visibleLine(origin.tool, 64) })}${inputs ? fill(t.side.ofInputs, { inputs }) : ""}${version > 1 ? fill(t.side.version, { n: version }) : ""}
        ${stale ? html`<span class="stale">${fill(t.side.outdated, { sources: count(origin.inputs.length, t.side.source) })}</span>` : nothing}
      </span>
    </button>`;
  }

  private form() {
    return html`<form @submit=${this.add}>
      <label><span class="label">${t.side.name}</span><input name="name" class="field" maxlength="64" autocomplete="off" spellcheck="false" /></label>
      <label><span class="label">${t.side.value}</span><textarea name="value" class="field" rows="3" spellcheck="false"></textarea></label>
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      <div class="head">
        <button class="button primary">${t.side.add}</button>
        <button type="button" class="button plain" @click=${() => (this.adding = false)}>${t.side.cancel}</button>
      </div>
    </form>`;
  }

  private begin(): void {
    this.adding = true;
    this.problem = "";
    void this.updateComplete.then(() => this.renderRoot.querySelector("input")?.focus());
  }

  private add(event: Event): void {
    event.preventDefault();
    const data = new FormData(event.target as HTMLFormElement);
    const name = String(data.get("name") ?? "").trim();
    this.problem = nameProblem(name, this.variables);
    if (this.problem) return;
    ask(this, "sb-set-variable", { name, value: textOrJson(String(data.get("value") ?? "")) });
    this.adding = false;
  }
}

/** What is wrong with a name, or nothing. */
export function nameProblem(name: string, variables: readonly Variable[]): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name)) {
    return t.side.badName;
  }
  return variables.some((variable) => variable.name === name) ? fill(t.side.taken, { name }) : "";
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-context": Context;
  }
}
