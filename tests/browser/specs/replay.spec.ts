//! A conversation is shown as it stood at any of its events, and goes on from there in a new one.

import type { Chat } from "../support/chat";
import { expectGoodLooks, LOOKS, picture } from "../support/looks";
import { expect, test } from "../support/test";

const replay = (chat: Chat) => chat.page.locator("sb-replay");
const slider = (chat: Chat) => replay(chat).getByRole("slider", { name: "Event" });

async function begin(chat: Chat, title: string): Promise<void> {
  await chat.openMenu(title);
  await chat.page.getByRole("menuitem", { name: "Replay event by event" }).click();
  await expect(slider(chat)).toBeFocused();
}

/** Goes to the first event with these words. */
async function to(chat: Chat, words: string): Promise<void> {
  await slider(chat).press("Home");
  const what = replay(chat).locator(".what");
  const all = Number(await slider(chat).getAttribute("max"));
  for (let at = 1; at < all && (await what.textContent()) !== words; at += 1) {
    await slider(chat).press("ArrowRight");
    await expect(replay(chat)).toContainText(`Event ${at + 1} of ${all}`);
  }
  await expect(what).toHaveText(words);
}

for (const look of LOOKS) {
  test(`a conversation is shown as it stood, and goes on from there: ${look.name}`, async ({ another, server }) => {
    await server.file("notes.txt", "buy milk\n");
    const chat = await another(look.options);
    const { page } = chat;
    const say = async (text: string): Promise<void> => {
      await chat.send(text);
      await expect(chat.turn(text).last().locator(".reply")).toBeVisible();
      await chat.idle();
    };
    await say("Read notes.txt");
    await say("Calculate 6 * 7");
    const whole = chat.session;
    if (look.phone) await page.getByRole("button", { name: "Conversations", exact: true }).click();
    await begin(chat, "Read notes.txt");
    await expect(chat.turns).toHaveCount(2);
    await expect(chat.field).toBeHidden();

    await to(chat, "calculator begins");
    await expect(chat.turns.nth(1).locator(".reply")).toHaveCount(0);
    await expect(chat.turns.nth(1)).toContainText("Running calculator");
    await picture(page, `replay ${look.name}`);
    await expectGoodLooks(page);
    await replay(chat).getByRole("button", { name: "Previous event" }).click();
    await expect(replay(chat).locator(".what")).not.toHaveText("calculator begins");

    await to(chat, "Reply");
    await expect(chat.turns).toHaveCount(1);
    await expect(chat.turns.first().locator(".reply")).toContainText("buy milk");
    await replay(chat).getByRole("button", { name: "Go on from here" }).click();
    await expect(replay(chat)).toHaveCount(0);
    await expect.poll(() => chat.session).not.toBe(whole);
    await expect(chat.turns).toHaveCount(1);
    await say("Calculate 2 * 2");
    await expect(chat.turns).toHaveCount(2);
  });
}

test("a variable has the value that it had, and nothing can be changed", async ({ chat, page }) => {
  await chat.ask("Calculate 6 * 7");
  const names = chat.variables.locator(".variable");
  await expect(names).toHaveCount(1);
  const name = (await names.locator(".name").textContent()) ?? "";
  await names.locator(".open").click();
  await chat.window.getByRole("button", { name: "Edit" }).click();
  await chat.window.getByRole("textbox").fill("1001");
  await chat.window.getByRole("button", { name: "Save" }).click();
  await expect(names).toContainText("1001");
  await page.keyboard.press("Escape");

  await begin(chat, "Calculate 6 * 7");
  await expect(names).toContainText("1001");
  await to(chat, "Reply");
  await expect(names).toContainText("42");
  await names.locator(".open").click();
  await expect(chat.window.locator("pre")).toHaveText("42");
  await expect(chat.window.getByRole("button", { name: "Edit" })).toBeDisabled();
  await page.keyboard.press("Escape");
  await expect(chat.turns.getByRole("button", { name: "Edit this message" })).toHaveCount(0);
  await slider(chat).press("Home");
  await expect(names).toHaveCount(0);
  // Back at now all is as it was.
  await slider(chat).press("Escape");
  await expect(replay(chat)).toHaveCount(0);
  await expect(names.filter({ hasText: name })).toContainText("1001");
  await expect(chat.field).toBeFocused();
  await expect(chat.turns.getByRole("button", { name: "Edit this message" })).toHaveCount(1);
});

test("the log goes on while the past is shown, and a draft stays", async ({ chat, another, page }) => {
  await chat.ask("Calculate 1 + 1");
  const there = await another({}, page.url());
  await expect(there.turns).toHaveCount(1);
  await chat.field.fill("half a thought");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("replay");
  await page.keyboard.press("Enter");
  await expect(slider(chat)).toBeFocused();
  const all = Number(await slider(chat).getAttribute("max"));
  await slider(chat).press("Home");
  await there.ask("Calculate 2 + 2");
  await expect.poll(async () => Number(await slider(chat).getAttribute("max"))).toBeGreaterThan(all);
  await expect(replay(chat)).toContainText("Event 1 of");
  await expect(chat.turns).toHaveCount(1);
  await replay(chat).getByRole("button", { name: "Back to now" }).click();
  await expect(chat.turns).toHaveCount(2);
  await expect(chat.field).toHaveValue("half a thought");
});
