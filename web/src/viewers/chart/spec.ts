//! What a chart shows, out of the value that `make_chart` gives. Pure.

import { cellText } from "../../text/json";

/** The kinds of charts. */
export type Kind = "bar" | "line" | "area" | "point" | "pie";

const KINDS: readonly string[] = ["bar", "line", "area", "point", "pie"];

/** How many colors there are; more series or slices than these are not made. */
export const COLOURS = 12;

/** More points than these are not drawn. */
const MOST = 5000;

/** A moment as the server writes it: a day, with or without a time. */
const MOMENT = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?$/;

export interface Point {
  x: string | number;
  y: number;
  series?: string;
}

/** A part of a pie. */
export interface Slice {
  name: string;
  sum: number;
  /** From 0 to 1, of the whole pie. */
  share: number;
}

export interface Spec {
  kind: Kind;
  title: string;
  /** What the columns are called. */
  x: string;
  y: string;
  series?: string;
  points: Point[];
  /** What stands along the horizontal axis. */
  along: "number" | "date" | "text";
}

/** The chart that a value describes; `undefined` if it is none. */
export function specOf(value: unknown): Spec | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { type, title, x, y, series, rows } = value as Record<string, unknown>;
  if (typeof type !== "string" || !KINDS.includes(type) || typeof x !== "string" || typeof y !== "string" || !Array.isArray(rows)) return undefined;
  const named = typeof series === "string" ? series : undefined;
  const points = rows.slice(0, MOST).flatMap((row) => pointOf(row, x, y, named));
  if (points.length === 0) return undefined;
  const all = (is: (x: string | number) => boolean) => points.every((point) => is(point.x));
  const along = all((x) => typeof x === "number") ? "number" : all((x) => typeof x === "string" && MOMENT.test(x)) ? "date" : "text";
  return { kind: type as Kind, title: typeof title === "string" ? title : "", x, y, ...(named === undefined ? {} : { series: named }), points, along };
}

function pointOf(row: unknown, x: string, y: string, series?: string): Point[] {
  if (typeof row !== "object" || row === null) return [];
  const cells = row as Record<string, unknown>;
  const [along, figure] = [cells[x], cells[y]];
  if (typeof figure !== "number" || !Number.isFinite(figure)) return [];
  const at = typeof along === "number" && Number.isFinite(along) ? along : cellText(along);
  return [{ x: at, y: figure, ...(series === undefined ? {} : { series: cellText(cells[series]) }) }];
}

/** What is told apart by colors: the series, of a pie its slices; in the order in which they come. */
export function told({ kind, points, series }: Spec): string[] {
  if (kind === "pie") return [...new Set(points.map(({ x }) => String(x)))];
  return series === undefined ? [] : [...new Set(points.map((point) => point.series ?? ""))];
}

/** The slices of a pie: rows of the same name are one, and what is below zero takes nothing away. */
export function slices(spec: Spec): Slice[] {
  const sums = new Map(told(spec).map((name) => [name, 0]));
  for (const { x, y } of spec.points) sums.set(String(x), (sums.get(String(x)) ?? 0) + Math.max(0, y));
  const whole = [...sums.values()].reduce((sum, part) => sum + part, 0) || 1;
  return [...sums].map(([name, sum]) => ({ name, sum, share: sum / whole }));
}

/** The points as columns and rows. */
export function tableOf({ x, y, series, points }: Spec): { columns: string[]; rows: (string | number)[][] } {
  const columns = series === undefined ? [x, y] : [x, series, y];
  return { columns, rows: points.map((point) => (series === undefined ? [point.x, point.y] : [point.x, point.series ?? "", point.y])) };
}
