//! A choice shows what it was made from, and another tool can be taken for the same request: in the timeline, by
//! keyboard, and by `/try` with its completion.

import type { Chat } from "../support/chat";
import { expectGoodLooks, LOOKS, picture } from "../support/looks";
import { expect, test } from "../support/test";

const REQUEST = "Where does it say TODO in notes.txt?";

/** Sends the request and opens what its choice was made from. */
async function choices(chat: Chat) {
  // On a phone the button sends.
  await chat.send(REQUEST);
  const turn = chat.turn(REQUEST).first();
  await expect(turn.locator(".reply")).toBeVisible();
  await chat.idle();
  const steps = await chat.openSteps(turn);
  await steps.locator(".found > summary").click();
  await expect(steps.getByText("✓ chosen")).toBeVisible();
  return { turn, steps };
}

for (const look of LOOKS) {
  test(`another tool is taken for the same request: ${look.name}`, async ({ another, server }) => {
    await server.file("notes.txt", "buy milk\nTODO: make tea\n");
    const chat = await another(look.options);
    const { page } = chat;
    const { steps } = await choices(chat);
    await picture(page, `choice ${look.name}`);
    await expectGoodLooks(page);

    await steps.getByRole("button", { name: "Try this one: grep" }).click();
    const second = chat.turns.nth(1);
    await expect(second.locator(".reply")).toContainText("make tea");
    await chat.idle();
    await expect(second.locator(".bubble")).toContainText(REQUEST);
    await expect(second).toContainText("With grep, as you asked");
    await expect(second.locator(".tools-used")).toContainText("grep");
    await expect(page.getByText("/try")).toHaveCount(0);
    await picture(page, `tried ${look.name}`);
    await expectGoodLooks(page);
  });
}

test("another tool is taken by keyboard alone", async ({ chat, page, server }) => {
  await server.file("notes.txt", "buy milk\nTODO: make tea\n");
  const { steps } = await choices(chat);
  await steps.locator(".found > summary").focus();
  const other = steps.getByRole("button", { name: "Try this one: grep" });
  for (let presses = 0; presses < 15 && !(await other.evaluate((button) => button.matches(":focus"))); presses += 1) await page.keyboard.press("Tab");
  await expect(other).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(chat.turns.nth(1)).toContainText("With grep, as you asked");
  await chat.idle();
});

test("a tool's name is completed behind /try, and a wrong one is told", async ({ chat, page, server }) => {
  await server.file("notes.txt", "buy milk\nTODO: make tea\n");
  await chat.ask(REQUEST);
  await chat.field.pressSequentially("/try file_re");
  const offer = page.getByRole("option", { name: /^file_read/ });
  await expect(offer).toBeVisible();
  await chat.field.press("Tab");
  await expect(chat.field).toHaveValue("/try file_read ");
  await chat.field.press("Enter");
  await expect(chat.turns.nth(1)).toContainText("With file_read, as you asked");
  await chat.idle();

  await chat.say("/try file_raed");
  const answer = page.getByRole("group", { name: "Answer to a command" });
  await expect(answer).toContainText("Did you mean");
  await expect(answer).toContainText("file_read");
});
