//! `<sb-context>`: the variables of the session, newest first and by the turn that gave them, each with its type, size, origin and
//! the beginning of its value. Results that nobody named are folded, except those of the newest turn. A file that falls here
//! becomes one, and belongs to no message.

import { html, LitElement, nothing, type PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import type { Variable } from "../../protocol/generated";
import type { Held } from "../../state/variables";
import { base, buttons, fields } from "../../theme/base";
import { side } from "../../theme/side";
import { copyText } from "../../text/copy";
import { count, size } from "../../text/format";
import { textOrJson } from "../../text/json";
import { visible, visibleLine } from "../../text/visible";
import { ask } from "../events";
import { checkIcon, closeIcon, copyIcon } from "../icons";
import "../mcp/mcp";
import { Uploads } from "../uploads/uploads";
import { styles as uploads } from "../uploads/uploads.styles";
import { styles } from "./context.styles";

/** How many are in the page at first, and how many more come at a time. */
const AT_ONCE = 60;

/** From how many on there is a filter. */
const WORTH_FILTERING = 6;

/** What one turn gave. */
interface Group {
  key: string;
  title: string;
  named: Held[];
  unnamed: Held[];
}

@customElement("sb-context")
export class Context extends LitElement {
  static override styles = [base, buttons, fields, side, uploads, styles];

  /** In the order in which they got their values. */
  @property({ attribute: false }) variables: readonly Held[] = [];
  @property({ type: Boolean }) online = false;
  /** The session that files are sent to. */
  @property() session = "";
  @state() private adding = false;
  @state() private problem = "";
  @state() private filter = "";
  @state() private shown = AT_ONCE;
  /** The variable whose name is on the clipboard. */
  @state() private copied?: string;
  /** A file is held over it. */
  @state() private dropping = false;
  @query("input[type=file]") private chooser!: HTMLInputElement;
  private found: readonly Held[] = [];
  @query(".add-file") private addFile?: HTMLElement;
  /** The keyboard stays here when the file that had it has gone. */
  private readonly uploads = new Uploads(this, () => this.session, { removed: () => this.addFile?.focus() });

  constructor() {
    super();
    this.addEventListener("dragover", this.dragged);
    this.addEventListener("dragleave", () => (this.dropping = false));
    this.addEventListener("drop", this.dropped);
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.get("session")) this.uploads.clear();
    const before = changed.get("variables") as readonly Held[] | undefined;
    const has = (variables: readonly Held[], wanted: string) => variables.some(({ name }) => name === wanted);
    if (before && this.online) this.uploads.forget((name) => has(before, name) && !has(this.variables, name));
    if (!changed.has("variables") && !changed.has("filter")) return;
    const wanted = this.filter.trim().toLowerCase();
    const fits = ({ name, preview, origin }: Held) => [name, preview, origin.tool].some((text) => text.toLowerCase().includes(wanted));
    this.found = wanted === "" ? this.variables.toReversed() : this.variables.filter(fits).reverse();
  }

  override render() {
    const { variables, found } = this;
    const rest = found.length - this.shown;
    const groups = grouped(found.slice(0, this.shown));
    const newest = groups.find(({ key }) => key.startsWith("turn-"));
    return html`<div class="header">
        <h2>${t.side.variables}${variables.length > 0 ? html` <span class="facts">${variables.length}</span>` : nothing}</h2>
        <button class="icon-button" aria-label=${t.side.closeVariables} @click=${() => ask(this, "sb-close", {})}>${closeIcon}</button>
      </div>
      <div class="body ${this.dropping ? "dropping" : ""}" @scroll=${this.scrolled}>
        ${this.uploads.view(t.side.addedFiles, (wanted) => variables.some(({ name }) => name === wanted))}
        ${variables.length === 0 && !this.adding
          ? html`<p class="empty">${t.side.noVariables}</p>`
          : nothing}
        ${variables.length >= WORTH_FILTERING || this.filter ? this.field() : nothing}
        ${this.adding ? this.form() : nothing}
        ${repeat(groups, ({ key }) => key, (group) => this.group(group, group === newest))}
        ${rest > 0 ? html`<button class="button plain add" @click=${this.more}>${fill(t.side.more, { n: rest })}</button>` : nothing}
        ${this.adding ? nothing : this.adds()}
        <sb-mcp></sb-mcp>
      </div>`;
  }

  private field() {
    const { found, filter } = this;
    return html`<input class="field filter" type="search" aria-label=${t.side.filter} placeholder=${t.side.filter} autocomplete="off" spellcheck="false" maxlength="200"
        .value=${filter} @input=${(event: InputEvent) => this.look((event.target as HTMLInputElement).value)} />
      <p class="hidden-text" role="status">${filter ? count(found.length, t.side.found) : ""}</p>
      ${filter && found.length === 0 ? html`<p class="empty">${t.side.noneFound}</p>` : nothing}`;
  }

  private group({ title, named, unnamed }: Group, newest: boolean) {
    return html`<section>
      <h3 title=${title}>${title}</h3>
      ${this.list(named)}
      ${unnamed.length > 0
        ? html`<details ?open=${newest || this.filter !== ""}><summary>${count(unnamed.length, t.side.unnamed)}</summary>${this.list(unnamed)}</details>`
        : nothing}
    </section>`;
  }

  private list(variables: readonly Held[]) {
    if (variables.length === 0) return nothing;
    return html`<ul>${repeat(variables, ({ name }) => name, (variable) => html`<li class="variable">${this.item(variable)}</li>`)}</ul>`;
  }

  private item(variable: Held) {
    const { name, type, bytes, preview, version, origin, stale } = variable;
    const inputs = origin.inputs.map((input) => `@${visibleLine(input, 64)}`).join(", ");
    const copy = fill(this.copied === name ? t.side.copiedName : t.side.copyName, { name: visibleLine(name, 64) });
    return html`<button class="open" @click=${() => ask(this, "sb-open-variable", { name })}>
      <span class="head">
        <span class="name">${visibleLine(name, 64)}</span>
        <span class="facts">${type} · ${size(bytes)}</span>
      </span>
      <span class="preview">${visible(preview)}</span>
      <span class="origin">
        ${origin.tool === "user" ? t.side.setByYou : fill(t.side.from, { tool: visibleLine(origin.tool, 64) })}${inputs ? fill(t.side.ofInputs, { inputs }) : ""}${version > 1 ? fill(t.side.version, { n: version }) : ""}
        ${stale ? html`<span class="stale">${fill(t.side.outdated, { sources: count(origin.inputs.length, t.side.source) })}</span>` : nothing}
      </span>
    </button>
    <button class="icon-button copy" aria-label=${copy} title=${copy} @click=${() => void this.copy(name)}>${this.copied === name ? checkIcon : copyIcon}</button>`;
  }

  private async copy(name: string): Promise<void> {
    if (!(await copyText(`@${name}`))) return;
    this.copied = name;
    setTimeout(() => (this.copied = undefined), 2000);
  }

  private look(filter: string): void {
    this.filter = filter;
    this.shown = AT_ONCE;
  }

  private more(): void {
    this.shown += AT_ONCE;
  }

  /** More come by themselves when the reader nears the last of them. */
  private scrolled({ target }: Event): void {
    const { scrollTop, clientHeight, scrollHeight } = target as HTMLElement;
    if (scrollTop + 2 * clientHeight > scrollHeight && this.found.length > this.shown) this.more();
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

  private adds() {
    return html`<div class="adds">
      <button class="button plain add" ?disabled=${!this.online} @click=${this.begin}>${t.side.addVariable}</button>
      <button class="button plain add add-file" title=${t.side.addFileHint} ?disabled=${!this.online} @click=${() => this.chooser.click()}>${t.side.addFile}</button>
      <input type="file" multiple hidden aria-label=${t.side.addFile} @change=${this.picked} />
    </div>`;
  }

  private picked(): void {
    this.take(this.chooser.files);
    this.chooser.value = "";
  }

  private take(files: FileList | null | undefined): void {
    if (files && this.session) this.uploads.add(files);
  }

  private readonly dragged = (event: DragEvent): void => {
    if (!this.online || !event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    this.dropping = true;
  };

  /** It is not attached to the message as well. */
  private readonly dropped = (event: DragEvent): void => {
    if (!this.online || !event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    event.stopPropagation();
    this.dropping = false;
    this.take(event.dataTransfer.files);
  };

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

/** By turn, in their order. */
function grouped(variables: readonly Held[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const variable of variables) {
    const { turn, origin } = variable;
    const byUser = turn === undefined && origin.tool === "user";
    const key = turn ? `turn-${turn.id}` : byUser ? "user" : "before";
    const title = turn?.text ? visibleLine(turn.text, 120) : byUser ? t.side.setByYou : t.side.before;
    const group = groups.get(key) ?? { key, title, named: [], unnamed: [] };
    groups.set(key, group);
    (origin.defaultName ? group.unnamed : group.named).push(variable);
  }
  return [...groups.values()];
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
