//! What is typed is looked for, and what was found leads to its place. Runs in a DOM: @vitest-environment jsdom

import { html } from "lit";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SearchResults } from "../../connection/search";
import { all, heard, mount, settled, words } from "../test-dom";
import "./search";
import type { Search } from "./search";

const SESSION = { sessionId: "s1", title: "Budget", createdAt: "2026-11-25T12:00:00Z", updatedAt: "2026-11-25T12:00:00Z", lastSeq: 9 };

const FOUND: SearchResults = {
  results: [
    {
      session: SESSION,
      title: [{ text: "Bud", found: true }, { text: "get" }],
      places: [
        { seq: 7, by: "agent", at: "", pieces: [{ text: "the " }, { text: "<b>sum</b>", found: true }, { text: " is 42" }] },
        { seq: 3, by: "user", at: "", pieces: [{ text: "sum", found: true }] },
      ],
    },
  ],
  more: false,
  indexing: false,
};

let asked: string[] = [];
let answer: () => Response;

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  answer = () => Response.json(FOUND);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function search(): Promise<Search> {
  const element = await mount<Search>(html`<sb-search></sb-search>`);
  vi.stubGlobal("fetch", (path: string) => {
    asked.push(decodeURIComponent(path.split("query=")[1] ?? ""));
    return Promise.resolve(answer());
  });
  return element;
}

function field(element: Search): HTMLInputElement {
  return all(element, "input")[0] as HTMLInputElement;
}

async function type(element: Search, text: string): Promise<void> {
  field(element).value = text;
  field(element).dispatchEvent(new Event("input"));
  await vi.advanceTimersByTimeAsync(200);
  await settled(element);
}

describe("what is typed", () => {
  it("is looked for when there is a pause, from two letters on", async () => {
    const element = await search();
    const searching = heard(element, "sb-searching");
    await type(element, "ü");
    expect([asked, element.active]).toEqual([[], false]);
    field(element).value = "üb";
    field(element).dispatchEvent(new Event("input"));
    await vi.advanceTimersByTimeAsync(50);
    await type(element, "über 100 %");
    expect(asked).toEqual(["über 100 %"]);
    expect(searching).toEqual([{ active: true }]);
    await type(element, "");
    expect(searching).toEqual([{ active: true }, { active: false }]);
  });

  it("is asked for again while the server still reads", async () => {
    answer = () => Response.json({ ...FOUND, indexing: true });
    const element = await search();
    await type(element, "sum");
    expect(words(element)).toContain("still reading");
    answer = () => Response.json(FOUND);
    await vi.advanceTimersByTimeAsync(2000);
    await settled(element);
    expect(asked).toEqual(["sum", "sum"]);
    expect(words(element)).not.toContain("still reading");
  });

  it("that cannot be looked for says why", async () => {
    answer = () => Response.json({ detail: "the index cannot be read" }, { status: 500 });
    const element = await search();
    await type(element, "sum");
    expect(words(element)).toContain("the index cannot be read");
  });

  it("is looked for again by itself when the server can answer, and more and more rarely until then", async () => {
    answer = () => Response.json({ detail: "the server is busy" }, { status: 503 });
    const element = await search();
    await type(element, "sum");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked.length).toBeLessThan(9);
    answer = () => Response.json(FOUND);
    await vi.advanceTimersByTimeAsync(30_000);
    await settled(element);
    expect(words(element)).toContain("1 conversation");
    const { length } = asked;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked.length).toBe(length);
  });

  it("is not looked for again when it was refused", async () => {
    answer = () => Response.json({ detail: "log in first" }, { status: 401 });
    const element = await search();
    await type(element, "sum");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toEqual(["sum"]);
  });
});

describe("what was found", () => {
  it("shows title and places with the words marked, and nothing of it is markup", async () => {
    const element = await search();
    await type(element, "sum");
    expect(words(element)).toContain("1 conversation");
    expect(all(element, "mark").map((mark) => mark.textContent)).toEqual(["Bud", "<b>sum</b>", "sum"]);
    expect(all(element, "b")).toEqual([]);
    expect(words(element)).toContain("Agent: the <b>sum</b> is 42");
  });

  it("is without what is being deleted", async () => {
    const element = await search();
    await type(element, "sum");
    element.gone = new Set(["s1"]);
    await settled(element);
    expect(all(element, "a")).toEqual([]);
    expect(words(element)).toContain("Nothing was found");
  });

  it("opens the conversation at the place", async () => {
    const element = await search();
    await type(element, "sum");
    const opened = heard(element, "sb-open-session");
    const [title, first, second] = all(element, "a") as HTMLAnchorElement[];
    title?.click();
    first?.click();
    expect(opened).toEqual([{ sessionId: "s1" }, { sessionId: "s1", at: { seq: 7, words: ["<b>sum</b>"] } }]);
    expect(second?.getAttribute("href")).toBe("#s1@3");
    second?.dispatchEvent(new MouseEvent("click", { ctrlKey: true, cancelable: true }));
    expect(opened.length).toBe(2);
  });

  it("is gone through with arrows, and Escape goes back to the list", async () => {
    const element = await search();
    await type(element, "sum");
    const press = (key: string) => (element.renderRoot as ShadowRoot).activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true }));
    field(element).focus();
    press("ArrowDown");
    press("ArrowDown");
    expect((element.renderRoot as ShadowRoot).activeElement?.textContent).toContain("the <b>sum");
    press("ArrowUp");
    press("ArrowUp");
    expect((element.renderRoot as ShadowRoot).activeElement).toBe(field(element));
    press("Escape");
    await settled(element);
    expect([field(element).value, element.active]).toEqual(["", false]);
  });
});
