//! What a running tool asks is answered on its card: by a choice, in words, by keyboard, or not at all.

import { expect, test } from "../support/test";

test.use({ options: ["--approve", "ask"] });

test("a choice is a button, and the answer is in the reply", async ({ chat, page }) => {
  const card = page.locator("sb-query");
  await chat.say('use ask_user {"question": "Which colour?", "choices": ["red", "blue"]}');
  await expect(card.getByRole("heading", { name: "A question for you" })).toBeVisible();
  await expect(card).toContainText("Which colour?");
  const blue = card.getByRole("button", { name: "blue" });
  await expect(blue).toHaveAttribute("aria-disabled", "false");
  await blue.click();

  await expect(card).toHaveCount(0);
  await expect(chat.turns.last().locator(".reply")).toContainText("blue");
});

test("words are typed and sent by keyboard alone, in a narrow and dark page", async ({ chat, page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await page.setViewportSize({ width: 360, height: 640 });
  const card = page.locator("sb-query");
  await chat.say('use ask_user {"question": "Which name?"}');
  const line = card.getByRole("textbox", { name: "Your answer" });
  await expect(card.getByRole("button", { name: "Answer" })).toHaveAttribute("aria-disabled", "false");
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
  expect(wide).toBe(false);
  await line.focus();
  await page.keyboard.type("Ada");
  await page.keyboard.press("Enter");

  await expect(card).toHaveCount(0);
  await expect(chat.turns.last().locator(".reply")).toContainText("Ada");
});

test("a question that is dismissed is gone, also after a reload before it", async ({ chat, page }) => {
  const card = page.locator("sb-query");
  await chat.say('use ask_user {"question": "Which colour?"}');
  await expect(card).toBeVisible();
  await page.reload();
  const dismiss = card.getByRole("button", { name: "Dismiss" });
  await expect(dismiss).toHaveAttribute("aria-disabled", "false");
  await dismiss.click();

  await expect(card).toHaveCount(0);
  await expect(chat.turns.last().locator(".reply")).toBeVisible();
});

test("after a crash the user says what became of a command", async ({ chat, page, server }) => {
  const card = page.locator("sb-query");
  await chat.say("Run `echo begun >> trace; echo begun; sleep 50`");
  await chat.approval.getByRole("button", { name: "Allow once" }).waitFor();
  await chat.decide("Allow once");
  await expect(chat.turns.last()).toContainText("begun");
  await expect.poll(() => server.content("trace")).toBe("begun\n");
  await server.kill();
  await server.startAgain();

  await expect(card).toContainText("Did this happen?");
  const done = card.getByRole("button", { name: "It happened", exact: true });
  await expect(done).toHaveAttribute("aria-disabled", "false");
  await done.click();
  await expect(card).toHaveCount(0);
  await expect(chat.turns.last().locator(".reply, .failure").first()).toContainText("as you say");
  expect(await server.content("trace")).toBe("begun\n");
});
