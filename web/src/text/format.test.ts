//! Sizes and times as people say them.

import { describe, expect, it } from "vitest";
import { ago, count, countdown, duration, moment, size } from "./format";

describe("words for numbers", () => {
  it("sizes", () => {
    expect([0, 1023, 1024, 15_000, 5_000_000, 3 * 1024 ** 3].map(size)).toEqual(["0 B", "1023 B", "1.0 KB", "15 KB", "4.8 MB", "3.0 GB"]);
  });

  it("durations", () => {
    expect([3, 999, 1400, 125_000].map(duration)).toEqual(["3 ms", "999 ms", "1.4 s", "2 min 5 s"]);
  });

  it("countdowns, never below zero", () => {
    expect([countdown(581_000, 0), countdown(9_100, 0), countdown(0, 5_000)]).toEqual(["9:41", "0:10", "0:00"]);
  });

  it("how long ago", () => {
    const now = Date.parse("2026-03-02T12:00:00Z");
    const times = ["2026-03-02T11:59:40Z", "2026-03-02T11:15:00Z", "2026-03-02T03:00:00Z", "2026-03-01T03:00:00Z", "nonsense"];
    expect(times.map((at) => ago(at, now))).toEqual(["just now", "45 min ago", "9 h ago", "yesterday", ""]);
  });

  it("moments, with the day unless it is today", () => {
    const now = Date.parse("2026-03-02T12:00:00Z");
    expect(moment("2026-03-02T11:15:04Z", now)).toMatch(/^\d{1,2}:15:04/);
    expect(moment("2026-01-20T11:15:04Z", now)).toMatch(/20.*:15:04/);
    expect(moment("nonsense", now)).toBe("");
  });

  it("counts", () => {
    const steps = { one: "{n} step", many: "{n} steps" };
    expect([count(1, steps), count(3, steps)]).toEqual(["1 step", "3 steps"]);
  });
});
