//! What is typed in a hurry finds what is meant.

import { describe, expect, it } from "vitest";
import { best, fit } from "./fuzzy";

const LINES = ["New chat", "Export this conversation", "Show the variables", "/context", "Sums of the new year", "Settings"];
const found = (typed: string): string[] => best(typed, LINES, (line) => line, 10);

describe("typed letters", () => {
  it.each([
    ["new", "New chat"],
    ["nc", "New chat"],
    ["expo", "Export this conversation"],
    ["sv", "Show the variables"],
    ["CONTEXT", "/context"],
    ["new year", "Sums of the new year"],
    ["set", "Settings"],
  ])("%j find %j first", (typed, line) => expect(found(typed)[0]).toBe(line));

  it("that are not there find nothing, and none find all in their order", () => {
    expect([found("xyz"), found("")]).toEqual([[], LINES]);
    expect(fit("ba", "ab")).toBeUndefined();
  });
});
