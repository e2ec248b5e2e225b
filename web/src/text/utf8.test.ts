//! Offsets on the wire count bytes, whatever the characters.

import { describe, expect, it } from "vitest";
import { afterBytes, byteLength, continuation } from "./utf8";

describe("byteLength", () => {
  it.each(["", "a", "ä", "€", "🎉", "a🎉ä€", "\ud800x"])("of %j is what an encoder says", (text) => {
    expect(byteLength(text)).toBe(new TextEncoder().encode(text).length);
  });
});

describe("afterBytes", () => {
  it("cuts between characters", () => {
    expect(afterBytes("a€🎉b", 0)).toBe("a€🎉b");
    expect(afterBytes("a€🎉b", 4)).toBe("🎉b");
    expect(afterBytes("a€🎉b", 8)).toBe("b");
    expect(afterBytes("a€🎉b", 99)).toBe("");
  });
});

describe("continuation", () => {
  it("takes what is new of a piece", () => {
    expect(continuation(0, 0, "abc")).toEqual({ text: "abc", end: 3, gap: false });
    expect(continuation(3, 1, "bcd")).toEqual({ text: "d", end: 4, gap: false });
    expect(continuation(3, 0, "abc")).toEqual({ text: "", end: 3, gap: false });
    expect(continuation(3, 9, "x")).toEqual({ text: "x", end: 10, gap: true });
  });
});
