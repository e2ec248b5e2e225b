//! Nothing runs that was not allowed, and what runs is what was allowed.

import { expect, test } from "../support/test";

test.use({ options: ["--approve", "ask"] });

test("a command runs when it is allowed", async ({ chat, server }) => {
  await chat.say("Run `echo it-ran > trace`");
  await expect(chat.approval).toContainText("May bash run?");
  await expect(chat.approval).toContainText("echo it-ran > trace");
  await expect(chat.approval).toContainText("It runs a program.");
  await expect(chat.approval).not.toContainText("Denied automatically in");
  expect(await server.content("trace")).toBeUndefined();

  await chat.decide("Allow once");
  await expect(chat.turns.last().locator(".reply")).toBeVisible();
  await expect(chat.approval).toHaveCount(0);
  await chat.idle();
  expect(await server.content("trace")).toBe("it-ran\n");
});

test("a change of a line is seen whole, and can be allowed without scrolling", async ({ another, server }) => {
  await server.file("config.json", '{\n  "name": "tea shop",\n  "port": 3000,\n  "currency": "EUR"\n}\n');
  const chat = await another({ viewport: { width: 1280, height: 800 } });
  await chat.say("Set port to 8080 in config.json");
  await expect(chat.approval).toContainText("8080");
  await expect(chat.approval.getByRole("button", { name: "Allow once" })).toHaveAttribute("aria-disabled", "false");
  await expect(chat.approval).not.toContainText("There is more below");

  await chat.decide("Allow once");
  await chat.idle();
  expect(await server.content("config.json")).toContain("8080");
});

test("what shows a question cannot be loaded: the page says so, and the question waits", async ({ chat, page }) => {
  await page.route("**/assets/cards-*", (route) => route.abort());
  await chat.say("Run `echo it-ran`");
  const note = page.getByRole("alert").filter({ hasText: "could not load it" });
  await expect(note).toBeVisible();
  await page.unroute("**/assets/cards-*");
  await note.getByRole("button", { name: "Reload the page" }).click();
  await expect(chat.approval).toContainText("echo it-ran");
  await chat.decide("Deny");
});

test("a question outlives its server, and the answer runs the command once", async ({ chat, server }) => {
  await chat.say("Run `echo it-ran >> trace`");
  await expect(chat.approval).toContainText("echo it-ran >> trace");
  await chat.say("Calculate 6 * 7");

  await server.kill();
  await server.startAgain();
  await expect(chat.approval).toContainText("echo it-ran >> trace");
  await chat.page.reload();
  await expect(chat.approval).toContainText("echo it-ran >> trace");
  expect(await server.content("trace")).toBeUndefined();

  await chat.decide("Allow once");
  await expect(chat.turn("Calculate 6 * 7")).toContainText("42");
  await chat.idle();
  await expect(chat.approval).toHaveCount(0);
  expect(await server.content("trace")).toBe("it-ran\n");
});

test("a command does not run when it is denied, and the agent hears why", async ({ chat, server }) => {
  await chat.say("Run `echo it-ran > trace`");
  await chat.approval.getByText("Add a reason").click();
  await chat.approval.getByRole("textbox", { name: /Reason/ }).fill("not on a Sunday");
  await chat.decide("Deny");

  const turn = chat.turns.last();
  await expect(turn.locator(".failure, .reply").first()).toBeVisible();
  await chat.idle();
  await chat.openSteps(turn);
  await expect(turn.locator("sb-tool-call")).toContainText("Not allowed");
  await expect(turn).toContainText("Your reason: not on a Sunday");
  expect(await server.content("trace")).toBeUndefined();
});

test("a command runs as it was edited", async ({ chat, server }) => {
  await chat.say("Run `echo first > trace`");
  await chat.approval.getByRole("button", { name: "Edit" }).click();
  await chat.approval.getByRole("textbox", { name: "command" }).fill("echo second > trace");
  await chat.decide("Allow edited, once");

  await expect(chat.turns.last().locator(".reply")).toBeVisible();
  await chat.idle();
  expect(await server.content("trace")).toBe("second\n");
});

