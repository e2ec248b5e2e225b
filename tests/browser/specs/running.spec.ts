//! While something runs: its output, the stop button, messages that wait. The commands run until a file appears, so
//! that no test depends on how fast anything is.

import { expect, test } from "../support/test";

/** Runs until the file `go` is there. */
const WAITS = "Run `echo began; until [ -e go ]; do sleep 0.05; done; echo ended` with a timeout of 200 seconds";

test("output is shown while it comes", async ({ chat, server }) => {
  await chat.say(WAITS);
  const turn = chat.turns.last();
  await expect(turn.locator("sb-tool-call .output")).toContainText("began");
  await expect(turn.locator("sb-tool-call")).toContainText("Running");
  await expect(chat.stop).toBeVisible();

  await server.file("go", "");
  await expect(turn.locator(".reply")).toBeVisible();
  await expect(chat.stop).toHaveCount(0);
});

test("stop stops", async ({ chat, server }) => {
  await chat.say(`${WAITS}`);
  const turn = chat.turns.last();
  await expect(turn.locator("sb-tool-call .output")).toContainText("began");
  await chat.stop.click();

  await expect(turn.locator(".failure")).toBeVisible();
  await expect(chat.stop).toHaveCount(0);
  await server.file("go", "");
  await expect((await chat.ask("Calculate 6 * 7")).locator(".reply")).toContainText("42");
});

test("stop is there after a reload as well, with the output so far", async ({ chat, page }) => {
  await chat.say(WAITS);
  await expect(chat.turns.last().locator("sb-tool-call .output")).toContainText("began");
  await page.reload();
  await expect(chat.turns.last().locator("sb-tool-call .output")).toContainText("began");
  await chat.stop.click();
  await expect(chat.turns.last().locator(".failure")).toBeVisible();
  await expect(chat.stop).toHaveCount(0);
});

test("a message waits for the turn to end, and can be removed", async ({ chat, server }) => {
  await chat.say(WAITS);
  await expect(chat.turns.last().locator("sb-tool-call .output")).toContainText("began");
  await chat.say("Calculate 1 + 1");
  await chat.say("Calculate 2 + 2");
  await expect(chat.turn("Calculate 1 + 1")).toContainText("Waits for the current turn to end");
  await chat.turn("Calculate 2 + 2").getByRole("button", { name: "Remove" }).click();
  await expect(chat.turn("Calculate 2 + 2").locator(".failure")).toBeVisible();

  await server.file("go", "");
  await expect(chat.turn("Calculate 1 + 1").locator(".reply")).toContainText("2");
});

test("a message can take the place of the turn", async ({ chat, page }) => {
  await chat.say(WAITS);
  await expect(chat.turns.last().locator("sb-tool-call .output")).toContainText("began");
  await page.getByText("instead of it").click();
  await chat.say("Calculate 1 + 1");
  await expect(chat.turn("Calculate 1 + 1").locator(".reply")).toContainText("2");
  await expect(chat.turns.first().locator(".failure")).toBeVisible();
});

test("a message can join the turn", async ({ chat, page, server }) => {
  await chat.say(WAITS);
  await expect(chat.turns.last().locator("sb-tool-call .output")).toContainText("began");
  await page.getByText("into this turn").click();
  await chat.say("and then calculate 20 + 22");
  await expect(chat.turn("and then calculate 20 + 22").last()).toContainText("Joins the current turn at its next step");
  await server.file("go", "");
  await expect(page.locator("sb-turn .reply").filter({ hasText: "42" })).toBeVisible();
  await chat.idle();
});

test("very much output keeps the page small", async ({ chat }) => {
  await chat.say("Run `seq 1 200000; echo began; until [ -e go ]; do sleep 0.05; done` with a timeout of 200 seconds");
  const output = chat.turns.last().locator("sb-tool-call .output");
  await expect(output).toContainText("began");
  expect((await output.textContent())?.length).toBeLessThanOrEqual(16 * 1024);
  await chat.stop.click();
  await expect(chat.stop).toHaveCount(0);
});
