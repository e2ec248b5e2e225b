//! The words that were found are marked wherever they stand, inside of components too. Runs in a DOM: @vitest-environment jsdom

import { beforeEach, describe, expect, it } from "vitest";
import { occurrences } from "./reveal";

let root: HTMLElement;

beforeEach(() => {
  root = document.createElement("div");
  root.innerHTML = `<span class="hidden-text">You said sum</span><p>The Sum of <b>sum</b>s</p><style>.sum{}</style><div id="inner"></div>`;
  const inner = root.querySelector("#inner")!.attachShadow({ mode: "open" });
  inner.innerHTML = "<p>Überschrift and summary</p>";
  document.body.replaceChildren(root);
});

const found = (...words: string[]): string[] => occurrences(root, words).map((range) => range.toString());

describe("the words that were found", () => {
  it("are found in any case, in order, and not where nobody reads", () => {
    expect(found("sum")).toEqual(["Sum", "sum"]);
    expect(found("überschrift", " and ")).toEqual(["Überschrift", "and"]);
  });

  it("are whole words, also next to signs", () => {
    root.querySelector("p")!.textContent = "a cat, (a) über überall a_b C++ c1 日本 日";
    expect(found("a", "über", "c", "日")).toEqual(["a", "a", "a", "über", "C", "日"]);
  });

  it("are nothing when there are none", () => {
    expect(found("", " ", "absent")).toEqual([]);
  });

  it("are bounded", () => {
    root.querySelector("p")!.textContent = "a ".repeat(5000);
    expect(found("a").length).toBe(200);
  });
});