test("l09 Enter in the composer allows nothing, also when the card is there", async ({ chat, server }) => {
  await chat.say("Run `echo it-ran > trace`");
  await expect(chat.approval).toBeVisible();
  await expect(chat.approval.getByRole("button", { name: "Allow once" })).toHaveAttribute("aria-disabled", "false");
  await chat.field.press("Enter");
  await chat.field.fill("What time is it?");
  await chat.field.press("Enter");
  await expect(chat.turn("What time is it?")).toContainText("Waiting for the current turn to end");
  await expect(chat.approval).toBeVisible();
  expect(await server.content("trace")).toBeUndefined();

  await chat.decide("Deny");
  await expect(chat.turn("What time is it?").locator(".reply")).toBeVisible();
  expect(await server.content("trace")).toBeUndefined();
});

test("l14 an approval is given by keyboard alone", async ({ chat, page, server }) => {
  await chat.field.focus();
  await page.keyboard.type("Run `echo it-ran > trace`");
  await page.keyboard.press("Enter");

  // The keyboard is on the card, where Enter does nothing; Tab goes over what will run to its buttons.
  await expect(chat.approval.locator("section")).toBeFocused();
  await page.keyboard.press("Enter");
  const allow = chat.approval.getByRole("button", { name: "Allow once" });
  await expect(allow).toHaveAttribute("aria-disabled", "false");
  const focused = (): Promise<boolean> => allow.evaluate((button) => (button.getRootNode() as ShadowRoot).activeElement === button);
  for (let presses = 0; presses < 10 && !(await focused()); presses += 1) await page.keyboard.press("Tab");
  await expect(allow).toBeFocused();
  expect(await server.content("trace")).toBeUndefined();
  await page.keyboard.press("Enter");

  await expect(chat.turns.last().locator(".reply")).toBeVisible();
  await expect(chat.field).toBeFocused();
  await chat.idle();
  expect(await server.content("trace")).toBe("it-ran\n");
});

test("what is typed while the card has the keyboard goes into the composer", async ({ chat, page }) => {
  await chat.say("Run `echo it-ran`");
  await expect(chat.approval.locator("section")).toBeFocused();
  await page.keyboard.type("and then");
  await expect(chat.field).toHaveValue("and then");
  await chat.decide("Deny");
  await expect(chat.approval).toHaveCount(0);
});

test("a grant for the session asks only once", async ({ chat, server }) => {
  await chat.say("Run `echo one >> trace`");
  await chat.decide("Allow for this session");
  await expect(chat.turns.last().locator(".reply")).toBeVisible();
  await chat.idle();
  await chat.ask("Run `echo one >> trace`");
  expect(await server.content("trace")).toBe("one\none\n");
});

test("l13 two tabs show one question, and one answer settles both", async ({ chat, another, page, server }) => {
  await chat.say("Run `echo it-ran >> trace`");
  await expect(chat.approval).toBeVisible();
  const second = await another({}, page.url());
  await expect(second.approval).toContainText("echo it-ran >> trace");

  await second.decide("Allow once");
  await expect(chat.approval).toHaveCount(0);
  for (const tab of [chat, second]) await expect(tab.turns.last().locator(".reply")).toBeVisible();
  expect(await server.content("trace")).toBe("it-ran\n");
});

test("an approval survives a reload of the page", async ({ chat, page, server }) => {
  await chat.say("Run `echo it-ran > trace`");
  await expect(chat.approval).toBeVisible();
  await page.reload();
  await expect(chat.approval).toContainText("echo it-ran > trace");
  await chat.decide("Allow once");
  await expect(chat.turns.last().locator(".reply")).toBeVisible();
  expect(await server.content("trace")).toBe("it-ran\n");
});
