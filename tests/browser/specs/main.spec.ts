//! The main flow: a question about a file, answered with tools; its steps; the variables; the list of conversations.

import { readFile } from "node:fs/promises";
import { expectGoodLooks, picture } from "../support/looks";
import { png } from "../support/png";
import { expect, test } from "../support/test";

test("a question about a file is answered, with tools and variables shown", async ({ chat, server }) => {
  await server.file("config.json", '{"host": "localhost", "port": 3000}');

  const turn = await chat.ask("Read config.json and tell me the port number");

  await expect(turn.locator(".reply")).toContainText("3000");
  await expect(turn.locator(".tools-used")).toContainText("Tools used: file_read");
  await expect(turn.locator(".stored")).toContainText("Stored: file_content");
  await expect(chat.variables).toContainText("file_content");

  await turn.getByText("Reasoning").click();
  await expect(turn.locator(".reasoning")).toBeVisible();

  await turn.getByRole("button", { name: "file_content", exact: true }).click();
  const window = chat.page.getByRole("dialog", { name: "@file_content" });
  await expect(window).toBeVisible();
  await expect(chat.window.getByRole("region", { name: "Value" })).toHaveText('{"host": "localhost", "port": 3000}');
  await chat.page.keyboard.press("Escape");
  await expect(window).toHaveCount(0);
});

test("the steps of a turn can be opened, down to a call's arguments", async ({ chat, server }) => {
  await server.file("notes.txt", "one\ntwo\nthree\n");
  const turn = await chat.ask("Read the file notes.txt");

  const steps = await chat.openSteps(turn);
  const call = steps.locator("sb-tool-call").first();
  await expect(steps).toContainText("Searching");
  await expect(call).toContainText("file_read");
  await call.locator("summary").click();
  await expect(call).toContainText("Arguments");
  await expect(call).toContainText("notes.txt");
  await expect(call).toContainText("Stored as");
});

test("a greeting has no steps", async ({ chat }) => {
  const turn = await chat.ask("Hello");
  await expect(turn.locator("sb-timeline summary")).toHaveCount(0);
  await expect(turn.locator(".tools-used")).toHaveCount(0);
});

test("an error says what to do", async ({ chat }) => {
  const turn = await chat.ask("Read missing.json");
  await expect(turn.locator(".failure, .reply").first()).toContainText("missing.json");
});

test("an empty chat says what runs and offers things to try", async ({ chat, page }) => {
  const banner = page.getByRole("complementary", { name: "About the reasoner" });
  await expect(banner).toContainText("no language model");
  for (const sample of ["Calculate 42 * 37", "What files are in the current directory?", "What can you do?", "Remember that my favorite color is blue", "What time is it?"]) {
    await expect(page.getByRole("button", { name: sample })).toBeVisible();
  }

  await banner.getByRole("button", { name: "Dismiss" }).click();
  await expect(banner).toHaveCount(0);
  await page.getByRole("button", { name: "Calculate 42 * 37" }).click();
  await expect(chat.turn("Calculate 42 * 37").locator(".reply")).toContainText("1554");
  await page.reload();
  await expect(chat.turn("Calculate 42 * 37").locator(".reply")).toContainText("1554");
  await expect(banner).toHaveCount(0);
});

test("what is offered first is made of the files that are there, and all of it works", async ({ another, server }) => {
  await server.file("sales.csv", "region,amount\nNorth,120\nSouth,80\n");
  await server.file("cat.png", png());
  await server.file("README.md", "# Plans\n\nSow the beans.\n");
  const offers = ["What is the total amount in sales.csv?", "Show cat.png", "Show README.md", "Calculate 42 * 37", "What files are in the current directory?", "What can you do?"];
  for (const offer of offers) {
    const chat = await another();
    const { page } = chat;
    // A page that waited too long for the folder offers only what always works.
    await expect(async () => {
      await page.reload();
      await expect(page.getByRole("list", { name: "Things to try" }).getByRole("button")).toContainText(offers, { timeout: 5_000 });
    }).toPass();
    if (offer === offers[0]) {
      await picture(page, "welcome with files");
      await expectGoodLooks(page);
    }
    await page.getByRole("button", { name: offer }).click();
    await expect(chat.turns.last().locator(".reply, .failure").first()).toBeVisible();
    await chat.idle();
    await expect(chat.turns.last().locator(".failure")).toHaveCount(0);
    if (offer.startsWith("Show")) await expect(chat.pane).toBeVisible();
  }
});

test("the page says which folder the tools work in, and shows it", async ({ chat, page, server }) => {
  await server.file("src/main.py", "print(1)\n");
  await page.getByRole("button", { name: "Workspace: workspace" }).click();
  await expect(chat.pane.getByText("workspace", { exact: true })).toBeVisible();
  await chat.pane.getByRole("button", { name: "src/" }).click();
  await expect(chat.pane.getByText("workspace/src")).toBeVisible();
  await picture(page, "workspace");
  await expectGoodLooks(page);
});

