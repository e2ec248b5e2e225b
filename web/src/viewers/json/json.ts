//! `<sb-json-viewer>`: JSON as a tree that is opened and closed, filtered, and copied from. Only the rows in view stand in
//! the page. What is not JSON, or is no more than one value, is shown as the text that it is.

import { html, nothing, type PropertyValues } from "lit";
import { customElement, query, state } from "lit/decorators.js";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import { coloured } from "../../rich/colours";
import { copyText } from "../../text/copy";
import { count } from "../../text/format";
import { visible, visibleLine } from "../../text/visible";
import { AsTextViewer, type Shape } from "../as-text";
import { textOf } from "../content";
import type { Shows } from "../registry";
import { find, MOST_PLACES, type Found } from "./find";
import { styles } from "./json.styles";
import { hasMembers, Tree, type Node } from "./nodes";
import { Fault } from "./read";
import { closedSiblings, firstOpen, parentRow, rowFrom, rowsOf, type Row } from "./rows";

/** How many bytes are shown as a tree. */
const TREE_LIMIT = 8 * 1024 * 1024;
/** How high a row is until one was measured, and how many stand above and below those in view. */
const ROW_PX = 28;
const SPARE_ROWS = 8;
/** Levels beyond this one are no longer indented. */
const INDENTED = 24;
/** A string longer than this is shown in full below the tree, up to a limit. */
const LONG = 60;
const SHOWN = 20_000;
const FILTER_MS = 150;

/** A tree, or why there is none; with neither, a text says it best. */
interface Content {
  tree?: Tree;
  /** The file goes on behind what the tree has. */
  cut?: boolean;
  why?: string;
}

@customElement("sb-json-viewer")
export class JsonViewer extends AsTextViewer<Content> {
  static override styles = [AsTextViewer.styles, coloured, styles];

  @state() private words = "";
  @state() private found?: Found;
  @state() private rows: Row[] = [];
  /** The row that the keys act on. */
  @state() private at = 0;
  @state() private top = 0;
  @state() private rowPx = ROW_PX;
  @state() private copied?: { what: "value" | "path"; done: boolean };
  @query(".body") private body?: HTMLElement;
  @query(".row") private row?: HTMLElement;
  /** What is open, in the whole tree and in what the filter left of it. */
  private open = new Set<string>();
  private openFound = new Set<string>();
  private timer?: ReturnType<typeof setTimeout>;

  protected override async fetched(shows: Shows): Promise<Content> {
    const { text, cut } = await textOf(shows, TREE_LIMIT);
    // What is open stays open where nothing has changed.
    if (this.content?.tree?.text === text) return this.content;
    const content = treeOf(text, cut, /\.(?:jsonl|ndjson)$/i.test(shows.handle));
    if (content.tree) this.open = firstOpen(content.tree);
    return content;
  }

