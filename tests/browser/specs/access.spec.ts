//! axe finds nothing, in light and dark, wide and narrow; nothing is wider than a small phone.

import type { Chat } from "../support/chat";
import { expectGoodLooks } from "../support/looks";
import { expect, test } from "../support/test";

async function visitAll(chat: Chat, phone: boolean): Promise<void> {
  const { page } = chat;
  await expect(page.getByRole("button", { name: "What time is it?" })).toBeVisible();
  await expectGoodLooks(page);

  const turn = await askByButton(chat, "Read config.json and tell me the port number");
  await chat.openSteps(turn);
  for (const summary of await turn.locator("sb-tool-call summary").all()) await summary.click();
  await expectGoodLooks(page);

  await page.getByRole("button", { name: /^Variables/ }).click();
  if (!phone) await page.getByRole("button", { name: /^Variables/ }).click();
  await expect(chat.variables).toBeVisible();
  await expectGoodLooks(page);
  await chat.variables.getByRole("button", { name: /^file_content/ }).click();
  await expect(chat.window.getByRole("region", { name: "Value" })).toBeVisible();
  await expectGoodLooks(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  if (phone) await chat.variables.getByRole("button", { name: "Close variables" }).click();

  await chat.field.fill("Run `echo hello`");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(chat.approval.getByRole("button", { name: "Allow once" })).toHaveAttribute("aria-disabled", "false");
  await expectGoodLooks(page);
  await chat.approval.getByRole("button", { name: "Edit" }).click();
  await expectGoodLooks(page);
  await chat.decide("Deny");
  await chat.idle();

  await chat.field.fill("/");
  await expect(page.getByRole("listbox")).toBeVisible();
  await expectGoodLooks(page);
  await chat.field.fill("");
  if (phone) await page.getByRole("button", { name: "Conversations", exact: true }).click();
  await expect(page.getByRole("navigation", { name: "Conversations" })).toBeVisible();
  await expectGoodLooks(page);
}

async function askByButton(chat: Chat, text: string): ReturnType<Chat["ask"]> {
  await chat.field.fill(text);
  await chat.page.getByRole("button", { name: "Send" }).click();
  const turn = chat.turn(text);
  await expect(turn.locator(".reply")).toBeVisible();
  await chat.idle();
  return turn;
}

test.use({ options: ["--approve", "ask"] });

for (const colorScheme of ["light", "dark"] as const) {
  for (const phone of [false, true]) {
    test(`${colorScheme}, ${phone ? "phone" : "wide"}`, async ({ another, server }) => {
      await server.file("config.json", '{"host": "localhost", "port": 3000}');
      const size = phone ? { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } : {};
      await visitAll(await another({ colorScheme, reducedMotion: "reduce", ...size }), phone);
    });
  }
}

test("with less motion asked for, nothing moves", async ({ another }) => {
  const chat = await another({ reducedMotion: "reduce" });
  await chat.ask("Hello");
  const moving = await chat.page.evaluate(() => document.getAnimations().length);
  expect(moving).toBe(0);
});
