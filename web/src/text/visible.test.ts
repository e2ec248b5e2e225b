//! Unseen characters are seen; all others stay as they are.

import { describe, expect, it } from "vitest";
import { visible, visibleLine, visibleOutput } from "./visible";

describe("visible", () => {
  it.each([
    ["plain words, Größe, 日本語, العربية, 🎉", "plain words, Größe, 日本語, العربية, 🎉"],
    ["line one\nline two\tend", "line one\nline two\tend"],
    ["bell\u0007", "bell␇"],
    ["nul\u0000", "nul␀"],
    ["escape\u001b[31mred", "escape␛[31mred"],
    ["delete\u007f", "delete␡"],
    ["c1\u009b31m", "c1[U+009B]31m"],
    ["return\rover", "return␍over"],
    ["line one\r\nline two\r\n", "line one\nline two\n"],
    ["\u202Egpj.exe", "[U+202E]gpj.exe"],
    ["a\u2066b\u2069c", "a[U+2066]b[U+2069]c"],
    ["zero\u200Bwidth", "zero[U+200B]width"],
    ["\uFEFFmark", "[U+FEFF]mark"],
    ["soft\u00ADhyphen", "soft[U+00AD]hyphen"],
    ["tag\u{E0041}", "tag[U+E0041]"],
    ["filler\u3164", "filler[U+3164]"],
    ["lone \ud800 surrogate", "lone [U+D800] surrogate"],
    ["👩\u200D💻 and 🏳\uFE0F\u200D🌈", "👩\u200D💻 and 🏳\uFE0F\u200D🌈"],
    ["a\u200Db", "a[U+200D]b"],
  ])("%j is shown as %j", (text, shown) => {
    expect(visible(text)).toBe(shown);
  });
});

describe("visibleOutput", () => {
  it("drops colours, which carry no words, and nothing else", () => {
    expect(visibleOutput("\u001b[1;31mred\u001b[0m \u001b]52;c;ZXZpbA==\u0007")).toBe("red ␛]52;c;ZXZpbA==␇");
  });

  it("puts what a carriage return would hide on lines of its own", () => {
    expect(visibleOutput("rm -rf\rls\r\nend")).toBe("rm -rf\nls\nend");
  });
});

describe("visibleLine", () => {
  it("is one line of limited length", () => {
    expect(visibleLine("a\n  b\r\nc")).toBe("a b c");
    expect(visibleLine("x".repeat(5000), 10)).toBe(`${"x".repeat(9)}…`);
  });
});
