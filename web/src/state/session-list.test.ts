//! Changes come into the list, and it is shown in groups by date.

import { describe, expect, it } from "vitest";
import type { SessionSummary } from "../protocol/generated";
import { grouped, withChanges } from "./session-list";

function session(sessionId: string, updatedAt: Date | string, more: Partial<SessionSummary> = {}): SessionSummary {
  const at = typeof updatedAt === "string" ? updatedAt : updatedAt.toISOString();
  return { sessionId, title: sessionId, createdAt: at, updatedAt: at, lastSeq: 5, ...more };
}

const ids = (list: readonly SessionSummary[]): string[] => list.map(({ sessionId }) => sessionId);

const LIST = [session("c", "2026-11-25T12:00:00Z"), session("b", "2026-11-24T12:00:00Z"), session("a", "2026-11-23T12:00:00Z")];

describe("changes", () => {
  it("move a conversation to its place, bring new ones and take others away", () => {
    const changed = [session("a", "2026-11-25T13:00:00Z", { title: "renamed" }), session("new", "2026-11-25T12:30:00Z"), session("empty", "2026-11-26T00:00:00Z", { lastSeq: 0 })];
    const list = withChanges(LIST, changed, ["b", "unknown"]);
    expect(ids(list)).toEqual(["a", "new", "c"]);
    expect(list[0]?.title).toBe("renamed");
  });
});

describe("groups", () => {
  const now = new Date(2026, 10, 25, 12, 0);
  const day = (days: number, hours = 12): Date => new Date(2026, 10, 25 - days, hours, 0);

  it("are by date, with pinned ones first", () => {
    const list = [
      session("now", now), session("early", day(0, 0)), session("late", day(1, 23)), session("yesterday", day(1, 0)), session("week", day(2, 23)), session("week's end", day(7, 0)),
      session("month", day(8)), session("old", new Date(2026, 4, 3)), session("pin", day(200), { pinned: true }),
    ];
    expect(grouped(list, now).map(({ heading, sessions }) => [heading, ...ids(sessions)])).toEqual([
      ["Pinned", "pin"],
      ["Today", "now", "early"],
      ["Yesterday", "late", "yesterday"],
      ["Previous 7 days", "week", "week's end"],
      ["Previous 30 days", "month"],
      ["May 2026", "old"],
    ]);
  });

  it("take a clock that runs ahead for today", () => {
    expect(grouped([session("ahead", day(-2)), session("nonsense", "never")], now).map(({ heading }) => heading)).toEqual(["Today"]);
    expect(grouped([], now)).toEqual([]);
  });
});
