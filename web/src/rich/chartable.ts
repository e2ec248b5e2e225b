//! Tables of a reply that can be drawn: a column that tells the rows apart, and one of figures.

/** What `make_chart` is asked to draw. */
export interface Drawable {
  data: Record<string, string>[];
  type: "bar" | "line";
  x: string;
  y: string;
}

/** An amount as replies write it. */
const AMOUNT = /^[-+−]?[$€£]?\d[\d.,'\u00a0\u202f ]*(?: ?(?:%|[A-Za-z€$£µ]{1,3}))?$/;
const MOMENT = /^\d{4}-\d{2}(?:-\d{2})?(?:[T ]|$)/;

/** What a table shows as a chart; `undefined` if it has too little to show. */
export function drawable(table: HTMLTableElement): Drawable | undefined {
  const cells = (row: HTMLTableRowElement) => [...row.cells].map((cell) => (cell.textContent ?? "").trim());
  const [head, ...body] = [...table.rows].map(cells);
  if (!head || body.length < 2 || new Set(head).size < head.length || head.some((name) => name === "")) return undefined;
  const of = (at: number) => body.map((row) => row[at] ?? "");
  const figures = head.map((_, at) => of(at).every((cell) => AMOUNT.test(cell) || cell === "") && of(at).some((cell) => cell !== ""));
  const moments = head.map((_, at) => of(at).every((cell) => MOMENT.test(cell)));
  const x = moments.includes(true) ? moments.indexOf(true) : figures.indexOf(false);
  // Numbers that only count rows stand first.
  const y = figures.findLastIndex((is, at) => is && at !== x);
  if (x < 0 || y < 0 || new Set(of(x)).size < 2) return undefined;
  const data = body.map((row) => Object.fromEntries(head.map((name, at) => [name, literal(row[at] ?? "")])));
  return { data, type: moments[x] ? "line" : "bar", x: head[x] as string, y: head[y] as string };
}

/** What only looks like a reference stays a text. */
function literal(text: string): string {
  return text.startsWith("@") ? `@${text}` : text;
}
