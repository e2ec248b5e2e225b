//! A message that is edited, sent again or forked goes on in a new conversation; the old one stays as it was.

import type { Locator } from "@playwright/test";
import type { Chat } from "../support/chat";
import { expectGoodLooks, LOOKS, picture } from "../support/looks";
import { expect, test } from "../support/test";

const FIRST = "Calculate 6 * 7 and call it answer";

async function answered(chat: Chat, text: string, reply: string): Promise<Locator> {
  const turn = chat.turn(text).last();
  await expect(turn.locator(".reply")).toContainText(reply);
  await chat.idle();
  return turn;
}

async function asked(chat: Chat, text: string, reply: string): Promise<Locator> {
  await chat.send(text);
  return answered(chat, text, reply);
}

/** Sends what makes a new conversation, and waits until it is open. */
async function opens(chat: Chat, act: () => Promise<void>): Promise<void> {
  const before = chat.session;
  await act();
  await expect.poll(() => chat.session).not.toBe(before);
}

for (const look of LOOKS) {
  test(`a message is edited: ${look.name}`, async ({ another }) => {
    const chat = await another(look.options);
    const { page } = chat;
    await asked(chat, FIRST, "42");
    const first = chat.session;
    const second = await asked(chat, "Calculate @answer + 1", "43");

    await second.getByRole("button", { name: "Edit this message" }).click();
    await expect(chat.field).toBeFocused();
    await expect(chat.field).toHaveValue("Calculate @answer + 1");
    await expect(page.getByText("A new conversation begins with this message")).toBeVisible();
    await picture(page, `editing ${look.name}`);
    await expectGoodLooks(page);
    await opens(chat, () => chat.send("Calculate @answer + 100"));

    await answered(chat, "Calculate @answer + 100", "142");
    await expect(chat.turns).toHaveCount(2);
    await expect(chat.turn(FIRST).locator(".reply")).toContainText("42");
    await expect(page.getByText("/rerun")).toHaveCount(0);
    await expect(page.getByRole("heading", { level: 1 })).toContainText("(fork)");
    await picture(page, `edited ${look.name}`);
    await expectGoodLooks(page);

    // What was there before the edit is there as it was.
    if (look.phone) await page.getByRole("button", { name: "Conversations", exact: true }).click();
    const list = page.getByRole("navigation", { name: "Conversations" });
    await expect(list.getByRole("link")).toHaveCount(2);
    await picture(page, `conversations ${look.name}`);
    await list.locator(`a[href="#${first}"]`).click();
    await answered(chat, "Calculate @answer + 1", "43");
    expect(chat.session).toBe(first);
  });

  test(`a conversation is forked and a message sent again: ${look.name}`, async ({ another }) => {
    const chat = await another(look.options);
    await asked(chat, FIRST, "42");

    await opens(chat, () => chat.send("/fork"));
    await answered(chat, FIRST, "42");
    await asked(chat, "Calculate @answer + 1", "43");
    await picture(chat.page, `forked ${look.name}`);
    await expectGoodLooks(chat.page);

    await opens(chat, () => chat.send("/rerun"));
    await answered(chat, "Calculate @answer + 1", "43");
    await expect(chat.turns).toHaveCount(2);
    await chat.page.goBack();
    await answered(chat, "Calculate @answer + 1", "43");
    await expect(chat.page.getByRole("group", { name: "Answer to a command" }).last()).toContainText("A new session");
  });
}

test("an edit can be given up, and is when another conversation is opened", async ({ chat, page }) => {
  const turn = await asked(chat, FIRST, "42");
  const note = page.getByText("A new conversation begins with this message");
  const edit = turn.getByRole("button", { name: "Edit this message" });
  await edit.click();
  await page.getByRole("button", { name: "Cancel edit" }).click();
  await expect(note).toHaveCount(0);
  await expect(chat.field).toHaveValue("");

  await edit.click();
  await page.getByRole("button", { name: "New chat" }).click();
  await expect(page.getByRole("button", { name: "What time is it?" })).toBeVisible();
  await expect(note).toHaveCount(0);
  await asked(chat, "Calculate 2 + 2", "4");
  await expect(chat.turns).toHaveCount(1);
});

test("text of several lines stays as it was written", async ({ chat }) => {
  await chat.field.fill("Calculate 1 + 1");
  await chat.field.press("Enter");
  const turn = await answered(chat, "Calculate 1 + 1", "2");
  await turn.getByRole("button", { name: "Edit this message" }).click();

  await opens(chat, async () => {
    await chat.field.fill("Remember that:\n  red is a colour");
    await chat.field.press("Enter");
  });

  await expect(chat.turns.last().locator(".bubble")).toContainText("Remember that:\n  red is a colour", { useInnerText: true });
});
