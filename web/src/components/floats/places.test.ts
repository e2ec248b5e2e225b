//! Floating windows stay inside of the page, however they are moved, sized and remembered.

import { describe, expect, it } from "vitest";
import { Places, pulled, within, type Place } from "./places";

const ROOM = { width: 1000, height: 700 };
const RECT = { x: 100, y: 50, width: 400, height: 300 };
const place = (x: number): Place => ({ ...RECT, x, state: "normal" });

describe("a rectangle", () => {
  it("is moved back into the page, and made smaller only where it is larger than that", () => {
    expect(within(RECT, ROOM)).toEqual(RECT);
    expect(within({ ...RECT, x: -80, y: -1 }, ROOM)).toEqual({ ...RECT, x: 0, y: 0 });
    expect(within({ ...RECT, x: 5000, y: 5000 }, ROOM)).toEqual({ ...RECT, x: 600, y: 400 });
    expect(within({ x: 10, y: 10, width: 5000, height: 1 }, ROOM)).toEqual({ x: 0, y: 10, width: 1000, height: 180 });
    expect(within(RECT, { width: 200, height: 100 })).toEqual({ x: 0, y: 0, width: 200, height: 100 });
  });

  it("is pulled at one edge while the others stay", () => {
    expect(pulled(RECT, "e", 50, 99, ROOM)).toEqual({ ...RECT, width: 450 });
    expect(pulled(RECT, "nw", -30, 20, ROOM)).toEqual({ x: 70, y: 70, width: 430, height: 280 });
    expect(pulled(RECT, "w", 5000, 0, ROOM)).toEqual({ ...RECT, x: 220, width: 280 });
    expect(pulled(RECT, "n", 0, -5000, ROOM)).toEqual({ ...RECT, y: 0, height: 350 });
    expect(pulled(RECT, "se", 5000, 5000, ROOM)).toEqual({ ...RECT, width: 900, height: 650 });
  });
});

describe("places", () => {
  function storage(): { kept: Map<string, string>; getItem: (key: string) => string | null; setItem: (key: string, value: string) => void } {
    const kept = new Map<string, string>();
    return { kept, getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) };
  }

  it("are stacked in the order in which they were put, and remembered for each session", () => {
    const kept = storage();
    const places = new Places(kept);
    places.attach("s1");
    for (const [id, x] of [["a", 1], ["b", 2], ["a", 3]] as const) places.put(id, place(x));
    expect(places.all).toEqual([["b", place(2)], ["a", place(3)]]);

    const again = new Places(kept);
    again.attach("s1");
    expect(again.all).toEqual(places.all);
    again.put("a", undefined);
    again.attach("s2");
    expect(again.all).toEqual([]);
    again.attach("s1");
    expect(again.all).toEqual([["b", place(2)]]);
  });

  it("that are not places are left out, and no storage is no harm", () => {
    for (const text of ["", "{", "{}", "null", '[["a"]]', '[["a", null]]', '[["a", {"x": "1", "y": 1, "width": 1, "height": 1, "state": "normal"}]]', '[[1, {"x": 1, "y": 1, "width": 1, "height": 1, "state": "normal"}]]', '[["a", {"x": 1, "y": 1, "width": 1, "height": 1, "state": "huge"}]]']) {
      const places = new Places({ getItem: () => text, setItem: () => { throw new Error("full"); } });
      places.attach("s");
      expect(places.all, text).toEqual([]);
      places.put("a", place(1));
      expect(places.get("a")).toEqual(place(1));
    }
    new Places(undefined).attach("s");
  });

  it("are not more than some, and new ones stand beside each other", () => {
    const places = new Places(undefined);
    for (let at = 0; at < 30; at++) places.put(String(at), place(at));
    expect([places.all.length, places.get("5"), places.get("29")]).toEqual([24, undefined, place(29)]);
    const [first, second] = [new Places(undefined), new Places(undefined)];
    second.put("a", place(1));
    expect([first.free(ROOM).x, second.free(ROOM).x]).toEqual([220, 248]);
    expect(within(second.free({ width: 300, height: 200 }), { width: 300, height: 200 })).toMatchObject({ x: 0, y: 0 });
  });
});
