//! Every language has every word, and the same values to fill in.

import { describe, expect, it } from "vitest";
import { de } from "./de";
import { en } from "./en";
import { fill } from "./fill";

/** Each text with where it stands. */
function texts(words: unknown, at = ""): [string, string][] {
  if (typeof words === "string") return [[at, words]];
  return Object.entries(words as object).flatMap(([key, value]) => texts(value, `${at}.${key}`));
}

const values = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([value]) => value).sort();

describe("German", () => {
  const german = new Map(texts(de));

  it("has what English has, with the same values", () => {
    expect([...german.keys()].sort()).toEqual(texts(en).map(([at]) => at).sort());
    const wrong = texts(en).filter(([at, text]) => values(text).join() !== values(german.get(at) ?? "").join());
    expect(wrong).toEqual([]);
    expect([...german].filter(([, text]) => text.trim() === "")).toEqual([]);
  });

  it("is not English", () => {
    const long = texts(en).filter(([at, text]) => text.split(" ").length > 3 && !at.includes(".samples.") && !at.endsWith(".usage"));
    expect(long.filter(([at, text]) => german.get(at) === text)).toEqual([]);
  });
});

describe("words", () => {
  it("are filled in, and what is filled in is not read again", () => {
    expect(fill("{a} of {b} {c}", { a: "{b}", b: 2 })).toBe("{b} of 2 {c}");
  });
});
