//! `<sb-chart-viewer>`: a chart, the same as a table, and ways to save it. It is drawn anew when its room or the theme changes
//! only as far as it must be: colors are the page's properties and follow by themselves.

import { css, html, nothing, type PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import { visibleLine } from "../../text/visible";
import { fileName, handOver } from "../../text/save";
import { jsonOf } from "../content";
import type { Shows } from "../registry";
import { Viewer } from "../viewer";
import { palette } from "./chart.styles";
import { draw, figuresIn, percent } from "./draw";
import { pngOf, svgText } from "./save";
import { COLOURS, slices, specOf, tableOf, told, type Spec } from "./spec";

/** How wide it is where nothing says so. */
const WIDTH = 640;

@customElement("sb-chart-viewer")
export class ChartViewer extends Viewer<Spec> {
  static override styles = [
    Viewer.styles,
    palette,
    css`
      :host([inline]) {
        height: auto;
      }
      .body {
        padding: 0.8rem;
      }
      figure {
        margin: 0;
      }
      figcaption {
        margin-bottom: 0.5rem;
        font-weight: 600;
        overflow-wrap: anywhere;
      }
      .drawing svg {
        display: block;
        max-width: 100%;
        height: auto;
      }
      .drawing text {
        white-space: pre;
      }
      .legend {
        display: flex;
        flex-wrap: wrap;
        gap: 0.2rem 0.9rem;
        margin: 0.6rem 0 0;
        padding: 0;
        list-style: none;
        font-size: 0.86rem;
      }
      .legend li {
        display: flex;
        gap: 0.4rem;
        align-items: center;
        overflow-wrap: anywhere;
      }
      .legend i {
        flex: none;
        width: 0.8rem;
        height: 0.8rem;
        border-radius: 3px;
      }
      .tools {
        border-top: 1px solid var(--line);
        border-bottom: 0;
      }
      table {
        border-collapse: collapse;
        font-size: 0.88rem;
      }
      th,
      td {
        padding: 0.3rem 0.8rem 0.3rem 0;
        border-bottom: 1px solid var(--line);
        text-align: start;
        overflow-wrap: anywhere;
      }
      .number {
        text-align: end;
        font-variant-numeric: tabular-nums;
      }
    `,
  ];

  /** It stands in a reply rather than in a window. */
  @property({ type: Boolean, reflect: true }) inline = false;
  @state() private asTable = false;
  @state() private room = WIDTH;
  @state() private failed = false;
  @query(".drawing") private drawing?: HTMLElement;
  private observer?: ResizeObserver;
  private drawn?: { content: Spec; room: number };

  override connectedCallback(): void {
    super.connectedCallback();
    if (typeof ResizeObserver === "undefined") return;
    this.observer = new ResizeObserver(([entry]) => {
      const width = Math.floor(entry?.contentRect.width ?? 0) - 26;
      if (width > 120) this.room = width;
    });
    this.observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.observer?.disconnect();
  }

  protected override async fetched(shows: Shows): Promise<Spec> {
    const spec = specOf(await jsonOf(shows));
    if (!spec) throw new Error(t.windows.noChart);
    return spec;
  }

  protected override view(spec: Spec) {
    return html`<div class="body" tabindex=${this.inline ? nothing : 0} role=${this.inline ? nothing : "group"} aria-label=${this.inline ? nothing : this.shows.name}>
        <figure>
          <figcaption>${visibleLine(spec.title, 200)}</figcaption>
          ${this.asTable ? table(spec) : html`<div class="drawing"></div>${legend(spec)}`}
        </figure>
      </div>
      <div class="tools">
        <button class="button" aria-pressed=${this.asTable ? "true" : "false"} @click=${() => (this.asTable = !this.asTable)}>${t.windows.asTable}</button>
        ${this.asTable
          ? nothing
          : html`<button class="button" @click=${() => this.save(spec, "svg")}>${t.windows.saveSvg}</button>
              <button class="button" @click=${() => void this.save(spec, "png")}>${t.windows.savePng}</button>`}
        ${this.failed ? html`<span class="note problem" role="alert">${t.windows.notSaved}</span>` : nothing}
      </div>`;
  }

  override updated(changed: PropertyValues<this>): void {
    super.updated(changed);
    const { drawing, content, room } = this;
    if (!drawing || !content) return;
    if (drawing.firstChild && this.drawn?.content === content && this.drawn.room === room) return;
    this.drawn = { content, room };
    drawing.replaceChildren(draw(content, room, summary(content), t.locale));
  }

  private async save(spec: Spec, kind: "svg" | "png"): Promise<void> {
    const svg = this.drawing?.querySelector("svg");
    if (!svg) return;
    this.failed = false;
    try {
      const text = svgText(svg, spec.title, getComputedStyle(this).backgroundColor);
      const { width, height } = svg.getBoundingClientRect();
      const blob = kind === "svg" ? new Blob([text], { type: "image/svg+xml" }) : await pngOf(text, width, height);
      handOver(blob, fileName(spec.title, kind));
    } catch {
      this.failed = true;
    }
  }
}

/** What a screen reader says in place of the drawing. */
function summary(spec: Spec): string {
  const figures = spec.points.map(({ y }) => y);
  const shown = figuresIn(t.locale);
  const [least, most] = [Math.min(...figures), Math.max(...figures)].map(shown);
  return fill(t.windows.chartSays, {
    kind: t.windows.charts[spec.kind],
    title: visibleLine(spec.title, 200),
    n: String(figures.length),
    least: least ?? "",
    most: most ?? "",
  });
}

function legend(spec: Spec) {
  const items =
    spec.kind === "pie"
      ? slices(spec).map(({ name, share }) => ({ name, words: ` ${percent(share, t.locale)}` }))
      : told(spec).map((name) => ({ name, words: "" }));
  if (items.length === 0) return nothing;
  return html`<ul class="legend" aria-label=${t.windows.legend}>
    ${items.map(({ name, words }, at) => html`<li><i class="colour-${(at % COLOURS) + 1}"></i>${visibleLine(name, 80)}${words}</li>`)}
  </ul>`;
}

function table(spec: Spec) {
  const { columns, rows } = tableOf(spec);
  const figures = new Intl.NumberFormat(t.locale, { maximumFractionDigits: 6 });
  // Only the figures are written as such: a year has no comma.
  const cell = (value: string | number, at: number) =>
    at === columns.length - 1 ? html`<td class="number">${figures.format(Number(value))}</td>` : html`<td>${visibleLine(String(value), 300)}</td>`;
  return html`<table>
    <thead><tr>${columns.map((column, at) => html`<th scope="col" class=${at === columns.length - 1 ? "number" : ""}>${visibleLine(column, 80)}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr>${row.map(cell)}</tr>`)}</tbody>
  </table>`;
}
