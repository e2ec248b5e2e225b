//! The list of conversations: in groups, pinned, deleted and taken back, and the same in every tab without being read again.

import { readFile } from "node:fs/promises";
import type { Chat } from "../support/chat";
import { expectFits } from "../support/fits";
import { expectGoodLooks, LOOKS, picture } from "../support/looks";
import { expect, test } from "../support/test";

const links = (chat: Chat) => chat.list.getByRole("link");

async function actions(chat: Chat, title: string, action: string): Promise<void> {
  await chat.openMenu(title);
  await chat.page.getByRole("menu").getByRole("menuitem", { name: action }).click();
}

async function talk(chat: Chat): Promise<void> {
  await chat.ask("Calculate 1 + 1");
  await chat.page.getByRole("button", { name: "New chat" }).click();
  await chat.ask("Calculate 2 + 2");
  // The row of the second comes a moment later, above the first.
  await expect(links(chat)).toHaveText([/2 \+ 2/, /1 \+ 1/]);
}

for (const look of LOOKS) {
  test(`a conversation is pinned and found at the top: ${look.name}`, async ({ chat, another }) => {
    await talk(chat);
    const there = await another(look.options);
    const open = async (): Promise<void> => {
      if (look.phone) await there.page.getByRole("button", { name: "Conversations", exact: true }).click();
    };
    await open();
    await expect(there.list.getByRole("heading")).toHaveText(["Today"]);
    await there.openMenu("Calculate 1 + 1");
    await expect(there.page.getByRole("menuitem")).toHaveText(["Pin", "Rename", "Replay event by event", "Save as a page to share", "Export for another server", "Delete"]);
    await picture(there.page, `menu ${look.name}`);
    await expectGoodLooks(there.page);
    await there.page.getByRole("menuitem", { name: "Pin" }).click();
    await expect(there.list.getByRole("heading")).toHaveText(["Pinned", "Today"]);
    await expect(links(there)).toHaveText([/1 \+ 1/, /2 \+ 2/]);
    await there.page.reload();
    await open();
    await expect(there.list.getByRole("heading")).toHaveText(["Pinned", "Today"]);
    await picture(there.page, `pinned ${look.name}`);
    await expectGoodLooks(there.page);
    // The other tab heard of it.
    await expect(chat.list.getByRole("heading")).toHaveText(["Pinned", "Today"]);
  });

  test(`a deletion can be taken back: ${look.name}`, async ({ chat, another }) => {
    await talk(chat);
    const there = await another(look.options);
    if (look.phone) await there.page.getByRole("button", { name: "Conversations", exact: true }).click();
    await actions(there, "Calculate 2 + 2", "Delete");
    await expect(links(there)).toHaveCount(1);
    const undo = there.page.getByRole("button", { name: "Undo" });
    await picture(there.page, `undo ${look.name}`);
    await expectGoodLooks(there.page);
    await undo.click();
    await expect(links(there)).toHaveCount(2);
    await expect(undo).toHaveCount(0);
    await expect(links(chat)).toHaveCount(2);
  });
}

test("what happens in one tab is listed in the other, and the list is read once", async ({ chat, another }) => {
  await chat.ask("Calculate 1 + 1");
  const there = await another();
  await expect(links(there)).toHaveCount(1);
  const read: string[] = [];
  there.page.on("request", (request) => request.url().includes("/api/sessions?") && read.push(request.url()));

  await chat.page.getByRole("button", { name: "New chat" }).click();
  await chat.ask("Calculate 2 + 2");
  await expect(links(there)).toHaveText([/2 \+ 2/, /1 \+ 1/]);
  await actions(chat, "Calculate 1 + 1", "Rename");
  await chat.list.getByRole("textbox").fill("Sums");
  await chat.list.getByRole("textbox").press("Enter");
  await expect(links(there).filter({ hasText: "Sums" })).toBeVisible();
  await actions(chat, "Calculate 2 + 2", "Delete");
  await expect(chat.page.getByRole("button", { name: "Undo" })).toHaveCount(0, { timeout: 20_000 });
  await expect(links(there)).toHaveText([/Sums/]);
  expect(read).toEqual([]);
});