test("the folder is shown on a narrow page too, and the conversations make way", async ({ chat, page, server }) => {
  await server.file("notes.txt", "milk\n");
  await page.setViewportSize({ width: 700, height: 800 });
  await page.getByRole("button", { name: "Conversations" }).click();
  await page.getByRole("button", { name: "Workspace: workspace" }).click();
  await expect(chat.pane.getByRole("button", { name: "notes.txt" })).toBeVisible();
  await expect(chat.list).toBeHidden();
  await chat.pane.getByRole("button", { name: "notes.txt" }).click();
  await expect(chat.pane.locator(".cm-content")).toContainText("milk");
});

test("commands are completed and answered", async ({ chat, page }) => {
  const list = page.getByRole("listbox", { name: "Completions" });
  await chat.field.fill("/");
  await expect(list.getByRole("option", { name: "/help" })).toBeVisible();
  await chat.field.pressSequentially("too");
  await expect(list.getByRole("option")).toHaveCount(1);
  await chat.field.press("Tab");
  await expect(chat.field).toHaveValue("/tools ");
  await chat.field.pressSequentially("read a file");
  await chat.field.press("Enter");
  await expect(page.getByRole("group", { name: "Answer to a command" })).toContainText("file_read");

  await chat.say("/save");
  await expect(page.getByRole("group", { name: "Answer to a command" }).last()).toContainText("Usage: /save");
  await chat.idle();
});

test("variables are completed in a message", async ({ chat, page }) => {
  await chat.ask("Calculate 6 * 7 and call it answer");
  await expect(chat.variables).toContainText("answer");
  await chat.field.pressSequentially("Calculate @an");
  await expect(page.getByRole("option", { name: "@answer" })).toBeVisible();
  await chat.field.press("Enter");
  await expect(chat.field).toHaveValue("Calculate @answer");
  await chat.field.pressSequentially(" + 1");
  await chat.field.press("Enter");
  await expect(chat.turn("Calculate @answer + 1").locator(".reply")).toContainText("43");
});

test("a variable is edited, renamed and deleted", async ({ chat }) => {
  await chat.ask("Store the number 42 as my_number");
  await chat.variables.getByRole("button", { name: /^my_number/ }).click();
  const { window } = chat;
  await expect(window.getByRole("region", { name: "Value" })).toHaveText("42");

  await window.getByRole("button", { name: "Edit" }).click();
  await window.getByRole("textbox", { name: "JSON" }).fill("[1, 2");
  await window.getByRole("button", { name: "Save" }).click();
  await expect(window).toContainText("not valid JSON");
  await window.getByRole("textbox", { name: "JSON" }).fill("[1, 2]");
  await window.getByRole("button", { name: "Save" }).click();
  await expect(window).toContainText("version 2");
  await expect(window.getByRole("region", { name: "Value" })).toContainText("1,");

  await window.getByRole("button", { name: "Rename" }).click();
  await window.getByRole("textbox", { name: "New name" }).fill("two numbers");
  await window.getByRole("button", { name: "Rename" }).click();
  await expect(window).toContainText("letters, digits and _");
  await window.getByRole("textbox", { name: "New name" }).fill("numbers");
  await window.getByRole("button", { name: "Rename" }).click();
  await expect(chat.variables.getByRole("button", { name: /^numbers/ })).toBeVisible();

  await chat.variables.getByRole("button", { name: /^numbers/ }).click();
  await window.getByRole("button", { name: "Delete" }).click();
  await window.getByRole("button", { name: "Delete permanently?" }).click();
  await expect(chat.variables.getByRole("button", { name: /^numbers/ })).toHaveCount(0);
});

test("conversations are listed, named, opened and deleted", async ({ chat, page }) => {
  const list = page.getByRole("navigation", { name: "Conversations" });
  await chat.ask("Calculate 1 + 1");
  const first = chat.session;
  await page.getByRole("button", { name: "New chat" }).click();
  await expect(page.getByRole("button", { name: "What time is it?" })).toBeVisible();
  await chat.ask("Calculate 2 + 2");
  expect(chat.session).not.toBe(first);
  await expect(list.getByRole("link")).toHaveCount(2);

  const menu = page.getByRole("menu");
  await chat.openMenu("Calculate 1 + 1");
  await menu.getByRole("menuitem", { name: "Rename" }).click();
  await list.getByRole("textbox").fill("Sums");
  await list.getByRole("textbox").press("Enter");
  await expect(list.getByRole("link", { name: "Sums" })).toBeVisible();

  await list.getByRole("link", { name: "Sums" }).click();
  await expect(chat.turn("Calculate 1 + 1").locator(".reply")).toContainText("2");
  expect(chat.session).toBe(first);
  await expect(page.getByRole("heading", { name: "Sums" })).toBeVisible();

  await chat.openMenu("Sums");
  await menu.getByRole("menuitem", { name: "Delete" }).click();
  await expect(list.getByRole("link", { name: "Sums" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "What time is it?" })).toBeVisible();
  await expect(list.getByRole("link")).toHaveCount(1);
});

test("a conversation is exported", async ({ chat, page }) => {
  await chat.ask("Calculate 42 * 37");
  const saved = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export this conversation" }).click();
  expect(await readFile(await (await saved).path(), "utf8")).toContain("Calculate 42 * 37");
});
