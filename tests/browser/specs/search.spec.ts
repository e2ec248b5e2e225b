//! What was said in all conversations is found as it is typed, and a place that was found is one click away.

import type { Chat } from "../support/chat";
import { expectGoodLooks, LOOKS, picture } from "../support/looks";
import { expect, test } from "../support/test";

const field = (chat: Chat) => chat.page.getByRole("searchbox", { name: "Search conversations" });
const found = (chat: Chat) => chat.page.getByRole("region", { name: "What was found" });

/** Three conversations; the last one stays open. */
async function talk(chat: Chat): Promise<void> {
  await chat.ask("Calculate 17 * 3");
  await chat.page.getByRole("button", { name: "New chat" }).click();
  await chat.ask("Remember that the Größe of the Überschrift is 42 pixels");
  for (const number of [1, 2, 3, 4, 5, 6]) await chat.ask(`Calculate ${number} + 1000`);
  await chat.page.getByRole("button", { name: "New chat" }).click();
  await chat.ask("Calculate 5 * 5");
}

for (const look of LOOKS) {
  test(`what was said is found, and opens at its place: ${look.name}`, async ({ another, chat }) => {
    await talk(chat);
    const there = await another(look.options);
    if (look.phone) await there.page.getByRole("button", { name: "Conversations", exact: true }).click();
    await field(there).fill("grosse übersch");
    await expect(found(there)).toContainText("1 conversation");
    await expect(there.page.getByRole("navigation", { name: "Conversations" })).toHaveCount(0);
    const place = found(there).getByRole("link", { name: /^You: .*42 pixels/ });
    await expect(place.locator("mark")).toHaveText(["Größe", "Überschrift"]);
    await picture(there.page, `search ${look.name}`);
    await expectGoodLooks(there.page);

    await place.click();

    const bubble = there.turn("Überschrift is 42 pixels").locator(".bubble");
    await expect(bubble).toBeInViewport();
    await expect(there.turns).toHaveCount(7);
    // The words are marked without a change to the page.
    expect(await there.page.evaluate(() => [...(CSS.highlights.get("found") ?? [])].map((range) => range.toString()))).toEqual(["Größe", "Überschrift"]);
    await picture(there.page, `found ${look.name}`);
    await expectGoodLooks(there.page);
    // It stays in view when the page has come to rest.
    await there.page.evaluate(async () => {
      for (let frame = 0; frame < 30; frame++) await new Promise(requestAnimationFrame);
    });
    await expect(bubble).toBeInViewport();
  });
}

test("the keyboard alone finds, opens and goes back to the list", async ({ chat }) => {
  await talk(chat);
  await field(chat).focus();
  await chat.page.keyboard.type("pixels");
  await expect(found(chat)).toContainText("1 conversation");
  await chat.page.keyboard.press("ArrowDown");
  await chat.page.keyboard.press("ArrowDown");
  await chat.page.keyboard.press("Enter");
  await expect(chat.turn("Überschrift is 42 pixels").locator(".bubble")).toBeInViewport();
  await chat.page.keyboard.press("Escape");
  await expect(field(chat)).toBeFocused();
  await expect(field(chat)).toHaveValue("");
  await expect(chat.page.getByRole("navigation", { name: "Conversations" })).toBeVisible();
});

test("a message of long ago is read from the log and shown", async ({ chat, another }) => {
  test.slow();
  await chat.ask("Remember that the needle is made of steel");
  for (let at = 0; at < 60; at += 1) await chat.ask(`Calculate ${at} + 7`);
  const there = await another();
  await field(there).fill("needle");
  await found(there).getByRole("link", { name: /^You: .*needle/ }).click();
  await expect(there.turn("needle is made of steel").locator(".bubble")).toBeInViewport();
});

test("the palette finds what was said too, and opens the place", async ({ chat, page }) => {
  await talk(chat);
  await page.keyboard.press("Control+k");
  const palette = page.locator("sb-palette");
  await expect(palette.getByRole("combobox")).toBeFocused();
  // It stands in the reply, not in the title.
  await page.keyboard.type("1001");
  const option = palette.getByRole("option", { selected: true });
  await expect(option).toContainText("Remember that the Größe");
  await page.keyboard.press("Enter");
  await expect(palette).toHaveCount(0);
  await expect(chat.turn("Calculate 1 + 1000").locator(".reply")).toBeInViewport();
  expect(await page.evaluate(() => [...(CSS.highlights.get("found") ?? [])].map((range) => range.toString()))).toEqual(["1001"]);
});

test("a place opens in a tab of its own where that is asked for", async ({ chat, page }) => {
  await talk(chat);
  const session = chat.session;
  await field(chat).fill("pixels");
  const opened = page.context().waitForEvent("page");
  await found(chat).getByRole("link", { name: /^You:/ }).click({ modifiers: ["ControlOrMeta"] });
  const there = await opened;
  await expect(there.locator("sb-turn .bubble").filter({ hasText: "42 pixels" })).toBeInViewport();
  await there.close();
  expect(chat.session).toBe(session);
});

test("whoever goes on from a place comes back to the end", async ({ chat, page }) => {
  await talk(chat);
  await field(chat).fill("pixels");
  await found(chat).getByRole("link", { name: /^You:/ }).click();
  await expect(chat.turn("Überschrift is 42 pixels").locator(".bubble")).toBeInViewport();
  await chat.ask("Calculate 99 + 1");
  await page.reload();
  await expect(chat.turn("Calculate 99 + 1")).toBeInViewport();
  await expect(chat.turn("Überschrift is 42 pixels").locator(".bubble")).not.toBeInViewport();
});

test("what is being deleted is not found", async ({ chat, page }) => {
  await talk(chat);
  await chat.openMenu("Calculate 17 * 3");
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await field(chat).fill("17 * 3");
  await expect(found(chat)).toContainText("Nothing was found");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(found(chat).getByRole("link", { name: /^You:/ })).toBeVisible();
});

test("the address of a place leads to it", async ({ chat, another, server }) => {
  await talk(chat);
  await field(chat).fill("pixels");
  const link = await found(chat).getByRole("link", { name: /^You:/ }).getAttribute("href");
  const there = await another({}, `${server.origin}/${link}`);
  await expect(there.turn("Überschrift is 42 pixels").locator(".bubble")).toBeInViewport();
});

test("nothing that is found is markup, and what is gone is not found", async ({ chat }) => {
  await chat.ask("Remember that the tag is <img src=x onerror=window.__pwned=1>");
  await field(chat).fill("onerror");
  await expect(found(chat)).toContainText("<img src=x");
  expect(await found(chat).locator("img").count()).toBe(0);
  await field(chat).fill("zanzibar");
  await expect(found(chat)).toContainText("Nothing was found");
});

test("the page speaks German here too", async ({ another, chat }) => {
  await talk(chat);
  const there = await another({ locale: "de-DE" });
  await there.page.getByRole("searchbox", { name: "Unterhaltungen durchsuchen" }).fill("pixels");
  await expect(there.page.getByRole("region", { name: "Gefunden" })).toContainText("1 Unterhaltung");
});
