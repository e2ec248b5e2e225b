//! Draws a chart as an SVG that follows the theme: its colors are the page's own properties. What the library would bring
//! of its own (a stylesheet inside the picture, labels on groups) is taken out, for our policy and for screen readers.

import { areaY, barX, barY, dot, line, plot, ruleX, ruleY, type Markish, type PlotOptions } from "@observablehq/plot";
import { COLOURS, slices, told, type Point, type Spec } from "./spec";

const LETTER = 7;
const LEAST = 200;
const MOST = 380;
const ROW = 26;
/** Up to so many points a line shows each of them. */
const DOTTED = 100;
const LONGEST = 24;

/** The color of what stands at a place among those told apart. */
export const colour = (at: number): string => `var(--chart-${(at % COLOURS) + 1})`;

/** The chart in this width; `name` is what a screen reader says of it. */
export function draw(spec: Spec, width: number, name: string, locale: string): SVGSVGElement {
  const svg = spec.kind === "pie" ? pie(spec, Math.min(width, MOST), locale) : plotted(spec, width, locale);
  for (const style of svg.querySelectorAll("style")) style.remove();
  for (const part of svg.querySelectorAll("[aria-label], [aria-description]")) {
    part.removeAttribute("aria-label");
    part.removeAttribute("aria-description");
  }
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", name);
  return svg;
}

function plotted(spec: Spec, width: number, locale: string): SVGSVGElement {
  const { kind, along, points } = spec;
  // Bars stand at names, whatever these are like.
  const named = kind === "bar" || along === "text";
  const at = ({ x }: Point): string | number | Date => (named ? cut(String(x)) : along === "date" ? moment(String(x)) : x);
  const names = named ? [...new Set(points.map((point) => cut(String(point.x))))] : [];
  const longest = Math.max(0, ...names.map((name) => name.length));
  const figures = figuresIn(locale);
  const wide = Math.max(...points.flatMap(({ y }) => [figures(y).length, figures(Math.round(y)).length]));
  const across = kind === "bar" && names.length <= 40 && longest * LETTER > (width - 60) / names.length;
  const shared: PlotOptions = {
    width,
    style: { background: "transparent", fontSize: "12px", fontFamily: "inherit", overflow: "visible" },
    color: { type: "ordinal", domain: told(spec), range: told(spec).map((_, place) => colour(place)) },
  };
  const title = (point: Point) => [String(point.x), point.series, figures(point.y)].filter((part) => part !== undefined).join(" · ");
  // A series that is called "red" gets its place's color like any other.
  const paint: Paint = spec.series === undefined ? colour(0) : { value: (point: Point) => point.series ?? "", scale: "color" };
  if (across) {
    return plot({
      ...shared,
      height: Math.max(LEAST / 2, names.length * ROW) + 60,
      marginLeft: Math.min(longest * LETTER + 16, width / 2),
      marginRight: 24,
      x: { label: spec.y, grid: true, nice: true, tickFormat: figures, ticks: Math.max(2, width / 110) },
      y: { label: null, domain: names },
      marks: [barX(points, { x: "y", y: at, fill: paint, title }), ruleX([0])],
    }) as SVGSVGElement;
  }
  // Years have no comma.
  const years = along === "number" && points.every(({ x }) => Number.isInteger(x) && Number(x) >= 1000 && Number(x) < 3000);
  const every = Math.ceil((names.length * (longest * LETTER + 10)) / Math.max(1, width - 60));
  return plot({
    ...shared,
    height: Math.min(MOST, Math.max(LEAST, width * 0.6)),
    marginLeft: wide * LETTER + 22,
    marginRight: 24,
    marginBottom: 44,
    x: { label: spec.x, ...(named ? { domain: names, ticks: names.filter((_, place) => place % every === 0) } : { ticks: Math.max(2, width / 110) }), ...(years ? { tickFormat: String } : {}) },
    y: { label: spec.y, grid: true, nice: true, tickFormat: figures },
    marks: marks(spec, at, paint, title),
  }) as SVGSVGElement;
}

/** One color, or one by the series. */
type Paint = string | { value: (point: Point) => string; scale: "color" };

function marks(spec: Spec, x: (point: Point) => string | number | Date, paint: Paint, title: (point: Point) => string): Markish[] {
  const { kind, points } = spec;
  const options = { x, y: "y", title };
  const zero = ruleY([0]);
  if (kind === "bar") return [barY(points, { ...options, fill: paint }), zero];
  if (kind === "area") return [areaY(points, { ...options, fill: paint, fillOpacity: 0.75 }), zero];
  if (kind === "point") return [dot(points, { ...options, stroke: paint, fill: paint, fillOpacity: 0.35, r: 4 })];
  const dots = points.length <= DOTTED ? [dot(points, { ...options, fill: paint, r: 3 })] : [];
  const z = spec.series === undefined ? null : (point: Point) => point.series ?? "";
  return [line(points, { x, y: "y", z, stroke: paint, strokeWidth: 2 }), ...dots];
}

const SVG = "http://www.w3.org/2000/svg";

/** Slices from the top on, clockwise. */
function pie(spec: Spec, size: number, locale: string): SVGSVGElement {
  const figures = figuresIn(locale);
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("width", String(size));
  svg.setAttribute("height", String(size));
  svg.setAttribute("viewBox", "-110 -110 220 220");
  let from = 0;
  slices(spec).forEach(({ name, sum, share }, place) => {
    const to = from + share;
    const slice = document.createElementNS(SVG, "path");
    slice.setAttribute("d", wedge(from, to));
    slice.setAttribute("fill", colour(place));
    slice.setAttribute("stroke", "var(--surface)");
    slice.setAttribute("stroke-width", "2");
    const title = document.createElementNS(SVG, "title");
    title.textContent = `${name} · ${figures(sum)} · ${percent(share, locale)}`;
    slice.append(title);
    if (sum > 0) svg.append(slice);
    from = to;
  });
  return svg;
}

/** The share of a slice, as people read it. */
export function percent(share: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 }).format(share);
}

/** The part of the circle from one share of the turn to another. */
function wedge(from: number, to: number): string {
  const on = (share: number) => `${(100 * Math.sin(2 * Math.PI * share)).toFixed(3)} ${(-100 * Math.cos(2 * Math.PI * share)).toFixed(3)}`;
  // A whole turn ends where it begins, so it is drawn as two halves.
  if (to - from > 0.9999) return `M ${on(0)} A 100 100 0 0 1 ${on(0.5)} A 100 100 0 0 1 ${on(0)} Z`;
  return `M 0 0 L ${on(from)} A 100 100 0 ${to - from > 0.5 ? 1 : 0} 1 ${on(to)} Z`;
}

/** Times without a zone are drawn as they are written. */
function moment(text: string): Date {
  return new Date(text.includes("T") ? `${text}Z` : text);
}

function cut(name: string): string {
  const line = name.replace(/\s+/g, " ").trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}

/** Figures as the language writes them; large ones short. */
export function figuresIn(locale: string): (value: number) => string {
  const plain = new Intl.NumberFormat(locale, { maximumFractionDigits: 4 });
  const short = new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 2 });
  return (value) => (Math.abs(value) >= 1e6 ? short : plain).format(value);
}
