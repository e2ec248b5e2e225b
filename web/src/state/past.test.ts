import { describe, expect, it, vi } from "vitest";
import type { ServerFrame } from "../protocol/generated";
import { Past } from "./past";
import * as reducing from "./reduce";
import { asked, finish, fold, kept, message, ready, start, thinking } from "./test-frames";

function variable(seq: number, name: string): ServerFrame {
  const set = [{ name, type: "text" as const, bytes: 1, preview: "x", version: 1, origin: { tool: "user", inputs: [] } }];
  return kept(seq, "context-update", { set: set as never, removed: [] });
}

/** Turns of five events each; the second event of each is a variable of its own. */
function turns(count: number): ServerFrame[] {
  return Array.from({ length: count }, (_, turn) => {
    const [id, first] = [`m${turn}`, turn * 5 + 1];
    return [message(first, id, `Say ${turn}`), variable(first + 1, `v${turn}`), thinking(first + 2, id), start(first + 3, id, `c${turn}`), finish(first + 4, id, `c${turn}`)];
  }).flat();
}

describe("the past of a conversation", () => {
  const log = turns(200);
  const now = fold(log, fold([ready({ lastSeq: log.length, snapshot: undefined })]));

  it("is what its events until then amount to, in any order of looking", () => {
    const past = new Past(now);
    for (const seq of [1000, 3, 999, 400, 401, 200, 1, 0, 737, 1000]) {
      const picture = past.at(seq);
      expect(picture.lastSeq).toBe(seq);
      expect(picture.timeline).toHaveLength(Math.ceil(seq / 5));
      expect(picture.variables.size).toBe(Math.floor((seq + 3) / 5));
    }
    expect(past.at(1000)).toBe(now);
  });

  it("comes to the same picture from those that it keeps as from the beginning", () => {
    const past = new Past(now);
    past.at(999);
    for (const seq of [200, 399, 600, 998]) {
      const { log: _log, ...fresh } = fold(log.slice(0, seq), new Past(now).at(0));
      expect(past.at(seq)).toEqual({ ...fresh, log: [] });
    }
  });

  it("goes back without folding the whole log again", () => {
    const read = vi.spyOn(reducing, "reduce");
    const past = new Past(now);
    past.at(999);
    read.mockClear();
    past.at(998);
    expect(read.mock.calls.length).toBeLessThan(200);
    read.mockRestore();
  });

  it("knows what ran and what waited for an answer", () => {
    const frames = [message(1, "m", "Say"), thinking(2, "m"), asked(3, "m", "c"), start(4, "m", "c"), finish(5, "m", "c")];
    const past = new Past(fold(frames, fold([ready({ lastSeq: 5 })])));
    expect(past.at(3).approvals.map(({ callId }) => callId)).toEqual(["c"]);
    expect(past.at(4).busy).toEqual({ messageId: "m", step: "executing", tool: "bash" });
    expect(past.at(1).busy).toBeUndefined();
  });

  it("goes on with the log, but not with another history", () => {
    const past = new Past(now);
    const more = fold([message(1001, "next", "More")], now);
    expect(past.follow(more)).toBe(true);
    expect(past.log).toHaveLength(1001);
    expect(past.at(1001).timeline).toHaveLength(201);
    expect(past.follow({ ...more, generation: "other" })).toBe(false);
    expect(past.follow({ ...more, sessionId: "other" })).toBe(false);
  });
});
