//! What is typed is found among what the page holds, then among all conversations. Runs in a DOM: @vitest-environment jsdom

import { html } from "lit";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { FoundSession } from "../../connection/search";
import { all, heard, mount, settled } from "../test-dom";
import "./palette";
import type { Palette, PaletteItem } from "./palette";

const conversation = (sessionId: string, title: string): PaletteItem => ({ id: sessionId, kind: "conversation", words: title, run: vi.fn() });
const found = (sessionId: string, title: string, more: Partial<FoundSession> = {}): FoundSession => ({
  session: { sessionId, title, createdAt: "", updatedAt: "", lastSeq: 3 },
  places: [],
  ...more,
});
const PLACE = { seq: 7, by: "user" as const, at: "", pieces: [{ text: "so the " }, { text: "budget", found: true }, { text: " is <b>42</b>" }] };

let asked: string[];
let answer: () => Promise<Response>;

beforeEach(() => {
  vi.useFakeTimers();
  HTMLDialogElement.prototype.showModal = vi.fn();
  asked = [];
  answer = () => Promise.resolve(Response.json({ results: [found("held", "Budget"), found("far", "Old budget", { title: [{ text: "budget", found: true }] }), found("place", "Talk", { places: [PLACE] })], more: false, indexing: false }));
});
afterEach(async () => {
  // The dialog gives the keyboard back when it is taken out.
  document.body.replaceChildren();
  await Promise.resolve();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function palette(): Promise<Palette> {
  const element = await mount<Palette>(html`<sb-palette .items=${[conversation("held", "Budget")]}></sb-palette>`);
  vi.stubGlobal("fetch", (path: string) => {
    asked.push(decodeURIComponent(path.split("query=")[1] ?? ""));
    return answer();
  });
  return element;
}

async function type(element: Palette, text: string, pause = 200): Promise<void> {
  const [field] = all(element, "input") as HTMLInputElement[];
  field!.value = text;
  field!.dispatchEvent(new Event("input"));
  await vi.advanceTimersByTimeAsync(pause);
  await settled(element);
}

const said = (element: Palette): string => all(element, "[role=status]")[0]?.textContent ?? "";
const options = (element: Palette): string[] => all(element, "[role=option] .words").map(({ textContent }) => textContent ?? "");

describe("the palette", () => {
  it("finds conversations that the page does not hold, after those that it does, and each once", async () => {
    const element = await palette();
    await type(element, "budget");
    expect(options(element)).toEqual(["Budget", "Old budget", "Talk"]);
    expect(all(element, ".hint").map(({ textContent }) => textContent)).toEqual(["Conversation", "Conversation", "…budget is <b>42</b>"]);
    expect(all(element, "b")).toEqual([]);
  });

  it("opens them, at the place where the words were said", async () => {
    const element = await palette();
    const opened = heard(element, "sb-open-session");
    await type(element, "budget");
    const [, far, place] = all(element, "[role=option]");
    far?.click();
    place?.click();
    expect(opened).toEqual([{ sessionId: "far" }, { sessionId: "place", at: { seq: 7, words: ["budget"] } }]);
  });

  it("is without what is being deleted", async () => {
    const element = await palette();
    element.gone = new Set(["far", "place"]);
    await type(element, "budget");
    expect(options(element)).toEqual(["Budget"]);
  });

  it("never offers what was found for other words", async () => {
    const element = await palette();
    await type(element, "budget");
    await type(element, "budgetx", 10);
    expect(options(element)).toEqual([]);
    expect(said(element)).toBe("Searching…");
    answer = () => Promise.resolve(Response.json({ results: [], more: false, indexing: false }));
    await vi.advanceTimersByTimeAsync(200);
    await settled(element);
    expect(said(element)).toBe("Nothing fits");
  });

  it("does not search for commands and names", async () => {
    const element = await palette();
    await type(element, "/history");
    await type(element, "@answer");
    await type(element, "b");
    expect(asked).toEqual([]);
  });

  it("says why it could not search, and offers what it has all the same", async () => {
    answer = () => Promise.resolve(Response.json({ detail: "the index cannot be read" }, { status: 500 }));
    const element = await palette();
    await type(element, "zzz");
    expect(said(element)).toBe("the index cannot be read");
    await type(element, "budget");
    expect(options(element)).toEqual(["Budget"]);
  });
});
