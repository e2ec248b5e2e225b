//! Rows and columns out of CSV, TSV and JSON. Pure.

import { cellText } from "../../text/json";

/** Compares texts; numbers in them as numbers. */
const COLLATOR = new Intl.Collator(undefined, { numeric: true });

/** A table: every row has as many cells as there are columns. */
export interface Table {
  columns: string[];
  rows: string[][];
}

/** The table that a text holds; `undefined` if it is none. */
export function tableOf(text: string): Table | undefined {
  const trimmed = text.trimStart();
  if (trimmed.startsWith("[") || trimmed.startsWith("{")) {
    const table = ofJson(trimmed);
    if (table) return table;
  }
  return ofLines(text);
}

function ofJson(text: string): Table | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!Array.isArray(value) || !value.every((row) => typeof row === "object" && row !== null && !Array.isArray(row))) return undefined;
  const objects = value as Record<string, unknown>[];
  const columns = [...new Set(objects.flatMap((row) => Object.keys(row)))];
  return { columns, rows: objects.map((row) => columns.map((column) => cellText(row[column]))) };
}

function ofLines(text: string): Table | undefined {
  const first = text.slice(0, text.search(/[\r\n]|$/));
  const counts = ["\t", ";", ",", "|"].map((sign) => ({ sign, count: first.split(sign).length - 1 }));
  const { sign } = counts.reduce((best, next) => (next.count > best.count ? next : best));
  const [columns, ...rows] = cells(text, sign);
  if (!columns) return undefined;
  const width = Math.max(columns.length, ...rows.slice(0, 1000).map((row) => row.length));
  const padded = (row: string[]) => Array.from({ length: width }, (_, at) => row[at] ?? "");
  return { columns: padded(columns), rows: rows.map(padded) };
}

/** The cells as RFC 4180 writes them. */
function cells(text: string, sign: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const c = text[at] as string;
    if (quoted) {
      if (c !== '"') cell += c;
      else if (text[at + 1] === '"') {
        cell += '"';
        at++;
      } else quoted = false;
    } else if (c === '"' && cell === "") quoted = true;
    else if (c === sign) {
      row.push(cell);
      cell = "";
    } else if (c === "\n" || c === "\r") {
      if (c === "\r" && text[at + 1] === "\n") at++;
      row.push(cell);
      if (row.length > 1 || row[0] !== "") rows.push(row);
      row = [];
      cell = "";
    } else cell += c;
  }
  row.push(cell);
  if (row.length > 1 || row[0] !== "") rows.push(row);
  return rows;
}

/** Whether all cells of a column that hold something are numbers. */
export function isNumeric(table: Table, column: number): boolean {
  const filled = table.rows.map((row) => row[column] ?? "").filter((cell) => cell.trim() !== "");
  return filled.length > 0 && filled.every((cell) => Number.isFinite(Number(cell)));
}

/** By which column rows are put in order, and in which direction. */
export interface Sort {
  column: number;
  down: boolean;
}

/** The rows that have the words, in order of a column, which is `numeric` or not. */
export function ordered(table: Table, words: string, sort?: Sort, numeric = sort !== undefined && isNumeric(table, sort.column)): string[][] {
  const wanted = words.trim().toLowerCase();
  const rows = wanted === "" ? [...table.rows] : table.rows.filter((row) => row.some((cell) => cell.toLowerCase().includes(wanted)));
  if (!sort) return rows;
  const { column, down } = sort;
  const compare = (a: string, b: string) => {
    if (numeric && a.trim() !== "" && b.trim() !== "") return Number(a) - Number(b);
    return COLLATOR.compare(a, b);
  };
  return rows.sort((a, b) => compare(a[column] ?? "", b[column] ?? "") * (down ? -1 : 1));
}

/** The table as spreadsheets take it. */
export function asTabs(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const clean = (cell: string) => cell.replace(/[\t\r\n]+/g, " ");
  return [columns, ...rows].map((row) => row.map(clean).join("\t")).join("\n");
}

/** The table as RFC 4180 writes it. */
export function asCsv(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return [columns, ...rows].map((row) => `${row.map(quoted).join(",")}\r\n`).join("");
}
