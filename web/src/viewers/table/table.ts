//! `<sb-table-viewer>`: rows and columns that can be put in order, filtered and copied.

import { css, html, nothing, type PropertyValues } from "lit";
import { customElement, state } from "lit/decorators.js";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import { copyText } from "../../text/copy";
import { fileName, handOver } from "../../text/save";
import { visibleLine } from "../../text/visible";
import { AsTextViewer, type Shape } from "../as-text";
import { textOf } from "../content";
import type { Shows } from "../registry";
import { asCsv, asTabs, isNumeric, ordered, tableOf, type Sort, type Table } from "./rows";

/** How many rows stand in the page at first, and are added each time. */
const ROWS = 300;

interface Content {
  /** What the text says, if it is a table. */
  table?: Table;
  /** Which columns hold numbers. */
  numeric: boolean[];
  cut: boolean;
}

@customElement("sb-table-viewer")
export class TableViewer extends AsTextViewer<Content> {
  static override styles = [
    AsTextViewer.styles,
    css`
      .tools .field {
        flex: 1 1 8rem;
        width: auto;
        min-width: 6rem;
      }
      .count {
        color: var(--muted);
        font-size: 0.84rem;
      }
      table {
        border-collapse: collapse;
        font-size: 0.86rem;
      }
      th,
      td {
        max-width: 24rem;
        padding: 0.3rem 0.6rem;
        border-bottom: 1px solid var(--line);
        text-align: start;
        vertical-align: top;
        overflow-wrap: anywhere;
      }
      th {
        position: sticky;
        top: 0;
        background: var(--sunken);
        padding: 0;
      }
      th button {
        width: 100%;
        padding: 0.4rem 0.6rem;
        border: 0;
        background: none;
        font-weight: 600;
        text-align: inherit;
        white-space: nowrap;
      }
      .number {
        text-align: end;
        font-variant-numeric: tabular-nums;
      }
      .more {
        margin: 0.6rem;
      }
    `,
  ];

  @state() private words = "";
  @state() private sort?: Sort;
  @state() private most = ROWS;
  @state() private copied = false;
  /** The rows that are shown, in order. */
  private rows: string[][] = [];

  override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    const { content, words, sort } = this;
    if (!content?.table || !["content", "words", "sort"].some((name) => changed.has(name))) return;
    this.rows = ordered(content.table, words, sort, sort && content.numeric[sort.column]);
  }

  protected override async fetched(shows: Shows): Promise<Content> {
    const { text, cut } = await textOf(shows);
    const table = tableOf(text);
    return { table, numeric: table ? table.columns.map((_, column) => isNumeric(table, column)) : [], cut };
  }

  protected override shape({ table, numeric, cut }: Content): Shape {
    if (!table) return { why: t.windows.noTable };
    return { tools: this.tools(table), body: this.body(table, numeric, cut) };
  }

  private tools({ columns, rows: all }: Table) {
    const { rows } = this;
    return html`<input class="field" type="search" aria-label=${t.windows.filter} placeholder=${t.windows.filter} .value=${this.words} @input=${(event: Event) => (this.words = (event.target as HTMLInputElement).value)} />
      <span class="count" role="status">${fill(t.windows.rows, { shown: String(rows.length), all: String(all.length) })}</span>
      <button class="button" @click=${() => void this.copy(columns, rows)}>${this.copied ? t.reply.copied : t.reply.copy}</button>
      ${this.content?.cut ? nothing : html`<button class="button" @click=${() => this.save(columns, rows)}>${t.windows.saveCsv}</button>`}`;
  }

  private body(table: Table, numeric: boolean[], cut: boolean) {
    const { rows } = this;
    const sorted = (column: number) => (this.sort?.column !== column ? "none" : this.sort.down ? "descending" : "ascending");
    return html`<div class="body" tabindex="0" role="group" aria-label=${this.shows.name}>
        <table>
          <thead><tr>${table.columns.map((column, at) => html`<th scope="col" class=${numeric[at] ? "number" : ""} aria-sort=${sorted(at)}>
            <button @click=${() => this.by(at)}>${visibleLine(column, 80)}<span aria-hidden="true">${sorted(at) === "ascending" ? " ↑" : sorted(at) === "descending" ? " ↓" : ""}</span></button>
          </th>`)}</tr></thead>
          <tbody>${rows.slice(0, this.most).map((row) => html`<tr>${row.map((cell, at) => html`<td class=${numeric[at] ? "number" : ""}>${visibleLine(cell, 500)}</td>`)}</tr>`)}</tbody>
        </table>
        ${rows.length > this.most ? html`<button class="button more" @click=${() => (this.most += ROWS)}>${t.windows.moreRows}</button>` : ""}
        ${this.beginning(cut)}
      </div>`;
  }

  private by(column: number): void {
    const { sort } = this;
    if (sort?.column !== column) this.sort = { column, down: false };
    else this.sort = sort.down ? undefined : { column, down: true };
  }

  /** As it is shown: what is filtered out is not in it. */
  private save(columns: string[], rows: string[][]): void {
    const name = this.shows.name.replace(/^.*\//, "").replace(/\.[^.]*$/, "");
    handOver(new Blob([asCsv(columns, rows)], { type: "text/csv;charset=utf-8" }), fileName(name, "csv"));
  }

  private async copy(columns: string[], rows: string[][]): Promise<void> {
    this.copied = await copyText(asTabs(columns, rows));
    setTimeout(() => (this.copied = false), 2000);
  }
}
