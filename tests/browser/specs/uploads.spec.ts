//! Files that the user brings: attached by the button, dropped, pasted; what is refused is told.

import type { Locator, Page } from "@playwright/test";
import { expectGoodLooks, LOOKS, picture } from "../support/looks";
import { expect, test } from "../support/test";

/** Chooses files as the button does; before the session is there, it takes none. */
async function choose(page: Page, files: Parameters<Locator["setInputFiles"]>[0]): Promise<void> {
  await expect(page.locator("button.attach")).toBeEnabled();
  await page.locator("sb-composer input[type=file]").setInputFiles(files);
}

/** A red picture of 4 × 3 pixels. */
const PNG = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAQAAAADCAIAAAA7ljmRAAAAEElEQVR42mP4z8AARww4OQD1MQv13XpUDQAAAABJRU5ErkJggg==", "base64");

const NOTES = { name: "my notes.txt", mimeType: "text/plain", buffer: Buffer.from("milk\nbread\n") };

test("a file is attached and can be asked about", async ({ chat }) => {
  await choose(chat.page, NOTES);
  await expect(chat.field).toHaveValue("uploads/my_notes.txt ");
  await chat.field.fill("");
  await chat.ask("How many lines are in uploads/my_notes.txt?");
  await expect(chat.turn("How many lines are in uploads/my_notes.txt?")).toContainText("2 lines");
});

/** Drops a file onto something, or pastes it there. */
async function hand(to: Locator, kind: "drop" | "paste", name: string): Promise<void> {
  await to.evaluate((element, { kind, name }) => {
    const data = new DataTransfer();
    data.items.add(new File(["some bytes"], name));
    const options = { bubbles: true, cancelable: true, composed: true };
    element.dispatchEvent(kind === "drop" ? new DragEvent(kind, { ...options, dataTransfer: data }) : new ClipboardEvent(kind, { ...options, clipboardData: data }));
  }, { kind, name });
}

test("a file is dropped and a picture is pasted", async ({ chat }) => {
  await expect(chat.page.locator("button.attach")).toBeEnabled();
  await hand(chat.field, "drop", "plan.md");
  await expect(chat.field).toHaveValue("uploads/plan.md ");
  await hand(chat.field, "paste", "image.png");
  await expect(chat.field).toHaveValue("uploads/plan.md uploads/image.png ");
});

test("a file that is dropped on the variables becomes one, belongs to no message, and can be taken back", async ({ chat, page, server }) => {
  await expect(page.locator("button.attach")).toBeEnabled();
  await hand(chat.variables, "drop", "plan.md");
  const added = chat.variables.getByRole("list", { name: "Added files" });
  await expect(added).toContainText("plan.md");
  await expect(chat.variables.locator(".variable")).toContainText("some bytes");
  await expect(chat.field).toHaveValue("");
  expect(await server.content("uploads/plan.md")).toBe("some bytes");
  await picture(page, "dropped on the variables");
  await expectGoodLooks(page);

  await added.getByRole("button", { name: "Remove plan.md and delete the file" }).click();
  await picture(page, "asked before a file is deleted");
  await expectGoodLooks(page);
  expect(await server.content("uploads/plan.md")).toBe("some bytes");
  await added.getByRole("button", { name: "Delete permanently?" }).click();
  await expect(chat.variables.locator(".variable")).toHaveCount(0);
  await expect(added).toHaveCount(0);
  await expect(chat.variables.getByRole("button", { name: "Add a file" })).toBeFocused();
  expect(await server.content("uploads/plan.md")).toBeUndefined();
});

test("what belongs to a message is removed and added to while it is edited", async ({ chat, page }) => {
  await choose(page, [NOTES, { name: "logo.png", mimeType: "image/png", buffer: PNG }]);
  await expect(chat.field).toHaveValue(/my_notes.*logo|logo.*my_notes/);
  await chat.field.fill("How many lines are in uploads/my_notes.txt?");
  await page.getByRole("button", { name: "Send" }).click();
  const turn = chat.turn("How many lines");
  await expect(turn.locator(".reply")).toContainText("2 lines");
  await chat.idle();
  const before = chat.session;

  await turn.getByRole("button", { name: "Edit this message" }).click();
  const files = page.getByRole("list", { name: "Files for this message" });
  await expect(files.getByRole("listitem")).toHaveText(["my_notes", "logo"]);
  await files.getByRole("button", { name: "Remove logo" }).click();
  await hand(chat.field, "paste", "plan.md");
  await expect(files.getByRole("listitem")).toHaveText(["my_notes", "plan.md"]);
  await expect(chat.field).toHaveValue(/uploads\/plan\.md/);
  await picture(page, "editing with files");
  await expectGoodLooks(page);
  await chat.send("How many words are in uploads/plan.md?");
  await expect.poll(() => chat.session).not.toBe(before);
  const again = chat.turn("How many words");
  await expect(again.locator(".reply")).toContainText("2 words");
  await expect(again.getByRole("list", { name: "Attachments" }).getByRole("button")).toHaveText(["my_notes", "plan"]);
  await again.getByRole("button", { name: "Open plan in a window" }).click();
  await expect(chat.pane).toContainText("some bytes");
});

