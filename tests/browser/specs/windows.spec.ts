//! Windows beside the conversation: each viewer, reload, a second tab, a phone, the keyboard, the second language.

import { readFile } from "node:fs/promises";
import { expectGoodLooks, LOOKS, picture } from "../support/looks";
import { pdf } from "../support/pdf";
import { png } from "../support/png";
import { expect, test } from "../support/test";

test.beforeEach(async ({ server }) => {
  await server.file("README.md", "# The project\n\nIt is **small**.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n");
  await server.file("sales.csv", "region,amount\nnorth,120\nsouth,45\neast,300\n");
  await server.file("src/main.rs", "// The beginning.\nfn main() {\n    println!(\"hello\");\n}\n");
  await server.file("change.diff", "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n same\n-old\n+new\n");
  await server.file("notes.txt", "milk\nbread\n");
  await server.file("cat.png", png());
  await server.file("data.json", `{"one": [1, 2]}`);
  await server.file("letter.pdf", pdf({ pages: [["Dear reader"]] }));
});

test("every viewer shows what it is for, and nothing breaks the policy", async ({ chat }) => {
  await chat.ask("Show me README.md");
  await expect(chat.pane.getByRole("heading", { name: "The project" })).toBeVisible();
  await picture(chat.page, "window-markdown");

  await chat.ask("Show sales.csv");
  await expect(chat.pane.getByText("3 of 3 rows")).toBeVisible();
  await chat.pane.getByRole("button", { name: "amount" }).click();
  await expect(chat.pane.locator("tbody tr").first()).toContainText("45");
  await chat.pane.getByRole("button", { name: "amount" }).click();
  await expect(chat.pane.locator("tbody tr").first()).toContainText("300");
  await chat.pane.getByRole("searchbox", { name: "Filter rows" }).fill("nor");
  await expect(chat.pane.getByText("1 of 3 rows")).toBeVisible();
  await picture(chat.page, "window-table");
  const saving = chat.page.waitForEvent("download");
  await chat.pane.getByRole("button", { name: "Save as CSV" }).click();
  const saved = await saving;
  expect([saved.suggestedFilename(), await readFile(await saved.path(), "utf8")]).toEqual(["sales.csv", "region,amount\r\nnorth,120\r\n"]);

  await chat.ask("Show cat.png");
  await expect(chat.pane.getByText("120 × 80 pixels, 100 %")).toBeVisible();
  await chat.pane.getByRole("button", { name: "Larger" }).click();
  await expect(chat.pane.getByText("120 × 80 pixels, 125 %")).toBeVisible();
  await picture(chat.page, "window-image");
  await chat.ask("Show cat.png as text");
  await expect(chat.pane.getByText("00000000  89 50 4e 47 0d 0a 1a 0a")).toBeVisible();
  await expect(chat.pane.getByText("shown as hexadecimal numbers")).toBeVisible();

  await chat.ask("Show change.diff");
  await expect(chat.pane.getByText("+new")).toBeVisible();

  await chat.ask("Show letter.pdf");
  await expect(chat.pane.getByRole("group", { name: "Page 1", exact: true })).toContainText("Dear reader");

  await chat.ask("Show data.json");
  await expect(chat.pane.getByRole("tree")).toContainText("one");

  await chat.ask("Open the folder src");
  await chat.pane.getByRole("button", { name: "main.rs" }).click();
  await expect(chat.pane.getByRole("tab", { name: "main.rs", selected: true })).toBeVisible();
  await expect(chat.pane.getByText("println!")).toBeVisible();
  await expect(chat.pane.locator(".hljs-keyword").first()).toHaveText("fn");
  await picture(chat.page, "window-editor");
  await expect(chat.pane.getByRole("tab")).toHaveCount(8);
});

