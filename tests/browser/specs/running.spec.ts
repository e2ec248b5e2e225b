//! While something runs: its output, the stop button, messages that wait. A command runs until a file appears, or a
//! turn waits for its approval, so that no test depends on how fast anything is.

import type { Chat } from "../support/chat";
import { expect, test } from "../support/test";

test.use({ options: ["--approve", "ask"] });

/** Begins a command that runs until the file `go` is there, for as long as a command may. */
async function begin(chat: Chat, before = "echo began"): Promise<void> {
  await chat.say(`Run \`${before}; until [ -e go ]; do sleep 0.05; done; echo ended\``);
  await chat.approval.getByRole("button", { name: "Edit" }).click();
  await chat.approval.getByRole("button", { name: "Add an argument" }).click();
  await chat.approval.getByRole("textbox", { name: "Name of argument 1" }).fill("timeout");
  await chat.approval.getByRole("textbox", { name: "Value of argument 1" }).fill("60");
  await chat.decide("Allow edited, once");
  await expect(chat.turns.last().locator("sb-tool-call .output")).toContainText("began");
}

/** Begins a turn that waits for an approval. */
async function wait(chat: Chat): Promise<void> {
  await chat.say("Run `echo it-ran`");
  await expect(chat.approval).toBeVisible();
}

test("output is shown while it comes", async ({ chat, server }) => {
  await begin(chat);
  const turn = chat.turns.last();
  await expect(turn.locator("sb-tool-call")).toContainText("Running");
  await expect(chat.stop).toBeVisible();

  await server.file("go", "");
  await expect(turn.locator(".reply")).toContainText("ended");
  await expect(chat.stop).toHaveCount(0);
});

test("stop stops", async ({ chat }) => {
  await begin(chat);
  await chat.stop.click();

  await expect(chat.turns.last().locator(".failure.calm")).toBeVisible();
  await chat.openSteps(chat.turns.last());
  await expect(chat.turns.last().locator("sb-tool-call")).toContainText("Stopped");
  await expect(chat.stop).toHaveCount(0);
  await expect((await chat.ask("Calculate 6 * 7")).locator(".reply")).toContainText("42");
});

test("stop is there after a reload as well, with the output so far", async ({ chat, page }) => {
  await begin(chat);
  await page.reload();
  await expect(chat.turns.last().locator("sb-tool-call .output")).toContainText("began");
  await chat.stop.click();
  await expect(chat.turns.last().locator(".failure")).toBeVisible();
  await expect(chat.stop).toHaveCount(0);
});

test("very much output keeps the page small", async ({ chat }) => {
  // A page that reads more slowly than this is written does without some of it; it has caught up when the last line comes.
  await begin(chat, "seq 1 200000; sleep 3; echo began");
  const output = chat.turns.last().locator("sb-tool-call .output");
  expect((await output.textContent())?.length).toBeLessThanOrEqual(16 * 1024);
  await chat.stop.click();
  await expect(chat.stop).toHaveCount(0);
});

test("stop ends a turn that waits for an approval", async ({ chat }) => {
  await wait(chat);
  await chat.stop.click();
  await expect(chat.approval).toHaveCount(0);
  await expect(chat.turns.last().locator(".failure")).toBeVisible();
  await expect(chat.stop).toHaveCount(0);
});

test("a message waits for the turn to end, and can be removed", async ({ chat }) => {
  await wait(chat);
  await chat.say("Calculate 1 + 1");
  await chat.say("Calculate 2 + 2");
  await expect(chat.turn("Calculate 1 + 1")).toContainText("Waiting for the current turn to end");
  await chat.turn("Calculate 2 + 2").getByRole("button", { name: "Remove" }).click();
  await expect(chat.turn("Calculate 2 + 2").locator(".failure")).toBeVisible();

  await chat.decide("Allow once");
  await expect(chat.turn("Calculate 1 + 1").locator(".reply")).toContainText("2");
});

test("a message can take the place of the turn", async ({ chat, page }) => {
  await wait(chat);
  await page.getByText("instead of it").click();
  await chat.say("Calculate 1 + 1");
  await expect(chat.turn("Calculate 1 + 1").locator(".reply")).toContainText("2");
  await expect(chat.turns.first().locator(".failure")).toBeVisible();
  await expect(chat.approval).toHaveCount(0);
});

test("a message can join the turn", async ({ chat, page }) => {
  await wait(chat);
  await page.getByText("into this turn").click();
  await chat.say("and calculate 20 + 22");
  await expect(chat.turns.last()).toContainText("Joins the current turn at its next step");
  await chat.decide("Allow once");
  await expect(page.locator("sb-turn .reply").filter({ hasText: "42" })).toBeVisible();
  await chat.idle();
});
