//! No words of the page stand outside of this folder: every literal of every source is looked at, in templates the text
//! between tags and in the attributes that people read or hear.

/// <reference types="vite/client" />
import { transformSync } from "esbuild";
import { parseAst } from "vite";
import { describe, expect, it } from "vitest";

const SOURCES = import.meta.glob<string>(["../**/*.ts", "!../**/*.test.ts", "!./**", "!../protocol/**", "!../**/test-*.ts", "!../**/*.styles.ts"], {
  query: "?raw", import: "default", eager: true,
});

/** What looks like words and is none: names of keys and of things outside of the page. */
const NO_WORDS = new Set([
  "Enter", "Tab", "Escape", "ArrowUp", "ArrowDown", "Esc", "Ctrl", "Shift", "K", "Switchboard", "Mac", "Pragma",
  "Home", "End", "Delete", "OPTIONS", "POST", "PATCH", "DELETE", "GET", "KB", "MB", "GB", "B", "URL", "MCP", "JSON", "UUID", "Content-Type", "Accept", "Files",
]);
/** Attributes that people read or hear. */
const READ = /(?:^|\s)(?:aria-label|title|placeholder|alt|heading|words|action|label)=["']?([^"'<>=]*[A-Za-z]{2}[^"'<>=]*)/g;

interface Node {
  type: string;
  [key: string]: unknown;
}

/** The words in one source. */
function wordsIn(source: string): string[] {
  const tsconfigRaw = { compilerOptions: { experimentalDecorators: true, useDefineForClassFields: false } };
  const { code } = transformSync(source, { loader: "ts", target: "esnext", tsconfigRaw });
  const found: string[] = [];
  visit(parseAst(code) as unknown as Node, found);
  return found;
}

function visit(node: unknown, found: string[]): void {
  if (Array.isArray(node)) for (const each of node) visit(each, found);
  if (typeof node !== "object" || node === null || !("type" in node)) return;
  const { type } = node as Node;
  if (["ImportDeclaration", "ExportNamedDeclaration"].includes(type) && (node as Node).source) return;
  if (type === "ImportExpression" || isThrown(node as Node) || isSelector(node as Node)) return;
  if (type === "TaggedTemplateExpression") {
    const { tag, quasi } = node as unknown as { tag: { name?: string }; quasi: { quasis: { value: { cooked: string } }[]; expressions: unknown[] } };
    if (tag.name === "html") found.push(...ofTemplate(quasi.quasis.map(({ value }) => value.cooked)));
    visit(quasi.expressions, found);
    return;
  }
  if (type === "Literal" && typeof (node as Node).value === "string") take((node as Node).value as string, found);
  if (type === "TemplateLiteral") {
    for (const { value } of (node as unknown as { quasis: { value: { cooked: string } }[] }).quasis) take(value.cooked, found);
  }
  for (const [key, value] of Object.entries(node)) if (key !== "type") visit(value, found);
}

/** Errors that are thrown to be seen by programmers. */
function isThrown({ type, callee }: Node): boolean {
  return type === "NewExpression" && (callee as { name?: string }).name === "Error";
}

/** What finds an element, or a key in what is kept, or marks a request, is not read. */
function isSelector({ type, callee }: Node): boolean {
  if (type !== "CallExpression") return false;
  const { name, property } = callee as { name?: string; property?: { name?: string } };
  return /^(?:query|customElement|matchMedia|__decorateClass)$/.test(name ?? "") || /^(?:querySelector(?:All)?|closest|addEventListener|removeEventListener|getItem|setItem|createElement)$/.test(property?.name ?? "");
}

function take(text: string, found: string[]): void {
  found.push(...[...text.matchAll(READ)].map((match) => (match[1] ?? "").trim()).filter((words) => text.includes("<") && !NO_WORDS.has(words)));
  // Markup that is put together by hand, also where it begins or ends within a tag.
  const trimmed = text.replace(/^[^<>]*="[^<>]*>/, " ").replace(/<[^<>]*>?/g, " ").trim();
  if (NO_WORDS.has(trimmed)) return;
  // Two words, or one that begins as a sentence does.
  const reads = /[A-Za-z]{2,}[,:;.]? [A-Za-z]{2,}/.test(trimmed) || /^[A-Z][a-z]{2,}[ :.…?!]*$/.test(trimmed);
  const isCode = /^[\w-]+(?:[ ,.#>:[\]="'()-]+[\w-]+)*$/.test(trimmed) && !/[A-Z]/.test(trimmed) && /[-#[\]=>]/.test(trimmed);
  if (reads && !isCode) found.push(trimmed);
}

function ofTemplate(parts: readonly string[]): string[] {
  const text = parts.join("\u0000");
  const found = [...text.matchAll(READ)].map((match) => (match[1] ?? "").trim());
  const between = text.replace(/<[^>]*>/g, "\u0001").split(/[\u0000\u0001]/);
  const words = between.map((piece) => piece.replace(/^[^>]*>/, "").trim());
  found.push(...words.filter((piece) => /[A-Za-z]{2,}/.test(piece) && !/[=@?.]["']?$|^["']/.test(piece)));
  return found.filter((piece) => !NO_WORDS.has(piece) && !piece.includes("\u0000"));
}

describe("words", () => {
  it("stand in the folder of the languages and nowhere else", () => {
    const outside = Object.entries(SOURCES).flatMap(([path, source]) => wordsIn(source).map((words) => `${path.slice(3)}: ${words}`));
    expect(outside).toEqual([]);
  });

  it("are found where they stand", () => {
    expect(wordsIn("const a = html`<p title=\"Big words\">${b} more</p>`;")).toEqual(["Big words", "more"]);
    expect(wordsIn("const row = `<td title=\"Big words\">Small words</td>`;")).toEqual(["Big words", "Small words"]);
    expect(wordsIn("say('This went wrong.'); const key = { queue: 'after this turn' };")).toEqual(["This went wrong.", "after this turn"]);
    expect(wordsIn("element.querySelector('header button'); const kind = 'agent-response';")).toEqual([]);
  });
});
