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

/** The way between the versions of a message. */
const versions = (turn: Locator, n: number, of: number) => turn.getByRole("group", { name: `Version ${n} of ${of}`, exact: true });
const BEFORE = "Previous version of this message";
const AFTER = "Next version of this message";

for (const look of LOOKS) {
  test(`both conversations show the versions of a message: ${look.name}`, async ({ another }) => {
    const chat = await another(look.options);
    const { page } = chat;
    // More than the screen shows stands before the message.
    for (const n of [1, 2, 3, 4, 5, 6]) await asked(chat, `Calculate ${n} * 100`, `${n}00`);
    const first = await asked(chat, "Calculate 40 + 1", "41");
    await expect(page.getByRole("group", { name: /^Version/ })).toHaveCount(0);
    const origin = chat.session;
    await first.getByRole("button", { name: "Edit this message" }).click();
    await opens(chat, () => chat.send("Calculate 40 + 2"));
    const second = await answered(chat, "Calculate 40 + 2", "42");
    const fork = chat.session;

    const pager = versions(second, 2, 2);
    await expect(pager).toContainText("2/2");
    await expect(pager.getByRole("button", { name: AFTER })).toBeDisabled();
    await expect(page.getByRole("group", { name: /^Version/ })).toHaveCount(1);
    await picture(page, `versions ${look.name}`);
    await expectGoodLooks(page);

    // The reader stays at the message, and the keyboard at the way back.
    await asked(chat, "Calculate 7 * 100", "700");
    await second.locator(".bubble").evaluate((bubble) => bubble.scrollIntoView({ block: "center" }));
    const top = async (turn: Locator) => (await turn.locator(".bubble").boundingBox())?.y ?? 0;
    const stood = await top(second);
    await pager.getByRole("button", { name: BEFORE }).press("Enter");
    const there = versions(chat.turn("Calculate 40 + 1"), 1, 2);
    await expect(there.getByRole("button", { name: AFTER })).toBeFocused();
    expect(chat.session.split("@")[0]).toBe(origin);
    await expect(chat.turn("Calculate 40 + 2")).toHaveCount(0);
    // At its end a conversation has nothing to scroll to.
    const end = await chat.conversation.evaluate((view) => view.scrollHeight - view.clientHeight - view.scrollTop);
    if (end > 1) await expect.poll(async () => Math.abs((await top(chat.turn("Calculate 40 + 1"))) - stood)).toBeLessThan(3);
    await picture(page, `version before ${look.name}`);
    await expectGoodLooks(page);

    await page.keyboard.press("Enter");
    await expect(versions(second, 2, 2).getByRole("button", { name: BEFORE })).toBeFocused();
    expect(chat.session.split("@")[0]).toBe(fork);
    await expect.poll(async () => Math.abs((await top(second)) - stood)).toBeLessThan(3);

    // Whoever arrives by an address finds them too.
    for (const [session, turn, n] of [[origin, "Calculate 40 + 1", 1], [fork, "Calculate 40 + 2", 2]] as const) {
      await page.goto(`${new URL(page.url()).origin}/#${session}`);
      await page.reload();
      await expect(versions(chat.turn(turn), n, 2)).toBeVisible();
    }
  });
}

test("versions of versions are counted, those sent again too, and deleted ones are not", async ({ chat, page }) => {
  const first = await asked(chat, "Calculate 1 + 1", "2");
  const origin = chat.session;
  await first.getByRole("button", { name: "Edit this message" }).click();
  await opens(chat, () => chat.send("Calculate 2 + 2"));
  const second = await answered(chat, "Calculate 2 + 2", "4");
  await opens(chat, () => second.getByRole("button", { name: "Answer again" }).click());
  await answered(chat, "Calculate 2 + 2", "4");
  await versions(chat.turns.first(), 3, 3).getByRole("button", { name: BEFORE }).click();
  await versions(chat.turns.first(), 2, 3).getByRole("button", { name: BEFORE }).click();
  await expect(versions(chat.turn("Calculate 1 + 1"), 1, 3)).toBeVisible();

  // The first one is deleted elsewhere: the open page hears of it.
  await versions(chat.turns.first(), 1, 3).getByRole("button", { name: AFTER }).click();
  await expect(versions(chat.turns.first(), 2, 3)).toBeVisible();
  expect((await page.request.delete(`${new URL(page.url()).origin}/api/sessions/${origin}`)).status()).toBe(204);
  await expect(versions(chat.turns.first(), 1, 2)).toBeVisible();

  // And here: it is gone at once, and comes back when that is taken back.
  const last = chat.list.getByRole("listitem").filter({ has: page.locator(`a[href="#${chat.session.split("@")[0]}"]`) });
  await expect(last).toHaveCount(1);
  const other = chat.list.getByRole("listitem").filter({ hasNot: page.locator(`a[href="#${chat.session.split("@")[0]}"]`) });
  await other.hover();
  await other.getByRole("button", { name: /^Actions for/ }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(page.getByRole("group", { name: /^Version/ })).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(versions(chat.turns.first(), 1, 2)).toBeVisible();
});

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
