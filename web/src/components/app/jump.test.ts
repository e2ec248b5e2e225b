//! A jump waits for the log, reads what is older, and shows the place once.

import { describe, expect, it, vi } from "vitest";
import { EMPTY, type ChatState } from "../../state/chat";
import { fold, message, ready, reply } from "../../state/test-frames";
import { Jump } from "./jump";

const whole = fold([ready(), message(1, "m1", "One."), reply(2, "m1", ["m1"], "First.")]);
const { sessionId } = whole;

function jump() {
  const host = { earlier: vi.fn(() => Promise.resolve(true)), show: vi.fn(), missed: vi.fn() };
  return { host, jump: new Jump(host) };
}

describe("a jump", () => {
  it("shows the place when the session is there, and only once", () => {
    const { host, jump: there } = jump();
    there.to(sessionId, { seq: 2, words: ["first"] });
    there.hear(EMPTY);
    there.hear({ ...whole, readySeq: 99 });
    expect(host.show).not.toHaveBeenCalled();
    there.hear(whole);
    there.hear(whole);
    expect(host.show.mock.calls).toEqual([[{ at: 0, turn: "m1", part: "reply" }, { seq: 2, words: ["first"] }]]);
  });

  it("reads older pages, one at a time, until the place is held", async () => {
    const { host, jump: there } = jump();
    const later: ChatState = { ...whole, log: [], timeline: [], firstSeq: 50 };
    there.to(sessionId, { seq: 2, words: [] });
    there.hear(later);
    there.hear(later);
    expect(host.earlier).toHaveBeenCalledTimes(1);
    await Promise.resolve();
    await new Promise((done) => setTimeout(done));
    there.hear(later);
    expect(host.earlier).toHaveBeenCalledTimes(2);
    await new Promise((done) => setTimeout(done));
    there.hear(whole);
    expect(host.show).toHaveBeenCalledTimes(1);
  });

  it("is given up when older pages cannot be read", async () => {
    const { host, jump: there } = jump();
    const later: ChatState = { ...whole, log: [], timeline: [], firstSeq: 50 };
    host.earlier.mockResolvedValue(false);
    there.to(sessionId, { seq: 2, words: [] });
    there.hear(later);
    await new Promise((done) => setTimeout(done));
    there.hear(later);
    there.hear(whole);
    expect(host.earlier).toHaveBeenCalledTimes(1);
    expect([host.show.mock.calls, host.missed.mock.calls]).toEqual([[], []]);
  });

  it("says when the place is not there", () => {
    const { host, jump: there } = jump();
    there.to(sessionId, { seq: 77, words: [] });
    there.hear(whole);
    expect(host.missed).toHaveBeenCalledTimes(1);
  });

  it("is forgotten when another conversation is opened", () => {
    const { host, jump: there } = jump();
    there.to(sessionId, { seq: 2, words: [] });
    there.to(undefined, undefined);
    there.hear(whole);
    expect(host.show).not.toHaveBeenCalled();
  });
});
