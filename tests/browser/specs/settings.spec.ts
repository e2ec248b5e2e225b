//! Language, colours and density are chosen in one dialog and stay; in German nothing of the page is English.

import { expectGoodLooks, LOOKS, picture } from "../support/looks";
import { expect, test } from "../support/test";

test("light, dark and density are chosen, and the choice stays", async ({ chat, page }) => {
  const look = () => page.evaluate(() => [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).fontSize]);
  const system = await look();
  await page.getByRole("button", { name: "Settings" }).click();
  const dialog = chat.window;
  await dialog.getByRole("radio", { name: "Dark" }).check();
  await dialog.getByRole("radio", { name: "Compact" }).check();
  const chosen = await look();
  expect(chosen[0]).not.toBe(system[0]);
  expect(Number.parseFloat(chosen[1] ?? "")).toBeLessThan(Number.parseFloat(system[1] ?? ""));
  await page.reload();
  await expect(chat.field).toBeVisible();
  expect(await look()).toEqual(chosen);
  await page.getByRole("button", { name: "Settings" }).click();
  await expect(dialog.getByRole("radio", { name: "Dark" })).toBeChecked();
  await dialog.getByRole("radio", { name: "As the system" }).check();
  await dialog.getByRole("radio", { name: "Roomy" }).check();
  expect(await look()).toEqual(system);
  await dialog.getByRole("button", { name: "Keyboard help" }).click();
  await expect(page.getByRole("dialog", { name: "Keyboard" })).toBeVisible();
});

for (const look of LOOKS) {
  test(`German is chosen and stays: ${look.name}`, async ({ another, server }) => {
    await server.file("notes.txt", "eins\nzwei\n");
    const chat = await another(look.options);
    const { page } = chat;
    await page.getByRole("button", { name: "Settings" }).click();
    await picture(page, `settings ${look.name}`);
    await expectGoodLooks(page);
    await page.getByLabel("Language", { exact: true }).selectOption("de");
    await expect(page.getByRole("heading", { name: "Was möchtest du tun?" })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe("de");
    await page.getByRole("textbox", { name: "Nachricht" }).fill("Read notes.txt");
    await page.getByRole("button", { name: "Senden" }).click();
    await expect(chat.turns.last().locator(".tools-used")).toContainText("Verwendete Werkzeuge: file_read");
    await expect(chat.turns.last().locator(".stored")).toContainText("Gespeichert: file_content");
    await picture(page, `german ${look.name}`);
    await expectGoodLooks(page);
    await page.reload();
    await expect(page.getByRole("textbox", { name: "Nachricht" })).toBeVisible();
  });
}

test("the browser's language is taken where none was chosen", async ({ another }) => {
  const german = await another({ locale: "de-DE" });
  await expect(german.page.getByRole("heading", { name: "Was möchtest du tun?" })).toBeVisible();
  const french = await another({ locale: "fr-FR" });
  await expect(french.page.getByRole("heading", { name: "What would you like to do?" })).toBeVisible();
});

for (const look of LOOKS) {
  test.describe(look.name, () => {
    test.use({ options: ["--deny", "bash(git push *)", "--allow", "file_write(docs/**)"] });

    test(`tools, permissions and specialists are looked at: ${look.name}`, async ({ another, server }) => {
      await server.file("notes.txt", "one\n");
      const chat = await another(look.options);
      const { page, window: dialog } = chat;
      await chat.send("Read notes.txt");
      await expect(chat.turns.locator(".tools-used")).toBeVisible();
      await page.getByRole("button", { name: "Settings" }).click();

      await dialog.getByRole("tab", { name: "Tools" }).click();
      const tool = (name: string) => dialog.getByRole("listitem").filter({ has: page.getByText(name, { exact: true }) });
      await expect(tool("file_read")).toContainText("It only reads");
      await expect(tool("file_read")).toContainText("1 call");
      await expect(tool("bash")).toContainText("It runs a program");
      await expect(tool("bash")).toContainText("not used yet");
      await picture(page, `tools ${look.name}`);
      await expectGoodLooks(page);
      await dialog.getByLabel("Find a tool").fill("arithmetic");
      await expect(dialog.getByRole("listitem")).toHaveCount(1);
      await expect(tool("calculator")).toBeVisible();

      await dialog.getByRole("tab", { name: "Tools" }).press("ArrowRight");
      await expect(dialog.getByRole("tab", { name: "Permissions" })).toBeFocused();
      await expect(dialog.getByRole("row").filter({ hasText: "bash(git push *)" })).toContainText("Denied");
      await expect(dialog.getByRole("row").filter({ hasText: "file_write(docs/**)" })).toContainText("Runs");
      await picture(page, `permissions ${look.name}`);
      await expectGoodLooks(page);

      await dialog.getByRole("tab", { name: "Specialists" }).click();
      const reader = dialog.getByRole("switch", { name: "Reader may be called" });
      await expect(reader).toBeChecked();
      await expect(dialog.getByText("it needs a language model").first()).toBeVisible();
      await picture(page, `specialists ${look.name}`);
      await expectGoodLooks(page);
      await reader.click();
      await expect(reader).not.toBeChecked();
      const there = await another();
      await there.page.getByRole("button", { name: "Settings" }).click();
      await there.window.getByRole("tab", { name: "Specialists" }).click();
      await expect(there.window.getByRole("switch", { name: "Reader may be called" })).not.toBeChecked();
    });
  });
}

test("the rules of a conversation are told in it", async ({ chat, page }) => {
  await page.getByRole("button", { name: "Settings" }).click();
  await chat.window.getByRole("tab", { name: "Permissions" }).click();
  await expect(chat.window.getByText("There are no rules in the settings.")).toBeVisible();
  await chat.window.getByRole("button", { name: "Rules of this conversation" }).click();
  await expect(page.getByRole("group", { name: "Answer to a command" })).toContainText("--approve auto");
});

test("notifications are turned on where the browser allows them", async ({ another }) => {
  const allowed = await another({ permissions: ["notifications"] });
  await allowed.page.getByRole("button", { name: "Settings" }).click();
  const [box] = [allowed.window.getByRole("checkbox", { name: /When a turn waits/ })];
  await expect(box).not.toBeChecked();
  await box.check();
  // The browser's user is asked first.
  await expect.poll(() => allowed.page.evaluate(() => localStorage.getItem("switchboard-notifications"))).toBe("on");
  await allowed.page.reload();
  await allowed.page.getByRole("button", { name: "Settings" }).click();
  await expect(box).toBeChecked();
});
