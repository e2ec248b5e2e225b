//! Windows that float over the page: dragged out, moved, sized, stacked, put away, made large, docked again, remembered.

import type { Locator } from "@playwright/test";
import type { Chat } from "../support/chat";
import { expectGoodLooks, LOOKS, picture } from "../support/looks";
import { expect, test } from "../support/test";

const float = (chat: Chat, name: string): Locator => chat.page.getByRole("dialog", { name, exact: true });
const title = (chat: Chat, name: string): Locator => float(chat, name).getByRole("button", { name, exact: true });

/** Where it is, in whole pixels. */
async function rect(locator: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  const { x = 0, y = 0, width = 0, height = 0 } = (await locator.boundingBox()) ?? {};
  return { x: Math.round(x), y: Math.round(y), width: Math.round(width), height: Math.round(height) };
}

async function dragTo(chat: Chat, from: Locator, dx: number, dy: number): Promise<void> {
  const box = await rect(from);
  await chat.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await chat.page.mouse.down();
  await chat.page.mouse.move(box.x + box.width / 2 + dx / 2, box.y + box.height / 2 + dy / 2);
  await chat.page.mouse.move(box.x + box.width / 2 + dx, box.y + box.height / 2 + dy);
  await chat.page.mouse.up();
}

/** Two docked windows, the second in front. */
async function two(chat: Chat): Promise<void> {
  await chat.ask("Show notes.txt");
  await chat.ask("Show other.txt");
}

test.beforeEach(async ({ server }) => {
  await server.file("notes.txt", "milk\nbread\n");
  await server.file("other.txt", "other words\n");
});

test("a tab that is dragged out floats, is moved and sized with the pointer, and is docked again", async ({ chat }) => {
  await two(chat);
  await dragTo(chat, chat.pane.getByRole("tab", { name: "notes.txt" }), -300, 260);
  const window = float(chat, "notes.txt");
  await expect(window).toContainText("bread");
  await expect(chat.pane.getByRole("tab")).toHaveText(["other.txt"]);

  const before = await rect(window);
  await dragTo(chat, title(chat, "notes.txt"), -120, -90);
  const moved = await rect(window);
  expect(moved).toEqual({ ...before, x: before.x - 120, y: before.y - 90 });
  await dragTo(chat, window.locator(".se"), -60, -40);
  expect(await rect(window)).toEqual({ ...moved, width: moved.width - 60, height: moved.height - 40 });
  await dragTo(chat, window.locator(".w"), -30, 0);
  expect(await rect(window)).toMatchObject({ x: moved.x - 30, width: moved.width - 30 });

  await window.getByRole("button", { name: "Dock notes.txt" }).click();
  await expect(window).toHaveCount(0);
  await expect(chat.pane.getByRole("tab", { name: "notes.txt", selected: true })).toBeFocused();
  await expect(chat.pane.getByRole("tab")).toHaveCount(2);
});

test("all of it works with the keyboard alone", async ({ chat }) => {
  await two(chat);
  await chat.pane.getByRole("button", { name: "Make it a floating window" }).focus();
  await chat.page.keyboard.press("Enter");
  const window = float(chat, "other.txt");
  await expect(title(chat, "other.txt")).toBeFocused();
  await expect(title(chat, "other.txt")).toHaveAccessibleDescription(/Arrow keys/);

  const before = await rect(window);
  await chat.page.keyboard.press("ArrowLeft");
  await chat.page.keyboard.press("ArrowDown");
  await expect.poll(() => rect(window)).toEqual({ ...before, x: before.x - 20, y: before.y + 20 });
  await chat.page.keyboard.press("Shift+ArrowRight");
  await chat.page.keyboard.press("Shift+ArrowUp");
  await expect.poll(() => rect(window)).toMatchObject({ width: before.width + 20, height: before.height - 20 });

  await chat.page.keyboard.press("Tab");
  await chat.page.keyboard.press("Enter");
  await expect(window).toBeHidden();
  const away = chat.page.getByRole("group", { name: "Minimized" }).getByRole("button", { name: "Restore other.txt" });
  await expect(away).toBeFocused();
  await chat.page.keyboard.press("Enter");
  await expect(title(chat, "other.txt")).toBeFocused();

  await chat.page.keyboard.press("Tab");
  await chat.page.keyboard.press("Tab");
  await expect(window.getByRole("button", { name: "Maximize other.txt" })).toBeFocused();
  await chat.page.keyboard.press("Enter");
  await expect.poll(() => rect(window)).toEqual({ x: 0, y: 0, width: 1200, height: 800 });
  await expect(title(chat, "other.txt")).toBeFocused();
  await chat.page.keyboard.press("Tab");
  await chat.page.keyboard.press("Tab");
  await chat.page.keyboard.press("Enter");
  await expect.poll(() => rect(window)).toMatchObject({ width: before.width + 20, height: before.height - 20 });
  for (const _ of [1, 2, 3]) await chat.page.keyboard.press("Tab");
  await expect(window.getByRole("button", { name: "Dock other.txt" })).toBeFocused();
  await chat.page.keyboard.press("Enter");
  await expect(chat.pane.getByRole("tab", { name: "other.txt" })).toBeFocused();
});

