//! Requests about files that are there, for an empty conversation. They are of a kind that is understood without a model, and
//! only files whose names need no quotes are asked about: what is offered works when it is clicked.

import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import { jsonOf, part } from "../../viewers/content";

/** A request, and what it shows in a few words. */
export interface Example {
  text: string;
  shows: string;
}

/** What a folder has. */
export interface Item {
  name: string;
  type: string;
  bytes: number;
}

type Kind = keyof typeof t.writing.samples.files;

/** How many are made of files. */
const MOST = 3;

/** How much of a table is read to see what it has, in bytes. */
const HEAD = 4096;

const PLAIN_NAME = /^[\p{L}\p{N}][\p{L}\p{N}_-]*(?:\.[\p{L}\p{N}_-]+)*$/u;
/** What is made by programs for programs. */
const LOCK = /(?:^|[-.])lock\b/i;

/** Columns that are no amounts, and names that mean something else in a request. */
const NO_SUM = /^(?:id|year|month|day|code|zip|phone|rank|lat|lon|columns?|count|end|key|lines?|number|points|rows?|score|total)$/i;

/** Which files are of which kind; of each kind the first is taken. */
const KINDS: [Kind, RegExp][] = [
  ["picture", /\.(?:png|jpe?g|gif|webp)$/i],
  ["page", /^readme\.md$/i],
  ["page", /\.md$/i],
  ["data", /\.json$/i],
  ["text", /\.txt$/i],
  ["source", /\.(?:py|rs|js|ts|go|java|c|cpp|rb|sh|html|css|sql|toml|ya?ml)$/i],
];

/** Examples for the session's workspace; none if it cannot be seen. */
export async function examplesIn(session: string): Promise<Example[]> {
  try {
    const { entries } = (await jsonOf({ session, handle: "file:." })) as { entries: Item[] };
    const table = files(entries).find(({ name }) => /\.csv$/i.test(name));
    const head = table ? await part({ session, handle: `file:${table.name}` }, 0, HEAD) : undefined;
    return examplesOf(entries, head && new TextDecoder().decode(head.bytes), head !== undefined && head.total > HEAD);
  } catch {
    return [];
  }
}

/** Examples for what is in a folder; `head` is the beginning of its first table, `cut` if there is more of that. */
export function examplesOf(entries: readonly Item[], head?: string, cut = false): Example[] {
  const all = files(entries);
  const found: Example[] = [];
  const table = all.find(({ name }) => /\.csv$/i.test(name));
  if (table) {
    const column = head === undefined ? undefined : sumOf(head, cut);
    found.push(column === undefined ? example("rows", { file: table.name }) : example("total", { file: table.name, column }));
  }
  for (const [kind, pattern] of KINDS) {
    const file = all.find(({ name }) => pattern.test(name));
    const has = t.writing.samples.files[kind].shows;
    if (file && !found.some(({ shows }) => shows === has)) found.push(example(kind, { file: file.name }));
  }
  const folder = entries.find(({ name, type }) => type === "directory" && PLAIN_NAME.test(name));
  if (folder) found.push(example("folder", { file: folder.name }));
  return found.slice(0, MOST);
}

function files(entries: readonly Item[]): Item[] {
  return entries.filter(({ name, type, bytes }) => type === "file" && bytes > 0 && PLAIN_NAME.test(name) && !LOCK.test(name));
}

function example(kind: Kind, values: { [name: string]: string }): Example {
  const { text, shows } = t.writing.samples.files[kind];
  return { text: fill(text, values), shows };
}

/** A column that can be added up: it has a plain name, and a number in each row that was seen. */
function sumOf(head: string, cut: boolean): string | undefined {
  const lines = head.split(/\r?\n/).filter((line) => line.trim() !== "");
  const [first = "", ...rest] = cut ? lines.slice(0, -1) : lines;
  // Whatever needs more care to be read is left to the server.
  if (head.includes('"') || rest.length === 0) return undefined;
  const names = first.split(",");
  const rows = rest.map((line) => line.split(","));
  if (rows.some((row) => row.length !== names.length)) return undefined;
  const adds = (name: string, at: number) =>
    /^[a-z]{3,}$/i.test(name.trim()) && !NO_SUM.test(name.trim()) && rows.every((row) => /^\s*-?\d+(?:\.\d+)?\s*$/.test(row[at] ?? ""));
  return names.find(adds)?.trim();
}
