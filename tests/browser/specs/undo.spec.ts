//! A change of a file is seen as a diff, under the reply and in its card, and is put back from either.

import { expect, test } from "../support/test";

test.use({ options: ["--approve", "ask"] });

test("a change is allowed, seen as a diff, undone under the reply, and brought back", async ({ chat, server }) => {
  await server.file("notes.txt", "apples\npears\n");
  await chat.say('Replace "apples" with "plums" in notes.txt');
  await expect(chat.approval).toContainText("This can be undone.");
  await chat.decide("Allow once");
  const turn = chat.turns.last();
  await expect(turn.locator(".reply")).toBeVisible();
  await chat.idle();
  expect(await server.content("notes.txt")).toBe("plums\npears\n");

  // The steps are folded: what changed stands under the reply all the same.
  const changed = turn.locator(".changed");
  await expect(changed).toContainText("+1 −1");
  await chat.openSteps(turn);
  const diff = turn.getByRole("group", { name: "What changed" });
  await expect(diff.locator(".removed")).toHaveText("-apples");
  await expect(diff.locator(".added")).toHaveText("+plums");

  // It is the user who asks for it, so nobody is asked.
  await changed.getByRole("button", { name: "Undo" }).click();
  await expect(chat.approval).toHaveCount(0);
  await expect(changed).toHaveText("Undone: the files are as they were before.");
  expect(await server.content("notes.txt")).toBe("apples\npears\n");

  // The undo is a change itself, with its own card.
  const undo = chat.page.locator("sb-tool-call.loose").last();
  await expect(undo).toContainText("file_undo");
  await undo.getByRole("button", { name: "Undo" }).click();
  await expect(changed.getByRole("button", { name: "Undo" })).toBeVisible();
  expect(await server.content("notes.txt")).toBe("plums\npears\n");
});

test("an undo of what somebody changed meanwhile says so and changes nothing", async ({ chat, server }) => {
  await chat.say('Write "one" to fresh.txt');
  await chat.decide("Allow once");
  const turn = chat.turns.last();
  await expect(turn.locator(".changed")).toBeVisible();
  await chat.idle();
  await server.file("fresh.txt", "by hand");

  await turn.locator(".changed").getByRole("button", { name: "Undo" }).click();

  await expect(chat.page.locator("sb-tool-call.loose").last()).toContainText("fresh.txt has changed since then");
  await expect(turn.locator(".changed").getByRole("button", { name: "Undo" })).toBeVisible();
  expect(await server.content("fresh.txt")).toBe("by hand");
});

test("after a reload it can still be undone", async ({ chat, server }) => {
  await chat.say('Write "one" to fresh.txt');
  await chat.decide("Allow once");
  await expect(chat.turns.last().locator(".changed")).toBeVisible();
  await chat.idle();
  await chat.page.reload();

  await chat.turns.last().locator(".changed").getByRole("button", { name: "Undo" }).click();

  await expect(chat.turns.last().locator(".changed")).toContainText("Undone");
  expect(await server.content("fresh.txt")).toBeUndefined();
});
