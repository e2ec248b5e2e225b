//! A long conversation: older pages come while the reader scrolls up, and nothing moves under their eyes.

import { expect, test } from "../support/test";
import type { Server } from "../support/server";
import { jumps } from "../support/jumps";
import { longSession } from "../support/sessions";

async function imported(server: Server, turns: number): Promise<string> {
  const answer = await fetch(`${server.origin}/api/sessions/import`, { method: "POST", headers: { "content-type": "application/x-ndjson" }, body: longSession(turns, false) });
  return ((await answer.json()) as { sessionId: string }).sessionId;
}

test("what the reader looks at stays where it is while older pages come", async ({ another, server }) => {
  const { page } = await another({}, `${server.origin}/#${await imported(server, 600)}`);
  await expect(page.locator("sb-turn").last()).toContainText("Step 600");
  const found = await jumps(page, 10);
  expect(found.length).toBeGreaterThan(3);
  for (const jump of found) expect(jump).toBeLessThanOrEqual(2);
});

test("a conversation opens with what fills the view, and the rest of a page follows above it", async ({ chat, page, server }) => {
  await expect(chat.field).toBeFocused();
  const session = await imported(server, 600);
  const frames: string[] = [];
  page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => frames.push(String(payload))));

  await page.goto(`${server.origin}/#${session}`);

  await expect(page.locator("sb-turn")).toHaveCount(100);
  await expect(page.locator("sb-turn").last()).toBeInViewport();
  // A view of 800 pixels has room for six turns; each is a message and a reply.
  expect(frames.filter((frame) => frame.includes(`"seq"`)).length).toBe(12);
});

test("the beginning is one step away, by mouse and from the palette", async ({ another, server }) => {
  const { page } = await another({}, `${server.origin}/#${await imported(server, 900)}`);
  const [first, last] = [page.locator("sb-turn").filter({ hasText: "What came of step 1?" }), page.locator("sb-turn").last()];
  await expect(last).toContainText("Step 900");
  await page.locator(".scroll").evaluate((scroll) => scroll.scrollTo(0, 0));
  await page.getByRole("button", { name: "To the beginning" }).click();
  await expect(first).toBeInViewport();
  await page.getByRole("button", { name: "Latest" }).click();
  await expect(last).toBeInViewport();

  await page.reload();
  await expect(last).toBeInViewport();
  await page.keyboard.press("Control+K");
  await expect(page.locator("sb-palette").getByRole("combobox")).toBeFocused();
  await page.keyboard.type("beginning");
  await page.keyboard.press("Enter");
  await expect(first).toBeInViewport();
});
