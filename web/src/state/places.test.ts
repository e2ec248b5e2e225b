//! A found event stands in the turn that it belongs to.

import { describe, expect, it } from "vitest";
import { placeOf } from "./places";
import { fold, kept, message, ready, reply } from "./test-frames";

const chat = fold([ready(), message(1, "m1", "One."), reply(2, "m1", ["m1"], "First."), message(3, "m2", "Two."), reply(4, "m2", ["m2"], "Second.")]);

describe("the place of an event", () => {
  it("is the turn of a message, or of a reply", () => {
    expect(placeOf(chat, 1)).toEqual({ at: 0, turn: "m1", part: 0 });
    expect(placeOf(chat, 4)).toEqual({ at: 1, turn: "m2", part: "reply" });
  });

  it("is the message itself, also when it was sent into a running turn", () => {
    const steered = fold([ready(), message(1, "m1", "One."), kept(2, "user-message", { messageId: "m2", text: "Two.", mode: "steer" }, "m1"), reply(3, "m1", ["m1", "m2"], "Both.")]);
    expect(placeOf(steered, 2)).toEqual({ at: 0, turn: "m1", part: 1 });
  });

  it("is nowhere for what is not held", () => {
    expect(placeOf(chat, 9)).toBeUndefined();
  });
});
