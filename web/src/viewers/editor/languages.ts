//! The languages that are shown in colors, by the endings of files; each is loaded with the first file that needs it.

import { StreamLanguage, type StreamParser } from "@codemirror/language";
import type { Extension } from "@codemirror/state";

type Load = () => Promise<StreamParser<unknown>>;

const clike = () => import("@codemirror/legacy-modes/mode/clike");
const scripts = () => import("@codemirror/legacy-modes/mode/javascript");
const markup = () => import("@codemirror/legacy-modes/mode/xml");

const LANGUAGES: readonly (readonly [readonly string[], Load])[] = [
  [["rs"], () => import("@codemirror/legacy-modes/mode/rust").then(({ rust }) => rust)],
  [["py"], () => import("@codemirror/legacy-modes/mode/python").then(({ python }) => python)],
  [["js", "mjs", "cjs", "jsx"], () => scripts().then(({ javascript }) => javascript)],
  [["ts", "tsx", "mts"], () => scripts().then(({ typescript }) => typescript)],
  [["json", "jsonl", "ndjson", "geojson"], () => scripts().then(({ json }) => json)],
  [["toml"], () => import("@codemirror/legacy-modes/mode/toml").then(({ toml }) => toml)],
  [["ini", "cfg", "properties"], () => import("@codemirror/legacy-modes/mode/properties").then(({ properties }) => properties)],
  [["yaml", "yml"], () => import("@codemirror/legacy-modes/mode/yaml").then(({ yaml }) => yaml)],
  [["html", "htm"], () => markup().then(({ html }) => html)],
  [["xml", "svg"], () => markup().then(({ xml }) => xml)],
  [["css"], () => import("@codemirror/legacy-modes/mode/css").then(({ css }) => css)],
  [["sh", "bash"], () => import("@codemirror/legacy-modes/mode/shell").then(({ shell }) => shell)],
  [["sql"], () => import("@codemirror/legacy-modes/mode/sql").then(({ standardSQL }) => standardSQL)],
  [["go"], () => import("@codemirror/legacy-modes/mode/go").then(({ go }) => go)],
  [["c", "h"], () => clike().then(({ c }) => c)],
  [["cpp", "hpp", "cc"], () => clike().then(({ cpp }) => cpp)],
  [["cs"], () => clike().then(({ csharp }) => csharp)],
  [["java"], () => clike().then(({ java }) => java)],
  [["diff", "patch"], () => import("@codemirror/legacy-modes/mode/diff").then(({ diff }) => diff)],
  [["dockerfile"], () => import("@codemirror/legacy-modes/mode/dockerfile").then(({ dockerFile }) => dockerFile)],
];

/** The language of a file with this name, if it is known. */
export async function languageOf(name: string): Promise<Extension | undefined> {
  const ending = name.toLowerCase().split(/[./]/).at(-1) ?? "";
  const load = LANGUAGES.find(([endings]) => endings.includes(ending))?.[1];
  return load && StreamLanguage.define(await load());
}