test("what is too large or empty is told and not sent", async ({ chat }) => {
  await choose(chat.page, [
    { name: "empty.txt", mimeType: "text/plain", buffer: Buffer.alloc(0) },
    { name: "large.bin", mimeType: "application/octet-stream", buffer: Buffer.alloc(17 * 1024 * 1024) },
  ]);
  await expect(chat.page.getByText("empty.txt is empty.")).toBeVisible();
  await expect(chat.page.getByText("large.bin is larger than 16 MB.")).toBeVisible();
  await chat.page.getByRole("button", { name: "Remove empty.txt" }).click();
  await expect(chat.page.getByText("empty.txt is empty.")).toHaveCount(0);
});

test("what was uploaded belongs to the message, opens from it, and stays when it is sent again", async ({ chat, page }) => {
  await choose(page, [NOTES, { name: "logo.png", mimeType: "image/png", buffer: PNG }]);
  const files = page.getByRole("list", { name: "Files for this message" });
  await expect(files.getByRole("button", { name: "Remove my notes.txt" })).toBeVisible();
  await expect(files.getByRole("button", { name: "Remove logo.png" })).toBeVisible();
  await expect(chat.field).toHaveValue(/my_notes.*logo|logo.*my_notes/);
  await chat.field.fill("Count the lines in uploads/my_notes.txt");
  await chat.page.getByRole("button", { name: "Send" }).click();
  const turn = chat.turn("Count the lines in uploads/my_notes.txt");
  await expect(turn.locator(".reply")).toContainText("2");
  await expect(files).toHaveCount(0);
  const attached = turn.getByRole("list", { name: "Attachments" });
  await expect(attached.getByRole("button")).toHaveText(["my_notes", "logo"]);

  await attached.getByRole("button", { name: "Open logo in a window" }).click();
  await expect(chat.pane.getByRole("img")).toBeVisible();
  await chat.idle();

  const before = chat.session;
  await turn.getByRole("button", { name: "Edit this message" }).click();
  await chat.send("Count the words in uploads/my_notes.txt");
  await expect.poll(() => chat.session).not.toBe(before);
  const again = chat.turn("Count the words in uploads/my_notes.txt");
  await expect(again.locator(".reply")).toContainText("2");
  await expect(again.getByRole("list", { name: "Attachments" }).getByRole("button")).toHaveText(["my_notes", "logo"]);
});

test("what is removed before sending is deleted, does not belong to the message, and is named no longer", async ({ chat, page, server }) => {
  await choose(page, NOTES);
  await expect(chat.field).toHaveValue("uploads/my_notes.txt ");
  await choose(page, { ...NOTES, name: "more.txt" });
  await expect(chat.field).toHaveValue("uploads/my_notes.txt uploads/more.txt ");
  await page.getByRole("button", { name: "Remove my notes.txt" }).click();
  await expect(chat.field).toHaveValue("uploads/more.txt ");
  await expect(chat.variables.locator(".variable")).toHaveCount(1);
  await expect.poll(() => server.content("uploads/my_notes.txt")).toBeUndefined();
  await chat.ask("How many lines are in uploads/more.txt?");
  await expect(chat.turns.last().getByRole("list", { name: "Attachments" }).getByRole("button")).toHaveText(["more"]);

  // What waits for a message does not go into another conversation.
  await choose(page, { ...NOTES, name: "third.txt" });
  await expect(page.getByRole("button", { name: "Remove third.txt" })).toBeVisible();
  await page.getByRole("button", { name: "New chat" }).click();
  await expect(page.getByRole("button", { name: "Remove third.txt" })).toHaveCount(0);
});

for (const { name, options } of LOOKS) {
  test(`they look right: ${name}`, async ({ another }) => {
    const chat = await another(options);
    await choose(chat.page, { name: "empty.txt", mimeType: "text/plain", buffer: Buffer.alloc(0) });
    await expect(chat.page.getByText("empty.txt is empty.")).toBeVisible();
    await choose(chat.page, [NOTES, { name: "logo.png", mimeType: "image/png", buffer: PNG }]);
    await expect(chat.page.getByRole("button", { name: "Remove logo.png" })).toBeVisible();
    await expect(chat.field).toHaveValue(/my_notes/);
    await picture(chat.page, `attaching ${name}`);
    await expectGoodLooks(chat.page);

    await chat.send("How many lines are in uploads/my_notes.txt?");
    await expect(chat.turns.last().locator(".reply")).toContainText("2 lines");
    await picture(chat.page, `attached ${name}`);
    await expectGoodLooks(chat.page);
  });
}
