import test from "node:test";
import assert from "node:assert/strict";
import { formatDuration, parseDuration } from "../src/duration.js";

test("parses minutes and seconds", () => {
  assert.equal(parseDuration("12:30"), 750);
});

test("parses hours", () => {
  assert.equal(parseDuration("1:00:05"), 3605);
});

test("formats short durations", () => {
  assert.equal(formatDuration(65), "1:05");
});

test("formats long durations", () => {
  assert.equal(formatDuration(3661), "1:01:01");
});
