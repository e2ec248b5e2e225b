//! Files that the user brings: attached by the button, dropped, pasted; what is refused is told.

import type { Locator, Page } from "@playwright/test";
import { expectGoodLooks, LOOKS } from "../support/looks";
import { expect, test } from "../support/test";

/** Chooses files as the button does; before the session is there, it takes none. */
async function choose(page: Page, files: Parameters<Locator["setInputFiles"]>[0]): Promise<void> {
  await expect(page.locator("button.attach")).toBeEnabled();
  await page.locator("input[type=file]").setInputFiles(files);
}

const NOTES = { name: "my notes.txt", mimeType: "text/plain", buffer: Buffer.from("milk\nbread\n") };

test("a file is attached and can be asked about", async ({ chat }) => {
  await choose(chat.page, NOTES);
  await expect(chat.field).toHaveValue("uploads/my_notes.txt ");
  await chat.field.fill("");
  await chat.ask("How many lines are in uploads/my_notes.txt?");
  await expect(chat.turn("How many lines are in uploads/my_notes.txt?")).toContainText("2 lines");
});

test("a file is dropped and a picture is pasted", async ({ chat }) => {
  const hand = (kind: "drop" | "paste", name: string) =>
    chat.field.evaluate((element, { kind, name }) => {
      const data = new DataTransfer();
      data.items.add(new File(["some bytes"], name));
      const options = { bubbles: true, cancelable: true, composed: true };
      element.dispatchEvent(kind === "drop" ? new DragEvent(kind, { ...options, dataTransfer: data }) : new ClipboardEvent(kind, { ...options, clipboardData: data }));
    }, { kind, name });
  await expect(chat.page.locator("button.attach")).toBeEnabled();
  await hand("drop", "plan.md");
  await expect(chat.field).toHaveValue("uploads/plan.md ");
  await hand("paste", "image.png");
  await expect(chat.field).toHaveValue("uploads/plan.md uploads/image.png ");
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

for (const { name, options } of LOOKS) {
  test(`they look right: ${name}`, async ({ another }) => {
    const chat = await another(options);
    await choose(chat.page, { name: "empty.txt", mimeType: "text/plain", buffer: Buffer.alloc(0) });
    await expect(chat.page.getByText("empty.txt is empty.")).toBeVisible();
    await expectGoodLooks(chat.page);
  });
}
