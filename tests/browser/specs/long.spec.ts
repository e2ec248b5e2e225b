//! A long conversation: older pages come while the reader scrolls up, and nothing moves under their eyes.

import { expect, test } from "../support/test";
import { longSession } from "../support/sessions";

test("what the reader looks at stays where it is while older pages come", async ({ another, server }) => {
  const answer = await fetch(`${server.origin}/api/sessions/import`, { method: "POST", headers: { "content-type": "application/x-ndjson" }, body: longSession(600, false) });
  const { sessionId } = (await answer.json()) as { sessionId: string };
  const { page } = await another({}, `${server.origin}/#${sessionId}`);
  await expect(page.locator("sb-turn").last()).toContainText("Step 600");
  const jumps = await page.evaluate(async () => {
    const root = document.querySelector("sb-app")?.shadowRoot?.querySelector("sb-conversation")?.shadowRoot;
    const scroller = root?.querySelector<HTMLElement>(".scroll");
    if (!root || !scroller) throw new Error("there is no conversation");
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    const found: number[] = [];
    while (root.querySelector(".earlier") && found.length < 10) {
      const before = root.querySelectorAll("sb-turn").length;
      scroller.scrollTop = 300;
      await frame();
      const top = scroller.getBoundingClientRect().top;
      const seen = [...root.querySelectorAll("sb-turn")].find((turn) => turn.getBoundingClientRect().bottom > top + 50);
      const at = seen?.getBoundingClientRect().top ?? Number.NaN;
      while (root.querySelectorAll("sb-turn").length === before && root.querySelector(".earlier")) await frame();
      for (let frames = 0; frames < 5; frames += 1) await frame();
      found.push(Math.abs((seen?.getBoundingClientRect().top ?? Number.NaN) - at));
    }
    return found;
  });
  expect(jumps.length).toBeGreaterThan(3);
  for (const jump of jumps) expect(jump).toBeLessThanOrEqual(2);
});
