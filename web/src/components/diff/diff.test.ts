//! What a diff's lines say. Runs in a DOM: @vitest-environment jsdom

import { html } from "lit";
import { describe, expect, it } from "vitest";
import { all, mount } from "../test-dom";
import { changesOf, linesOf, SHOWN_LINES, type Diff } from "./diff";

const DIFF = "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n same\n--- gone\n+++ come\n\\ No newline at end of file\n last\n--- a/y\n+++ b/y\n@@ -0,0 +1 @@\n+new\n";

describe("a diff", () => {
  it("tells what is in a file from what is about it", () => {
    expect(linesOf(DIFF).map(({ kind }) => kind)).toEqual([
      "file", "file", "place", "same", "removed", "added", "note", "same", "file", "file", "place", "added",
    ]);
    expect(changesOf(DIFF)).toEqual({ added: 2, removed: 1 });
  });

  it("shows every line with its colour, and hidden signs openly", async () => {
    const element = await mount<Diff>(html`<sb-diff .text=${"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\u202Ec\n"}></sb-diff>`);
    expect(all(element, ".added").map((line) => line.textContent)).toEqual(["+b[U+202E]c"]);
    expect(all(element, ".removed")).toHaveLength(1);
  });

  it("puts a long one into the page only in part", async () => {
    const long = `--- a/x\n+++ b/x\n@@ -0,0 +1,1000 @@\n${"+line\n".repeat(1000)}`;
    const element = await mount<Diff>(html`<sb-diff .text=${long}></sb-diff>`);
    expect(all(element, "span")).toHaveLength(SHOWN_LINES + 1);
    expect(all(element, ".note")[0]?.textContent).toContain("603 more lines");
  });
});
