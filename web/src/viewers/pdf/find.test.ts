//! Which places of a page's text have the words. Runs in a DOM: @vitest-environment jsdom

import { describe, expect, it } from "vitest";
import { comparable, places } from "./find";

/** A page's text: parts, and `\n` where a line ends. */
function page(...parts: string[]): HTMLElement {
  const root = document.createElement("div");
  for (const part of parts) {
    const element = document.createElement(part === "\n" ? "br" : "span");
    if (part !== "\n") element.textContent = part;
    root.append(element);
  }
  return root;
}

const found = (root: HTMLElement, words: string) => places(root, comparable(words)).map(String);

describe("words of a page", () => {
  it("are found in any case, each time", () => {
    expect(found(page("One fish, two FISH"), "Fish")).toEqual(["fish", "FISH"]);
    expect(found(page("One fish"), "bird")).toEqual([]);
  });

  it("are found where they begin in one part and end in another, and over the end of a line", () => {
    expect(found(page("the gol", "den anchor"), "golden")).toEqual(["golden"]);
    expect(found(page("the golden", "\n", "anchor"), "golden anchor")).toEqual(["goldenanchor"]);
    expect(found(page("a  wide \u00a0 gap"), "wide gap")).toEqual(["wide \u00a0 gap"]);
  });

  it("keep their place behind letters that grow with their case", () => {
    expect(found(page("\u0130stanbul and 😀 more"), "more")).toEqual(["more"]);
    expect(found(page("😀 smile"), "😀 s")).toEqual(["😀 s"]);
  });
});