test("the one that is used is in front, and a card brings up what was put away", async ({ chat }) => {
  await two(chat);
  for (const _ of [1, 2]) await chat.pane.getByRole("button", { name: "Make it a floating window" }).click();
  await expect(chat.pane).toHaveCount(0);
  const [notes, other] = [float(chat, "notes.txt"), float(chat, "other.txt")];
  const onTop = async (locator: Locator) => {
    const { x, y, width, height } = await rect(locator);
    const name = await locator.getAttribute("aria-label");
    return chat.page.evaluate(([left, top, label]) => {
      const inside = document.elementFromPoint(left as number, top as number)?.shadowRoot?.elementFromPoint(left as number, top as number);
      const found = inside?.shadowRoot?.elementFromPoint(left as number, top as number);
      return found?.shadowRoot?.querySelector("section")?.getAttribute("aria-label") === label;
    }, [x + width / 2, y + height / 2, name]);
  };
  expect(await onTop(notes)).toBe(true);
  const { x, y } = await rect(other);
  await chat.page.mouse.click(x + 40, y + 15);
  await expect.poll(() => onTop(other)).toBe(true);
  await picture(chat.page, "floats-stacked");
  await expectGoodLooks(chat.page);

  await other.getByRole("button", { name: "Minimize other.txt" }).click();
  await expect(other).toBeHidden();
  await picture(chat.page, "floats-minimized");
  await expectGoodLooks(chat.page);
  await chat.turn("Show other.txt").getByRole("button", { name: "Open other.txt in a window" }).click();
  await expect(other).toBeVisible();
  await other.getByRole("button", { name: "Close other.txt" }).click();
  await expect(other).toHaveCount(0);
  await chat.turn("Show other.txt").getByRole("button", { name: "Open other.txt in a window" }).click();
  await expect(chat.pane.getByRole("tab", { name: "other.txt" })).toBeVisible();
});

test("a floating window stays inside of the page, also of a smaller one, and is where it was after a reload", async ({ chat }) => {
  await two(chat);
  await dragTo(chat, chat.pane.getByRole("tab", { name: "notes.txt" }), -100, 300);
  const window = float(chat, "notes.txt");
  await dragTo(chat, title(chat, "notes.txt"), 3000, 3000);
  const far = await rect(window);
  expect([far.x + far.width, far.y + far.height]).toEqual([1200, 800]);
  await chat.page.setViewportSize({ width: 900, height: 500 });
  await expect.poll(async () => ((box) => [box.x + box.width <= 900, box.y + box.height <= 500, box.x >= 0, box.y >= 0])(await rect(window))).toEqual([true, true, true, true]);
  await chat.page.setViewportSize({ width: 1200, height: 800 });
  await expect.poll(() => rect(window)).toEqual(far);

  await chat.page.reload();
  await expect(window).toContainText("bread");
  expect(await rect(window)).toEqual(far);
  await expect(chat.pane.getByRole("tab")).toHaveText(["other.txt"]);
  await window.getByRole("button", { name: "Minimize notes.txt" }).click();
  await chat.page.reload();
  await expect(chat.page.getByRole("button", { name: "Restore notes.txt" })).toBeVisible();

  // On a small screen there are only tabs, and what floated floats again on a larger one.
  await chat.page.setViewportSize({ width: 700, height: 800 });
  await expect(chat.pane.getByRole("tab")).toHaveCount(2);
  await expect(chat.pane.getByRole("button", { name: "Make it a floating window" })).toHaveCount(0);
  await chat.page.setViewportSize({ width: 1200, height: 800 });
  await expect(chat.page.getByRole("button", { name: "Restore notes.txt" })).toBeVisible();
});

test("what was typed floats along, and closing it asks", async ({ chat, server }) => {
  await chat.ask("Show notes.txt");
  await chat.pane.locator(".cm-content").click();
  await chat.page.keyboard.press("Control+End");
  await chat.page.keyboard.type("mine");
  await chat.pane.getByRole("button", { name: "Make it a floating window" }).click();
  const window = float(chat, "notes.txt");
  await expect(window.locator(".cm-content")).toContainText("mine");
  await window.getByRole("button", { name: "Close notes.txt" }).click();
  await chat.window.getByRole("button", { name: "Keep editing" }).click();
  await window.locator(".cm-content").click();
  await chat.page.keyboard.press("Control+s");
  await expect(window.getByRole("status")).toHaveText("Saved.");
  expect(await server.content("notes.txt")).toContain("mine");
});

for (const { name, phone, options } of LOOKS) {
  test(`they look right: ${name}`, async ({ another }) => {
    const chat = await another(options);
    await chat.send("Show notes.txt");
    await chat.idle();
    if (phone) {
      await chat.turn("Show notes.txt").getByRole("button", { name: "Open notes.txt in a window" }).click();
      await expect(chat.pane.getByRole("button", { name: "Make it a floating window" })).toHaveCount(0);
      return;
    }
    await chat.pane.getByRole("button", { name: "Make it a floating window" }).click();
    await expect(float(chat, "notes.txt")).toContainText("bread");
    await picture(chat.page, `floating-${name}`);
    await expectGoodLooks(chat.page);
    await float(chat, "notes.txt").getByRole("button", { name: "Maximize notes.txt" }).click();
    await picture(chat.page, `floating-large-${name}`);
    await expectGoodLooks(chat.page);
  });
}
