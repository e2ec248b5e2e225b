//! The tree as people use it: by mouse and keys, filtered, copied from. Runs in a DOM: @vitest-environment jsdom

import { html } from "lit";
import { afterEach, describe, expect, it, vi } from "vitest";
import { all, button, mount, settled, words } from "../../components/test-dom";
import { shownAs } from "../registry";
import type { JsonViewer } from "./json";
import "./json";

const PEOPLE = '{"people": [{"name": "Ada", "born": 1815}, {"name": "Kurt", "tags": ["logic"]}], "big": 12345678901234567890, "far": 1e400, "ok": true, "ok": null}';

/** The viewer with a file in it; what was copied is gathered. */
async function shown(text: string, name = "a.json", total = new TextEncoder().encode(text).length) {
  const copied: string[] = [];
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(text, { status: 206, headers: { "content-range": `bytes 0-1/${total}` } })));
  Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText: (said: string) => Promise.resolve(void copied.push(said)) } });
  const viewer = await mount<JsonViewer>(html`<sb-json-viewer .shows=${{ session: "s", handle: `file:${name}`, name }}></sb-json-viewer>`);
  await vi.waitFor(() => expect(words(viewer)).not.toContain("Loading"));
  return { viewer, copied };
}

const rows = (viewer: JsonViewer) => all(viewer, "[role=treeitem]").map((row) => (row.textContent ?? "").replace(/^[▸▾]/, "").trim());

async function press(viewer: JsonViewer, ...keys: string[]): Promise<string> {
  for (const key of keys) {
    all(viewer, "[role=tree]")[0]?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    await settled(viewer);
  }
  const id = all(viewer, "[role=tree]")[0]?.getAttribute("aria-activedescendant");
  return (all(viewer, `#${id}`)[0]?.textContent ?? "").replace(/^[▸▾]/, "").trim();
}

async function filter(viewer: JsonViewer, text: string): Promise<void> {
  const field = all(viewer, "input")[0] as HTMLInputElement;
  field.value = text;
  field.dispatchEvent(new Event("input"));
  await new Promise((done) => setTimeout(done, 200));
  await settled(viewer);
}

afterEach(() => vi.unstubAllGlobals());

describe("the tree of JSON", () => {
  it("opens its first levels and shows what stands in the text", async () => {
    const { viewer } = await shown(PEOPLE);
    expect(rows(viewer)).toEqual([
      "{} 5 keys", "people:[] 2 items", "0:{} 2 keys", "1:{} 2 keys", "big:12345678901234567890", "far:1e400", "ok:true", "ok:null(key repeated)",
    ]);
    const items = all(viewer, "[role=treeitem]");
    expect(items[1]?.getAttribute("aria-expanded")).toBe("true");
    expect(items[2]?.getAttribute("aria-expanded")).toBe("false");
    expect([items[2]?.getAttribute("aria-level"), items[2]?.getAttribute("aria-posinset"), items[2]?.getAttribute("aria-setsize")]).toEqual(["3", "1", "2"]);
    expect(items[4]?.hasAttribute("aria-expanded")).toBe(false);
    expect(all(viewer, ".hljs-number")).toHaveLength(2);
    expect(all(viewer, ".hljs-literal")).toHaveLength(2);
  });

  it("is walked, opened and closed by keys", async () => {
    const { viewer } = await shown(PEOPLE);
    expect(await press(viewer, "ArrowDown")).toBe("people:[] 2 items");
    expect(await press(viewer, "ArrowRight")).toBe("0:{} 2 keys");
    await press(viewer, "ArrowRight");
    expect(rows(viewer)).toContain('name:"Ada"');
    expect(await press(viewer, "ArrowRight")).toBe('name:"Ada"');
    expect(await press(viewer, "ArrowLeft")).toBe("0:{} 2 keys");
    await press(viewer, "ArrowLeft");
    expect(rows(viewer)).not.toContain('name:"Ada"');
    await press(viewer, "*");
    expect(rows(viewer)).toEqual(expect.arrayContaining(['name:"Ada"', 'name:"Kurt"', "tags:[] 1 item"]));
    expect(await press(viewer, "End")).toBe("ok:null(key repeated)");
    expect(await press(viewer, "Home")).toBe("{} 5 keys");
    await press(viewer, "Enter");
    expect(rows(viewer)).toEqual(["{} 5 keys"]);
    await press(viewer, " ");
    expect(rows(viewer).length).toBeGreaterThan(5);
  });

  it("is opened and closed by a click", async () => {
    const { viewer } = await shown(PEOPLE);
    all(viewer, "[role=treeitem]")[2]?.click();
    await settled(viewer);
    expect(rows(viewer)).toContain('name:"Ada"');
    expect(all(viewer, "[aria-selected=true]")).toHaveLength(1);
    all(viewer, "[role=treeitem]")[2]?.click();
    await settled(viewer);
    expect(rows(viewer)).not.toContain('name:"Ada"');
  });

  it("gives a value and its path to the clipboard", async () => {
    const { viewer, copied } = await shown(PEOPLE);
    await press(viewer, "ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight");
    button(viewer, "Copy value").click();
    await vi.waitFor(() => expect(words(viewer)).toContain("Copied"));
    button(viewer, "Copy path").click();
    await press(viewer, "ArrowLeft", "ArrowLeft", "ArrowLeft");
    await vi.waitFor(() => expect(copied).toEqual(["Ada", "$.people[0].name"]));
    expect(words(viewer)).toContain("$.people");
  });

  it("is filtered by keys and values, and whole again without words", async () => {
    const { viewer } = await shown(PEOPLE);
    await filter(viewer, "logic");
    expect(rows(viewer)).toEqual(["{} 5 keys", "people:[] 2 items", "1:{} 2 keys", "tags:[] 1 item", '0:"logic"']);
    expect(words(viewer)).toContain("Found: 1");
    expect(await press(viewer, "ArrowLeft")).toBe("tags:[] 1 item");
    await press(viewer, "ArrowLeft");
    expect(rows(viewer)).not.toContain('0:"logic"');
    await filter(viewer, "nowhere");
    expect(words(viewer)).toContain("No key and no value has these words.");
    await filter(viewer, "");
    expect(rows(viewer)).toHaveLength(8);
  });

  it("has few rows in the page, whatever the size", async () => {
    const text = JSON.stringify(Array.from({ length: 100_000 }, (_, id) => ({ id, name: `n${id}` })));
    const before = performance.now();
    const { viewer } = await shown(text);
    expect(rows(viewer).slice(0, 3)).toEqual(["[] 100,000 items", "[0 … 999]", "0:{} 2 keys"]);
    expect(rows(viewer).length).toBeLessThan(80);
    expect(await press(viewer, "End")).toBe("[99000 … 99999]");
    await press(viewer, "*");
    expect(rows(viewer).length).toBeLessThan(80);
    await filter(viewer, "n99998");
    expect(rows(viewer).at(-1)).toBe('name:"n99998"');
    expect(performance.now() - before).toBeLessThan(20_000);
  });

  it("shows a long string in full below", async () => {
    const { viewer } = await shown(JSON.stringify({ text: `a ${"long ".repeat(200)}end` }));
    await press(viewer, "ArrowDown");
    expect(all(viewer, ".chosen pre")[0]?.textContent).toContain("long end");
  });

  it("makes nothing of what is hostile", async () => {
    const bad = "<img src=x onerror=alert(1)>";
    const { viewer } = await shown(JSON.stringify({ [bad]: `${bad}\u202Egnp`, __proto__: 1, constructor: [bad] }));
    expect(all(viewer, "img, script, [onerror]")).toEqual([]);
    expect(rows(viewer)[1]).toBe(`${bad}:"${bad}[U+202E]gnp"`);
  });
});

