//! A replay waits for the whole log, shows its past while the log goes on, and leaves nothing behind. Runs in a DOM: @vitest-environment jsdom

import { LitElement } from "lit";
import { customElement } from "lit/decorators.js";
import { describe, expect, it, vi } from "vitest";
import { EMPTY, type ChatState } from "../../state/chat";
import { fold, message, ready, reply } from "../../state/test-frames";
import { ask } from "../events";
import { Replaying } from "./replaying";

@customElement("sb-test-page")
class Page extends LitElement {
  now: ChatState = EMPTY;
}

const whole = fold([ready({ lastSeq: 2 }), message(1, "m1", "One."), reply(2, "m1", ["m1"], "First.")]);
const session = whole.sessionId ?? "";
const tail: ChatState = { ...whole, firstSeq: 2, log: whole.log.slice(1) };

function replaying(now: ChatState, earlier: () => Promise<boolean> = () => Promise.resolve(true)) {
  const page = document.createElement("sb-test-page") as Page;
  page.now = now;
  document.body.replaceChildren(page);
  const host = { now: () => page.now, open: vi.fn(), earlier: vi.fn(earlier), fork: vi.fn(), failed: vi.fn(), moved: vi.fn(), rest: vi.fn() };
  const replay = new Replaying(page, host);
  ask(page, "sb-replay", { sessionId: session });
  return { page, host, replay };
}

describe("a replay", () => {
  it("begins at now and shows what was at an event", async () => {
    const { page, host, replay } = replaying(whole);
    await vi.waitFor(() => expect(replay.seq).toBe(2));
    expect(host.open).toHaveBeenCalledWith(session);
    expect(replay.shown(whole)).toBe(whole);
    ask(page, "sb-replay-at", { seq: 1 });
    expect(replay.shown(whole).lastSeq).toBe(1);
    ask(page, "sb-replay-at", { seq: 99 });
    expect(replay.seq).toBe(2);
    ask(page, "sb-fork", { seq: 1 });
    expect(host.fork).toHaveBeenCalledWith(1);
  });

  it("reads what is missing at the beginning, and shows what was there until then", async () => {
    let come = (_read: boolean): void => undefined;
    const { page, host, replay } = replaying(tail, () => new Promise((done) => (come = done)));
    await vi.waitFor(() => expect(host.earlier).toHaveBeenCalledTimes(1));
    expect(replay.shown(whole)).toBe(tail);
    page.now = whole;
    come(true);
    await vi.waitFor(() => expect(replay.seq).toBe(2));
    expect(replay.shown(whole)).toBe(whole);
  });

  it("ends when nothing can be read, and another conversation is not kept waiting by it", async () => {
    const { host, replay } = replaying(tail, () => Promise.resolve(false));
    await vi.waitFor(() => expect(host.earlier).toHaveBeenCalled());
    await vi.waitFor(() => expect(replay.active).toBe(false));

    const other = replaying({ ...tail, sessionId: "other" });
    await vi.waitFor(() => expect(other.host.open).toHaveBeenCalled());
    expect(other.host.earlier).not.toHaveBeenCalled();
    expect(other.replay.active).toBe(true);
  });

  it("follows the log, and ends when it is another", async () => {
    const { replay } = replaying(whole);
    await vi.waitFor(() => expect(replay.seq).toBe(2));
    const more = fold([message(3, "m2", "Two.")], whole);
    replay.hear(more);
    expect(replay.seq).toBe(2);
    expect(replay.shown(more).lastSeq).toBe(2);
    replay.hear({ ...more, generation: "another" });
    expect(replay.active).toBe(false);
    expect(replay.shown(more)).toBe(more);
  });

  it("gives the keyboard back once, and says whether there was something to end", async () => {
    const { page, host, replay } = replaying(whole);
    await vi.waitFor(() => expect(replay.seq).toBe(2));
    expect(replay.end()).toBe(true);
    expect(replay.end()).toBe(false);
    await page.updateComplete;
    await vi.waitFor(() => expect(host.rest).toHaveBeenCalledTimes(1));
  });
});
