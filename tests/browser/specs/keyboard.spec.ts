//! Everything by keyboard: the palette, the keys, and that the keyboard is never lost.

import type { Page } from "@playwright/test";
import type { Chat } from "../support/chat";
import { expectGoodLooks, LOOKS, picture } from "../support/looks";
import { expect, test } from "../support/test";

/** Something on the page has the keyboard. */
async function expectKept(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => document.activeElement?.localName)).not.toBe("body");
}

async function answered(chat: Chat, text: string): Promise<void> {
  await expect(chat.field).toBeFocused();
  await chat.page.keyboard.type(text);
  await chat.page.keyboard.press("Enter");
  await expect(chat.turn(text).last().locator(".reply")).toBeVisible();
  await chat.idle();
}

test("the field has the keyboard from the beginning, and after a message", async ({ chat, page }) => {
  await expect(chat.field).toBeFocused();
  await answered(chat, "Calculate 6 * 7");
  await expect(chat.field).toBeFocused();
  await page.reload();
  await expect(chat.field).toBeFocused();
});

test("on a touch screen no keyboard comes up by itself", async ({ another }) => {
  const chat = await another(LOOKS.find(({ phone }) => phone)?.options);
  await expect(chat.page.getByRole("button", { name: "What time is it?" })).toBeVisible();
  await expect(chat.field).not.toBeFocused();
});

test("the palette finds actions, conversations, commands and variables", async ({ chat, page }) => {
  await answered(chat, "Calculate 6 * 7 and call it answer");
  const first = chat.session;
  const palette = page.locator("sb-palette");
  const choose = async (typed: string, option: string | RegExp) => {
    await page.keyboard.press("Control+k");
    await expect(palette.getByRole("combobox")).toBeFocused();
    await page.keyboard.type(typed);
    await expect(palette.getByRole("option", { selected: true })).toContainText(option);
    await page.keyboard.press("Enter");
    await expect(palette).toHaveCount(0);
  };
  await choose("new", "New chat");
  await expect(page.getByRole("button", { name: "What time is it?" })).toBeVisible();
  await choose("6 * 7", "Calculate 6 * 7");
  await expect.poll(() => chat.session).toBe(first);
  await choose("@ans", "@answer");
  await expect(page.getByRole("dialog", { name: "@answer" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expectKept(page);
  await choose("/hist", "/history");
  await expect(chat.field).toHaveValue("/history ");
  await expect(chat.field).toBeFocused();

  await page.keyboard.press("Control+k");
  await expect(palette.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("zzzzzz");
  await expect(palette.getByRole("status")).toHaveText("Nothing fits");
  await page.keyboard.press("Escape");
  await expect(palette).toHaveCount(0);
  await expect(chat.field).toBeFocused();
});

test("the palette finds what comes while it is open", async ({ chat, page, another }) => {
  await answered(chat, "Calculate 1 + 1");
  await page.keyboard.press("Control+k");
  const palette = page.locator("sb-palette");
  await expect(palette.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("@ans");
  await expect(palette.getByRole("status")).toHaveText("Nothing fits");
  await answered(await another({}, page.url()), "Calculate 6 * 7 and call it answer");
  await expect(palette.getByRole("option", { selected: true })).toContainText("@answer");
});

test("↑ takes up the last message, and Esc leaves it", async ({ chat, page }) => {
  await answered(chat, "Calculate 1 + 1");
  await answered(chat, "Calculate 2 + 2");
  await page.keyboard.press("ArrowUp");
  await expect(chat.field).toHaveValue("Calculate 2 + 2");
  await expect(page.getByText("A new conversation begins with this message")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(chat.field).toHaveValue("");
  await expect(chat.field).toBeFocused();
  await page.keyboard.type("draft");
  await page.keyboard.press("ArrowUp");
  await expect(chat.field).toHaveValue("draft");
});

test("Esc stops what runs, and closes a list before it", async ({ chat, page }) => {
  await expect(chat.field).toBeFocused();
  await page.keyboard.type("Run `echo began; sleep 60`");
  await page.keyboard.press("Enter");
  await expect(chat.turns.last().locator("sb-tool-call")).toContainText("Running");
  await page.keyboard.type("/he");
  await expect(page.getByRole("listbox")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("listbox")).toHaveCount(0);
  await expect(chat.stop).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(chat.turns.last().locator(".failure.calm")).toBeVisible();
  await expect(chat.stop).toHaveCount(0);
});

test("? shows the keys, but not while something is written", async ({ chat, page }) => {
  await expect(chat.field).toBeFocused();
  await page.keyboard.type("what?");
  await expect(chat.field).toHaveValue("what?");
  await chat.conversation.or(page.locator("sb-welcome")).first().click();
  await page.getByRole("button", { name: "New chat" }).focus();
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Keyboard" });
  await expect(dialog).toBeVisible();
  await expect(page.locator("sb-help")).toContainText("Stop what runs");
  await picture(page, "help");
  await expectGoodLooks(page);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("button", { name: "New chat" })).toBeFocused();
});

test("the first that Tab comes to leads to the field, and is seen then", async ({ chat, page }) => {
  await expect(chat.field).toBeFocused();
  const skip = page.getByRole("button", { name: "Skip to the message field" });
  await page.getByRole("button", { name: "New chat" }).focus();
  await page.keyboard.press("Shift+Tab");
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport({ ratio: 1 });
  await page.keyboard.press("Enter");
  await expect(chat.field).toBeFocused();
});

test.describe("where it is asked", () => {
  test.use({ options: ["--approve", "ask"] });

  test("the keyboard is kept when what had it is gone", async ({ chat, page, server }) => {
    await server.file("notes.txt", "apples\n");
    await chat.say('Replace "apples" with "plums" in notes.txt');
    await chat.decide("Allow once");
    await expect(chat.field).toBeFocused();
    await chat.idle();
    const undo = chat.turns.last().locator(".changed").getByRole("button", { name: "Undo" });
    await undo.focus();
    await page.keyboard.press("Enter");
    await expect(chat.turns.last().locator(".changed")).toContainText("Undone");
    await expectKept(page);
    await expect(chat.field).toBeFocused();

    const item = page.getByRole("navigation", { name: "Conversations" }).getByRole("listitem").first();
    const actions = item.getByRole("button", { name: /Actions/ });
    await actions.focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("menuitem", { name: "Pin" })).toBeFocused();
    await page.keyboard.press("ArrowUp");
    await expect(page.getByRole("menuitem", { name: "Delete" })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(actions).toBeFocused();
  });
});

test("the long answer of a command is read from its first line", async ({ chat, page }) => {
  await page.setViewportSize({ width: 1000, height: 520 });
  await chat.say("/help");
  const answer = page.getByRole("group", { name: "Answer to a command" });
  await expect(answer).toBeVisible();
  await expect(answer.locator("h3")).toBeInViewport();
});

test("errors are told once", async ({ chat }) => {
  const turn = await chat.ask("Read missing.txt");
  await expect(turn.locator(".failure")).toContainText("'missing.txt' does not exist");
  const text = await turn.evaluate((element) => {
    const words = (node: Node): string => {
      if (node instanceof HTMLElement && node.shadowRoot) return words(node.shadowRoot);
      return node.nodeType === Node.TEXT_NODE ? (node.textContent ?? "") : [...node.childNodes].map(words).join("");
    };
    return words(element);
  });
  expect(text.split("does not exist").length - 1).toBe(1);
});