/** What stands in the editor. */
const textIn = (viewer: JsonViewer): string => all(viewer, ".cm-line").map(({ textContent }) => textContent).join("\n");

describe("what has no tree", () => {
  it("is text, with a line that says why", async () => {
    const { viewer } = await shown('{"a": 1,\n "b": }');
    await vi.waitFor(() => expect(textIn(viewer)).toBe('{"a": 1,\n "b": }'));
    expect(words(viewer)).toContain("This is not valid JSON (line 2), so it is shown as text.");
    expect(all(viewer, "[role=tree]")).toEqual([]);
  });

  it("is a single value, of which nothing needs to be said", async () => {
    const { viewer } = await shown('"only words"');
    await vi.waitFor(() => expect(textIn(viewer)).toBe('"only words"'));
    expect(all(viewer, ".note")).toEqual([]);
  });

  it("is a file that is too large; of JSON Lines the beginning has one", async () => {
    const large = await shown("[1,2", "a.json", 20_000_000);
    expect(words(large.viewer)).toContain("too large");
    const lines = await shown('{"a": 1}\n{"b', "a.ndjson", 20_000_000);
    expect(rows(lines.viewer)).toEqual(["[] 1 line", "0:{} 1 key", "a:1"]);
    expect(words(lines.viewer)).toContain("only the beginning");
  });

  it("is a tree that is looked at as text", async () => {
    const { viewer } = await shown(PEOPLE);
    button(viewer, "As text").click();
    await settled(viewer);
    await vi.waitFor(() => expect(textIn(viewer)).toBe(PEOPLE));
    expect(button(viewer, "As text").getAttribute("aria-pressed")).toBe("true");
    button(viewer, "As text").click();
    await settled(viewer);
    expect(rows(viewer)).toHaveLength(8);
  });
});

describe("a resource", () => {
  it("is shown as a tree if it is JSON and nothing else was asked for", () => {
    expect(shownAs("editor", "file:a/b.json", "application/json")).toBe("json");
    expect(shownAs("editor", "file:log.jsonl", "text/plain")).toBe("json");
    expect(shownAs("editor", "var:data@2", "application/json")).toBe("json");
    expect(shownAs("table", "var:data@2", "application/json")).toBe("table");
    expect(shownAs("editor", "file:json.txt", "text/plain")).toBe("editor");
  });
});
