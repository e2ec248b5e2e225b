//! A server that answers nothing is noticed soon, in the middle of anything.

import { picture } from "../support/looks";
import { expect, test } from "../support/test";

test("n39 a frozen server is said after five seconds, and nothing is lost", async ({ chat, page, server }) => {
  await chat.ask("Calculate 1 + 1");
  server.freeze();
  await chat.say("Calculate 20 + 22");
  const began = Date.now();
  const line = page.getByText("The server is not answering.");
  await expect(line).toBeVisible({ timeout: 9_000 });
  expect(Date.now() - began).toBeGreaterThan(3_500);
  await picture(page, "frozen");

  server.thaw();
  await expect(line).toHaveCount(0);
  await expect(chat.turn("Calculate 20 + 22").locator(".reply")).toContainText("42");
  await expect(chat.turns).toHaveCount(2);
});

test("a server that is frozen when the page connects is said as well", async ({ chat, page, server }) => {
  await chat.ask("Calculate 1 + 1");
  // The page's own clock stands still meanwhile, so that it does not connect before the server is frozen.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 1_000);
  await server.kill();
  await server.startAgain();
  server.freeze();
  await page.clock.resume();
  const line = page.getByText("The server is not answering.");
  await expect(line).toBeVisible({ timeout: 30_000 });
  server.thaw();
  await expect(line).toHaveCount(0);
  await expect((await chat.ask("Calculate 20 + 22")).locator(".reply")).toContainText("42");
});
