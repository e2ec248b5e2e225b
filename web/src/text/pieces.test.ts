//! What of a reply can be clicked, and that nothing of its words is lost.

import { describe, expect, it } from "vitest";
import { piecesOf } from "./pieces";

const known = (name: string): boolean => ["cfg", "answer"].includes(name);
const clicked = (line: string, example = false) => piecesOf(line, known, example).filter(({ kind }) => kind !== "words").map(({ kind, text }) => `${kind} ${text}`);

describe("a line", () => {
  it.each([
    ["The port of @cfg is 3000, as @answer says.", ["name @cfg", "name @answer"]],
    ["mail bob@cfg.example or @nobody or @@cfg", []],
    ['Ask "what can you do" for examples.', ["request what can you do"]],
    ["The nearest that I can do: count the files", ["request count the files"]],
    ["To check the names, ask: What files are in the current directory?", ["request What files are in the current directory?"]],
    ["Hello! What shall I do? For example: Calculate 42 * 37", ["request Calculate 42 * 37"]],
    ["They ask for much. I say so.", []],
    ["", []],
  ])("%j has %j", (line, found) => {
    expect(clicked(line)).toEqual(found);
    expect(piecesOf(line, known).map(({ text }) => text).join("")).toBe(line);
  });

  it("of examples is one as a whole", () => {
    expect(clicked(" Calculate 42 * 37 ", true)).toEqual(["request Calculate 42 * 37"]);
    expect(piecesOf(" a b ", known, true).map(({ text }) => text).join("")).toBe(" a b ");
  });
});