  override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (changed.has("content") || changed.has("found")) {
      this.openFound = new Set(this.found?.kept.keys());
      this.arrange();
      this.at = Math.max(0, this.rows.findIndex(({ node }) => this.found?.places.has(node.id)));
    }
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
  }

  protected override shape({ tree, cut, why }: Content): Shape {
    if (!tree) return { why };
    return { tools: this.tools(tree), body: html`${this.branches(tree)}${this.beginning(cut)}` };
  }

  override updated(changed: PropertyValues): void {
    super.updated(changed);
    const height = this.row?.getBoundingClientRect().height ?? 0;
    if (height > 0 && Math.abs(height - this.rowPx) > 0.01) this.rowPx = height;
    // Only now is it known how much room what is said of the row leaves.
    if (changed.has("at")) this.intoView();
  }

  private tools(tree: Tree) {
    const { tree: said } = t.windows;
    const node = this.rows[this.at]?.node;
    const button = (what: "value" | "path", words: string) => {
      const label = this.copied?.what !== what ? words : this.copied.done ? t.reply.copied : t.reply.notCopied;
      return html`<button class="button" ?disabled=${!node || node.kind === "group"} @click=${() => void this.copy(tree, what)}>${label}</button>`;
    };
    return html`<input class="field" type="search" aria-label=${said.filter} placeholder=${said.filter} .value=${this.words} @input=${this.filter} />
      <span class="count" role="status">${this.found ? places(this.found) : nothing}</span>
      ${button("value", said.copyValue)}${button("path", said.copyPath)}`;
  }

  private branches(tree: Tree) {
    if (this.found?.places.size === 0) return html`<div class="body"><p class="note">${t.windows.tree.nothing}</p></div>`;
    const { rows, rowPx } = this;
    const first = Math.max(0, Math.min(rows.length - 1, Math.floor(this.top / rowPx)) - SPARE_ROWS);
    // No pane is higher than the page.
    const end = Math.min(rows.length, first + Math.ceil(innerHeight / rowPx) + 2 * SPARE_ROWS);
    const inView = rows.slice(first, end);
    const active = this.at >= first && this.at < end ? `row-${this.at}` : nothing;
    return html`<div class="body" @scroll=${this.scrolled}>
        <div
          class="tree"
          role="tree"
          tabindex="0"
          aria-label=${this.shows.name}
          aria-activedescendant=${active}
          .style=${`padding-block: ${first * rowPx}px ${(rows.length - end) * rowPx}px`}
          @keydown=${(event: KeyboardEvent) => this.key(tree, event)}
          @copy=${(event: ClipboardEvent) => this.copyEvent(tree, event)}
        >${inView.map((row, at) => this.line(tree, row, first + at))}</div>
      </div>
      ${this.chosen(tree)}`;
  }

  private line(tree: Tree, { node, level, position, siblings }: Row, at: number) {
    const isOpen = hasMembers(node) ? this.isOpen(node) : undefined;
    const key = tree.keyOf(node);
    return html`<div
      class="row ${this.found?.places.has(node.id) ? "place" : ""}"
      id="row-${at}"
      role="treeitem"
      aria-level=${level}
      aria-posinset=${position}
      aria-setsize=${siblings}
      aria-expanded=${isOpen === undefined ? nothing : String(isOpen)}
      aria-selected=${at === this.at ? "true" : "false"}
      .style=${`--level: ${Math.min(level, INDENTED) - 1}`}
      @click=${() => this.clicked(node, at)}
    ><span class="sign" aria-hidden="true">${isOpen === undefined ? "" : isOpen ? "▾" : "▸"}</span>${name(node, key)}${value(tree, node)}${
      tree.isRepeated(node) ? html`<span class="quiet">${t.windows.tree.repeated}</span>` : nothing
    }</div>`;
  }

  /** Where the chosen value stands, and all of it where it is a long string. */
  private chosen(tree: Tree) {
    const node = this.rows[this.at]?.node;
    if (!node) return nothing;
    const text = node.kind === "string" ? tree.stringOf(node) : "";
    const long = text.length > LONG || text.includes("\n");
    return html`<div class="chosen">
      <span class="quiet">${visibleLine(tree.pathOf(node), 300)}</span>
      ${long ? html`<pre tabindex="0" role="group" aria-label=${t.windows.tree.whole}>${visible(text.slice(0, SHOWN))}${text.length > SHOWN ? "…" : ""}</pre>` : nothing}
    </div>`;
  }

  /** What is open in what is shown. */
  private get opened(): Set<string> {
    return this.found ? this.openFound : this.open;
  }

  private isOpen({ id }: Node): boolean {
    return this.opened.has(id);
  }

  private toggle(nodes: readonly Node[], isOpen: boolean): void {
    for (const { id } of nodes) {
      if (isOpen) this.opened.add(id);
      else this.opened.delete(id);
    }
    this.arrange();
  }

  /** Puts the rows together anew. */
  private arrange(): void {
    const { content, found } = this;
    if (!content?.tree) return;
    const { tree } = content;
    this.rows = rowsOf(tree.root, (node) => found?.kept.get(node.id) ?? tree.children(node), this.opened);
  }

  private readonly scrolled = (): void => {
    this.top = this.body?.scrollTop ?? 0;
  };

  private clicked(node: Node, at: number): void {
    this.at = at;
    // Who marks text does not mean to open it.
    if (hasMembers(node) && String(getSelection() ?? "") === "") this.toggle([node], !this.isOpen(node));
  }

  private key(tree: Tree, event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { rows, at } = this;
    const node = rows[at]?.node;
    if (!node) return;
    const page = Math.max(1, Math.floor((this.body?.clientHeight ?? 0) / this.rowPx) - 1);
    const to = rowFrom(rows, at, event.key, page);
    if (to !== undefined) this.at = to;
    else if (event.key === "ArrowRight") {
      if (hasMembers(node) && !this.isOpen(node)) this.toggle([node], true);
      else if ((rows[at + 1]?.level ?? 0) > (rows[at]?.level ?? 0)) this.at = at + 1;
    } else if (event.key === "ArrowLeft") {
      if (hasMembers(node) && this.isOpen(node)) this.toggle([node], false);
      else this.at = parentRow(rows, at);
    } else if (event.key === "*") this.openSiblings(tree);
    else if (event.key === "Enter" || event.key === " ") {
      if (hasMembers(node)) this.toggle([node], !this.isOpen(node));
    } else return;
    event.preventDefault();
  }

  private openSiblings(tree: Tree): void {
    const row = this.rows[this.at];
    this.toggle(closedSiblings(tree, this.rows, this.at, this.opened), true);
    // Those before it may have opened.
    this.at = Math.max(0, this.rows.findIndex(({ node }) => node.id === row?.node.id));
  }

  /** Brings the row that the keys act on into view. */
  private intoView(): void {
    const { at, body, rowPx } = this;
    if (!body) return;
    const top = at * rowPx;
    if (top < body.scrollTop) body.scrollTop = top;
    else if (top + rowPx > body.scrollTop + body.clientHeight) body.scrollTop = top + rowPx - body.clientHeight;
    this.top = body.scrollTop;
  }

  private readonly filter = (event: Event): void => {
    this.words = (event.target as HTMLInputElement).value;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const words = this.words.trim();
      const tree = this.content?.tree;
      this.found = tree && words !== "" ? find(tree, words) : undefined;
      this.body?.scrollTo?.(0, 0);
      this.top = 0;
    }, FILTER_MS);
  };

  private async copy(tree: Tree, what: "value" | "path"): Promise<void> {
    const node = this.rows[this.at]?.node;
    if (!node) return;
    this.copied = { what, done: await copyText(what === "value" ? tree.valueOf(node) : tree.pathOf(node)) };
    setTimeout(() => (this.copied = undefined), 2000);
  }

  /** Ctrl+C copies the value, unless text is marked. */
  private copyEvent(tree: Tree, event: ClipboardEvent): void {
    const node = this.rows[this.at]?.node;
    if (!node || node.kind === "group" || String(getSelection() ?? "") !== "") return;
    event.clipboardData?.setData("text/plain", tree.valueOf(node));
    event.preventDefault();
  }
}