test("a conversation that was open comes back open when its deletion is taken back", async ({ chat }) => {
  await talk(chat);
  const session = chat.session;
  await actions(chat, "Calculate 2 + 2", "Delete");
  await expect(chat.page.getByRole("button", { name: "What time is it?" })).toBeVisible();
  await chat.page.getByRole("button", { name: "Undo" }).click();
  await expect(chat.turn("Calculate 2 + 2").locator(".reply")).toContainText("4");
  expect(chat.session).toBe(session);
});

test("a deletion that is taken back leaves the user where something else was opened", async ({ chat }) => {
  await talk(chat);
  await actions(chat, "Calculate 2 + 2", "Delete");
  await links(chat).filter({ hasText: "1 + 1" }).click();
  await expect(chat.turn("Calculate 1 + 1").locator(".reply")).toContainText("2");
  const session = chat.session;
  await chat.page.getByRole("button", { name: "Undo" }).click();
  await expect(links(chat)).toHaveCount(2);
  await expect(chat.turn("Calculate 1 + 1")).toBeVisible();
  expect(chat.session).toBe(session);
});

test("going back to a conversation that was just deleted keeps it", async ({ chat }) => {
  await talk(chat);
  await actions(chat, "Calculate 2 + 2", "Delete");
  await expect(links(chat)).toHaveCount(1);
  await chat.page.goBack();
  await expect(chat.turn("Calculate 2 + 2").locator(".reply")).toContainText("4");
  await expect(links(chat)).toHaveCount(2);
  await expect(chat.page.getByRole("button", { name: "Undo" })).toHaveCount(0);
});

test("what two tabs delete is deleted, and nobody hears of an error", async ({ chat, another }) => {
  await talk(chat);
  const there = await another();
  await actions(there, "Calculate 1 + 1", "Delete");
  await actions(chat, "Calculate 1 + 1", "Delete");
  for (const each of [chat, there]) {
    await expect(each.page.getByRole("button", { name: "Undo" })).toHaveCount(0, { timeout: 20_000 });
    await expect(links(each)).toHaveText([/2 \+ 2/]);
    await expect(each.page.locator("sb-toasts").getByRole("listitem")).toHaveCount(0);
  }
});

test("by keyboard alone: delete, go on with the next one, take it back", async ({ chat, page }) => {
  await talk(chat);
  await page.getByRole("button", { name: "New chat" }).click();
  await page.getByRole("button", { name: "Actions for Calculate 2 + 2" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: "Pin" })).toBeFocused();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await expect(links(chat)).toHaveCount(1);
  await expect(page.getByRole("button", { name: "Actions for Calculate 1 + 1" })).toBeFocused();
  await page.keyboard.press("Control+z");
  await expect(links(chat)).toHaveCount(2);
});

