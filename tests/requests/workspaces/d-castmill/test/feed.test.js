import test from "node:test";
import assert from "node:assert/strict";
import { sortEpisodes } from "../src/feed.js";

test("newest first", () => {
  const sorted = sortEpisodes([{ date: "2026-01-01" }, { date: "2026-02-01" }]);
  assert.equal(sorted[0].date, "2026-02-01");
});
