//! Rules hold in the browser too: an edit cannot slip past one, and what holds is listed.

import { expect, test } from "../support/test";

test.use({ options: ["--approve", "ask", "--deny", "bash(touch *)"] });

test("an edited command that a rule denies does not run, and the rule is named", async ({ chat, server }) => {
  await chat.say("Run `echo harmless`");
  await expect(chat.approval).toContainText("“For this session” allows exactly this call in this session");
  await chat.approval.getByRole("button", { name: "Edit" }).click();
  await chat.approval.getByRole("textbox", { name: "command" }).fill("echo a && touch trace");
  await chat.decide("Allow edited, once");

  const turn = chat.turns.last();
  await expect(turn.locator(".failure, .reply").first()).toBeVisible();
  await chat.idle();
  await expect(turn).toContainText("bash(touch *)");
  expect(await server.content("trace")).toBeUndefined();
});

test("rules are listed, added for the session, and hold", async ({ chat, server }) => {
  await chat.say("/permissions allow bash(echo *)");
  await expect(chat.conversation).toContainText("Runs without asking: bash(echo *) in this session");
  await chat.say("/permissions");
  await expect(chat.conversation).toContainText("deny bash(touch *)");
  await expect(chat.conversation).toContainText("allow bash(echo *): of this session");

  await chat.say("Run `echo unasked | tee /dev/null`");
  await expect(chat.approval).toContainText("May bash run?");
  await chat.decide("Deny");
  await chat.idle();
  await chat.say("Run `echo unasked`");
  await expect(chat.turns.last().locator(".reply")).toContainText("unasked");
  await expect(chat.approval).toHaveCount(0);
  expect(await server.content("trace")).toBeUndefined();
});