test("a name that was given gives the keyboard back to its row", async ({ chat, page }) => {
  await talk(chat);
  await page.getByRole("button", { name: "Actions for Calculate 1 + 1" }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(chat.list.getByRole("textbox")).toBeFocused();
  await page.keyboard.type("Sums");
  await page.keyboard.press("Enter");
  await expect(links(chat).filter({ hasText: "Sums" })).toBeFocused();
});

test("the menu gives the keyboard back, but not after a click elsewhere", async ({ chat, page }) => {
  await talk(chat);
  await chat.openMenu("Calculate 1 + 1");
  await expect(page.getByRole("menu")).toBeVisible();
  await chat.field.click();
  await expect(page.getByRole("menu")).toBeHidden();
  // What the menu does when it has closed is done by then.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  await expect(chat.field).toBeFocused();
});

test("a row opens in a tab of its own where that is asked for", async ({ chat, page }) => {
  await talk(chat);
  const session = chat.session;
  for (const open of [{ modifiers: ["ControlOrMeta" as const] }, { button: "middle" as const }]) {
    const opened = page.context().waitForEvent("page");
    await links(chat).filter({ hasText: "1 + 1" }).click(open);
    const there = await opened;
    await expect(there.locator("sb-turn .bubble")).toContainText("Calculate 1 + 1");
    await there.close();
    expect(chat.session).toBe(session);
    await expect(chat.turn("Calculate 2 + 2")).toBeVisible();
  }
});

test("on a phone, what can be taken back does not lie over the field", async ({ chat, another }) => {
  await talk(chat);
  const there = await another(LOOKS.find(({ phone }) => phone)?.options, chat.page.url());
  await expect(there.turn("Calculate 2 + 2")).toBeVisible();
  await there.page.getByRole("button", { name: "Conversations", exact: true }).click();
  await actions(there, "Calculate 2 + 2", "Delete");
  await expect(there.page.getByRole("button", { name: "Undo" })).toBeVisible();
  await there.field.click({ timeout: 3_000 });
  await expect(there.field).toBeFocused();
  await expectGoodLooks(there.page);
});

test("closing the page finishes a deletion", async ({ chat, another }) => {
  await talk(chat);
  const there = await another();
  await actions(there, "Calculate 1 + 1", "Delete");
  await there.page.close({ runBeforeUnload: false });
  await expect(links(chat)).toHaveCount(1);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`a conversation is shared as a page that loads and runs nothing: ${colorScheme}`, async ({ chat, browser, server }) => {
    await server.file("sales.csv", "region,amount\nnorth,10\nsouth,20\n");
    await chat.ask("Remember that the tag is <img src=x onerror=window.__pwned=1>");
    await chat.ask("Read sales.csv");
    const saved = chat.page.waitForEvent("download");
    await actions(chat, "Remember that the tag", "Save as a page to share");
    const path = await (await saved).path();
    const text = await readFile(path, "utf8");
    const context = await browser.newContext({ colorScheme });
    const page = await context.newPage();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.setContent(text);
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Remember that the tag is <img");
    await expect(page.locator("article.user")).toHaveCount(2);
    await expect(page.locator("img, script, link")).toHaveCount(0);
    expect(await page.evaluate(() => (window as { __pwned?: unknown }).__pwned)).toBeUndefined();
    await page.locator("details").filter({ hasText: "file_read · Read sales.csv" }).locator("summary").click();
    await picture(page, `shared ${colorScheme}`);
    await expectGoodLooks(page);
    await page.setViewportSize({ width: 360, height: 740 });
    await expectGoodLooks(page);
    await expectFits(page);
    expect(asked).toEqual([]);
    await context.close();
  });
}

test("an address that is chosen is kept, also when something comes in at that moment", async ({ chat, page }) => {
  await chat.ask("Calculate 1 + 1");
  const before = chat.session;
  await page.getByRole("button", { name: "New chat" }).click();
  await chat.ask("Calculate 2 + 2");
  // The page hears of the address a moment later; the connection's state changes first.
  await page.evaluate((session) => {
    location.hash = session;
    document.querySelector("sb-app")?.dispatchEvent(new CustomEvent("sb-reconnect"));
  }, before);
  await expect(chat.turn("Calculate 1 + 1").locator(".reply")).toContainText("2");
  expect(chat.session).toBe(before);
});

test("a conversation that was exported is taken in again, and what is none is refused in words", async ({ chat, page, server }) => {
  await chat.ask("Calculate 6 * 7 and call it answer");
  const file = await (await fetch(`${server.origin}/api/sessions/${chat.session}/export`)).text();
  const before = chat.session;
  const choose = async (name: string, text: string): Promise<void> => {
    const asked = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Import a conversation" }).click();
    await (await asked).setFiles({ name, mimeType: "application/x-ndjson", buffer: Buffer.from(text) });
  };
  await choose("broken.jsonl", "nothing of the kind\n");
  await expect(page.getByText("broken.jsonl was not imported")).toBeVisible();
  expect(chat.session).toBe(before);

  await choose("kept.jsonl", file);
  await expect.poll(() => chat.session).not.toBe(before);
  await expect(chat.turn("Calculate 6 * 7 and call it answer").locator(".reply")).toContainText("42");
  await expect(chat.variables).toContainText("answer");
});
