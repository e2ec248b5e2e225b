//! A long conversation: older pages come while the reader scrolls up, and nothing moves under their eyes.

import { expect, test } from "../support/test";
import { jumps } from "../support/jumps";
import { longSession } from "../support/sessions";

test("what the reader looks at stays where it is while older pages come", async ({ another, server }) => {
  const answer = await fetch(`${server.origin}/api/sessions/import`, { method: "POST", headers: { "content-type": "application/x-ndjson" }, body: longSession(600, false) });
  const { sessionId } = (await answer.json()) as { sessionId: string };
  const { page } = await another({}, `${server.origin}/#${sessionId}`);
  await expect(page.locator("sb-turn").last()).toContainText("Step 600");
  const found = await jumps(page, 10);
  expect(found.length).toBeGreaterThan(3);
  for (const jump of found) expect(jump).toBeLessThanOrEqual(2);
});
