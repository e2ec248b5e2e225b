//! Pages of the log, however they are cut, come to the same conversation as the whole log does.

/// <reference types="vite/client" />
import { describe, expect, it, vi } from "vitest";
import type { ServerFrame } from "../protocol/generated";
import { EMPTY, type ChatState } from "./chat";
import { cleanStart, prepend } from "./pages";
import { finish, fold, kept, message, reply, start } from "./test-frames";
import * as timeline from "./timeline";

const RECORDED = import.meta.glob<string>("../../../tests/conversations/*.jsonl", { query: "?raw", import: "default", eager: true });

/** The durable frames of a recording, from the first on without a hole. */
function logOf(text: string): ServerFrame[] {
  const log: ServerFrame[] = [];
  for (const line of text.trim().split("\n")) {
    const frame = JSON.parse(line) as ServerFrame;
    if (frame.seq === log.length + 1) log.push(frame);
  }
  return log;
}

/** What a page holds that has the end of the log, then pages of so many events until its beginning. */
function paged(log: readonly ServerFrame[], size: number): ChatState {
  const first = Math.max(0, log.length - size);
  let state = fold(log.slice(first), { ...EMPTY, sessionId: "s", firstSeq: first + 1, lastSeq: first });
  for (let pages = 0; state.firstSeq > 1; pages += 1) {
    if (pages > log.length) throw new Error("the pages do not end");
    const end = state.firstSeq - 1;
    state = prepend(state, log.slice(Math.max(0, end - size), end));
  }
  return state;
}

describe("pages of the log", () => {
  it.each([1, 3, 10, 40])("of %i events come to what the whole log does, in every recorded conversation", (size) => {
    for (const [name, text] of Object.entries(RECORDED)) {
      const log = logOf(text);
      if (log.length === 0) continue;
      const state = paged(log, size);
      expect(state.timeline, name).toEqual(fold(log).timeline);
      expect(state.log, name).toEqual(log);
    }
  });

  const turn = (at: number): ServerFrame[] => {
    const id = `m${at}`;
    return [message(4 * at + 1, id, `Question ${at}`), start(4 * at + 2, id, `c${at}`), finish(4 * at + 3, id, `c${at}`), reply(4 * at + 4, id)];
  };

  it("are folded once each: what is held is not folded again", () => {
    const log = Array.from({ length: 500 }, (_, at) => turn(at)).flat();
    const folds = vi.spyOn(timeline, "applyToTimeline");
    const tail = fold(log.slice(-199), { ...EMPTY, firstSeq: log.length - 198, lastSeq: log.length - 199 });
    let state = tail;
    while (state.firstSeq > 1) state = prepend(state, log.slice(Math.max(0, state.firstSeq - 201), state.firstSeq - 1));
    folds.mockRestore();
    expect(state.timeline.length).toBe(500);
    expect(state.timeline.slice(-20).every((entry, at) => entry === state.timeline.at(at - 20))).toBe(true);
    // Entries that are held stay the very same, so that nothing of them is drawn again.
    const older = prepend({ ...state, firstSeq: 2001, clean: true }, turn(499).map((frame, at) => ({ ...frame, seq: at + 1 })));
    expect(older.timeline.slice(-500)).toEqual(state.timeline);
    expect(older.timeline.at(-1)).toBe(state.timeline.at(-1));
  });

  it("are cut where a turn begins and no other is open", () => {
    const log = [finish(1, "m0", "c0"), reply(2, "m0"), ...turn(1), message(9, "m2", "waits")];
    expect(cleanStart(log, log.length)).toBe(2);
    expect(cleanStart([message(1, "a", "x"), message(2, "b", "y"), reply(3, "a")], 3)).toBe(0);
    expect(cleanStart([reply(1, "a"), reply(2, "b")], 2)).toBeUndefined();
    expect(cleanStart([kept(1, "command-response", { command: "help", text: "" }, "m9")], 1)).toBe(0);
  });
});
