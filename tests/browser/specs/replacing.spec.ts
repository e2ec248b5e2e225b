//! Whoever is asked about a change to files sees what becomes of them before the answer.

import { expectGoodLooks, LOOKS, picture } from "../support/looks";
import { expect, test } from "../support/test";

test.use({ options: ["--approve", "ask"] });

for (const look of LOOKS) {
  test.describe(look.name, () => {
    test.use(look.options);

    test("a file that will be edited shows the change before it is allowed", async ({ chat, page, server }) => {
      await server.file("notes.txt", "milk\nbread\nbutter\n");
      await chat.send("Read notes.txt");
      await chat.idle();
      await chat.send('Replace "bread" with "rye bread" in notes.txt');

      await expect(chat.approval).toContainText("What will change");
      await expect(chat.approval.locator("sb-diff .removed")).toHaveText("-bread");
      await expect(chat.approval.locator("sb-diff .added")).toHaveText("+rye bread");
      await expect(chat.approval.locator("sb-arguments")).toBeHidden();
      await expect(chat.approval.getByRole("button", { name: "Allow once" })).toHaveAttribute("aria-disabled", "false");
      await expectGoodLooks(page);
      await picture(page, `replacing ${look.name}`);

      await chat.approval.getByText("Arguments").click();
      await expect(chat.approval.locator("sb-arguments")).toContainText("rye bread");
      expect(await server.content("notes.txt")).toBe("milk\nbread\nbutter\n");
      await chat.decide("Allow once");
      await chat.idle();
      expect(await server.content("notes.txt")).toBe("milk\nrye bread\nbutter\n");
    });
  });
}

test.describe("in German", () => {
  test.use({ locale: "de-DE" });

  test("a change too long to show says so, and shows what is asked for", async ({ chat, page, server }) => {
    await server.file("long.txt", Array.from({ length: 5_000 }, (_, line) => `line ${line} x\n`).join(""));
    const field = page.getByRole("textbox", { name: "Nachricht" });
    await field.fill('Replace all "x" with "y" in long.txt');
    await field.press("Enter");

    await expect(chat.approval).toContainText("Was sich ändern wird");
    await expect(chat.approval.locator("sb-diff")).toContainText(/… \d+ more lines/);
    await expect(chat.approval.locator("sb-arguments")).toBeVisible();
    await expect(chat.approval.getByRole("button", { name: "Einmal erlauben" })).toHaveAttribute("aria-disabled", "true");
  });
});