function treeOf(text: string, cut: boolean, lines: boolean): Content {
  if (cut && !lines) return { why: t.windows.tree.tooLarge };
  try {
    // The last line may be only half there.
    const tree = new Tree(cut ? text.slice(0, text.lastIndexOf("\n") + 1) : text, lines);
    return hasMembers(tree.root) ? { tree, cut } : {};
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { why: fill(t.windows.tree.invalid, { line: text.slice(0, error.at).split("\n").length }) };
  }
}

function places({ places: { size }, more }: Found): string {
  return fill(more ? t.windows.tree.foundFirst : t.windows.tree.found, { n: (more ? MOST_PLACES : size).toLocaleString(t.locale) });
}

function name(node: Node, key: string | undefined) {
  if (node.range) return html`<span class="name quiet">[${node.range[0]} … ${node.range[1] - 1}]</span>`;
  if (key !== undefined) return html`<span class="name hljs-attr">${visibleLine(key, 120) || '""'}:</span>`;
  return node.parent ? html`<span class="name quiet">${node.index}:</span>` : nothing;
}

const COLOURS = { string: "hljs-string", number: "hljs-number", literal: "hljs-literal" };

function value(tree: Tree, node: Node) {
  const { kind } = node;
  if (kind === "string" || kind === "number" || kind === "literal") {
    return html`<span class="value ${COLOURS[kind]}">${visibleLine(tree.lineOf(node), 500)}</span>`;
  }
  if (kind === "group") return nothing;
  const n = tree.count(node);
  const words = count(n, t.windows.tree[kind]).replace(String(n), n.toLocaleString(t.locale));
  return html`<span class="value quiet">${kind === "object" ? "{}" : "[]"} ${words}</span>`;
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-json-viewer": JsonViewer;
  }
}
