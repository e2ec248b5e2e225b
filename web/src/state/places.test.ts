//! A found event stands in the turn that it belongs to.

import { describe, expect, it } from "vitest";
import { placeOf } from "./places";
import { fold, message, ready, reply } from "./test-frames";

const chat = fold([ready(), message(1, "m1", "One."), reply(2, "m1", ["m1"], "First."), message(3, "m2", "Two."), reply(4, "m2", ["m2"], "Second.")]);

describe("the place of an event", () => {
  it("is the turn of a message, or of a reply", () => {
    expect(placeOf(chat, 1)).toEqual({ at: 0, turn: "m1", part: "message" });
    expect(placeOf(chat, 4)).toEqual({ at: 1, turn: "m2", part: "reply" });
  });

  it("is nowhere for what is not held", () => {
    expect(placeOf(chat, 9)).toBeUndefined();
  });
});