test("links to files open them in windows", async ({ chat, server }) => {
  await server.file("docs/guide.md", "# Guide\n\nSee [the notes](../notes.txt), and [what is outside](../../outside.txt).\n");
  await chat.ask("Show docs/guide.md");
  await expect(chat.pane.getByRole("button", { name: "what is outside" })).toHaveCount(0);
  await chat.pane.getByRole("button", { name: /^the notes/ }).click();
  await expect(chat.pane.getByRole("tab", { name: "notes.txt", selected: true })).toBeVisible();
  await expect(chat.pane.getByText("bread")).toBeVisible();
});

test("windows follow what tools change", async ({ chat, server }) => {
  await chat.ask("Open the folder src");
  await expect(chat.pane.getByRole("button", { name: "main.rs" })).toBeVisible();
  await chat.ask("Show cat.png");
  await expect(chat.pane.getByText("120 × 80 pixels")).toBeVisible();
  // What changed them behind the page's back is seen with the next change that it hears of.
  await server.file("cat.png", png(40));
  await server.file("src/more.rs", "");
  await chat.ask('Write "x" to src/new.txt');
  await chat.idle();
  await expect(chat.pane.getByText("120 × 40 pixels")).toBeVisible();
  await chat.pane.getByRole("tab", { name: "src" }).click();
  await expect(chat.pane.getByRole("button", { name: "new.txt" })).toBeVisible();
  await expect(chat.pane.getByRole("button", { name: "more.rs" })).toBeVisible();
});

test("windows outlive a reload, and a second tab has them", async ({ chat, another }) => {
  await chat.ask("Show me README.md");
  await chat.ask("Show notes.txt in the same window");
  await expect(chat.pane.getByText("Version 2 of 2")).toBeVisible();
  await chat.pane.getByRole("button", { name: "The version before" }).click();
  await expect(chat.pane.getByRole("heading", { name: "The project" })).toBeVisible();

  await chat.page.reload();
  await expect(chat.pane.getByRole("tab", { name: "notes.txt" })).toBeVisible();
  const other = await another();
  await other.page.goto(chat.page.url());
  await expect(other.pane.getByRole("tab", { name: "notes.txt" })).toBeVisible();
  await other.pane.getByRole("button", { name: "Close notes.txt" }).click();
  await expect(chat.pane).toHaveCount(0);

  await chat.turn("Show notes.txt").getByRole("button", { name: "Open notes.txt in a window" }).click();
  await expect(chat.pane.getByRole("tab", { name: "notes.txt" })).toBeVisible();
});

test("tabs are reached and closed by the keyboard", async ({ chat }) => {
  await chat.ask("Show me README.md");
  await chat.ask("Show notes.txt");
  await chat.pane.getByRole("tab", { name: "notes.txt" }).focus();
  await chat.page.keyboard.press("ArrowLeft");
  await expect(chat.pane.getByRole("tab", { name: "README.md", selected: true })).toBeFocused();
  await chat.page.keyboard.press("Delete");
  await expect(chat.pane.getByRole("tab")).toHaveCount(1);
});

for (const { name, phone, options } of LOOKS) {
  test(`they look right: ${name}`, async ({ another }) => {
    const chat = await another(options);
    await chat.send("Show me README.md");
    await chat.idle();
    const card = chat.turn("Show me README.md").getByRole("button", { name: "Open README.md in a window" });
    await expect(card).toBeVisible();
    await expectGoodLooks(chat.page);
    if (phone) await card.click();
    await expect(chat.pane.getByRole("heading", { name: "The project" })).toBeVisible();
    await expectGoodLooks(chat.page);
    await picture(chat.page, `windows-${name}`);
    await chat.pane.getByRole("button", { name: "Hide the windows" }).click();
    await chat.send("Show sales.csv");
    await chat.idle();
    if (phone) await chat.turn("Show sales.csv").getByRole("button", { name: "Open sales.csv in a window" }).click();
    await expect(chat.pane.getByText("3 of 3 rows")).toBeVisible();
    await expectGoodLooks(chat.page);
    await picture(chat.page, `table-${name}`);
  });
}
