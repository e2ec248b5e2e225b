//! JSON in windows: a tree by mouse, keyboard and touch, filtered and copied from, and as the text that it is.

import { expectGoodLooks, LOOKS, picture } from "../support/looks";
import { expect, test } from "../support/test";

const PEOPLE = `{
  "people": [
    { "name": "Ada", "born": 1815, "note": "${"She wrote the first program. ".repeat(8)}" },
    { "name": "Kurt", "tags": ["logic", "sets"] }
  ],
  "big": 12345678901234567890,
  "far": 1e400,
  "ok": true,
  "ok": null,
  "<img src=x onerror=window.__pwned=1>": "</span><script>window.__pwned=1</script>"
}
`;

test.beforeEach(async ({ server }) => {
  await server.file("people.json", PEOPLE);
  await server.file("broken.json", '{"a": 1,\n "b": }\n');
  await server.file("log.jsonl", '{"level": "info", "n": 1}\n{"level": "error", "n": 2}\n');
  await server.file("large.json", `[${Array.from({ length: 100_000 }, (_, id) => `{"id":${id},"name":"n${id}"}`).join(",")}]`);
});

test("a tree is walked, opened, filtered and copied from by the keyboard alone", async ({ chat, page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await chat.ask("Show people.json");
  const tree = chat.pane.getByRole("tree", { name: "people.json" });
  await expect(tree.getByRole("treeitem", { name: "12345678901234567890" })).toBeVisible();
  await expect(tree.getByRole("treeitem", { name: "1e400" })).toBeVisible();
  await expect(tree.getByRole("treeitem", { name: /^ok:/ })).toHaveCount(2);
  await expect(chat.pane.locator(".facts")).toContainText("JSON");

  await chat.pane.getByRole("searchbox", { name: "Find keys and values" }).focus();
  for (const _ of [1, 2, 3]) await page.keyboard.press("Tab");
  await expect(tree).toBeFocused();
  for (const key of ["ArrowDown", "ArrowRight", "*", "ArrowRight"]) await page.keyboard.press(key);
  await expect(tree.getByRole("treeitem", { selected: true })).toHaveText(/name:"Ada"/);
  await page.keyboard.press("Control+c");
  await expect.poll(clipboard).toBe("Ada");
  await expect(tree.getByRole("treeitem", { name: 'name: "Kurt"' })).toBeVisible();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await expect(tree.getByRole("treeitem", { name: 'name: "Ada"' })).toHaveCount(0);
  await page.keyboard.press("End");
  await expect(tree.getByRole("treeitem", { selected: true })).toContainText("<img src=x");

  await chat.pane.getByRole("searchbox", { name: "Find keys and values" }).fill("logic");
  await expect(chat.pane.getByText("Found: 1")).toBeVisible();
  await expect(tree.getByRole("treeitem", { selected: true })).toContainText("logic");
  await chat.pane.getByRole("button", { name: "Copy path" }).press("Enter");
  await expect.poll(clipboard).toBe("$.people[1].tags[0]");

  await chat.pane.getByRole("button", { name: "As text" }).press("Enter");
  await expect(chat.pane.locator(".cm-content")).toContainText('"far": 1e400');
  await chat.pane.getByRole("button", { name: "As text" }).press("Enter");
  await expect(tree).toBeVisible();
});

test("a hundred thousand items are looked through without a freeze", async ({ chat, page }) => {
  await chat.ask("Show large.json");
  const tree = chat.pane.getByRole("tree");
  await expect(tree.getByRole("treeitem").first()).toContainText("100,000 items");
  expect(await tree.getByRole("treeitem").count()).toBeLessThan(120);
  const took = await page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    const start = performance.now();
    for (let n = 0; n < 10; n++) await frame();
    return performance.now() - start;
  });
  expect(took).toBeLessThan(5000);
  await tree.focus();
  await page.keyboard.press("End");
  await expect(tree.getByRole("treeitem", { selected: true })).toContainText("[99000 … 99999]");
  await expect(tree.getByRole("treeitem", { selected: true })).toBeInViewport();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("End");
  await expect(tree.getByRole("treeitem", { selected: true })).toContainText("99999:");
  await expect(tree.getByRole("treeitem", { selected: true })).toBeInViewport();
  await chat.pane.getByRole("searchbox").fill("n99998");
  await expect(tree.getByRole("treeitem", { name: 'name: "n99998"' })).toBeVisible();
  expect(await tree.getByRole("treeitem").count()).toBeLessThan(120);
});

test("lines are a tree, and what is not JSON is text that says so", async ({ chat }) => {
  await chat.ask("Show log.jsonl");
  await expect(chat.pane.getByRole("treeitem", { name: 'level: "error"' })).toBeVisible();
  await chat.ask("Show broken.json");
  await expect(chat.pane.getByText("This is not valid JSON (line 2), so it is shown as text.")).toBeVisible();
  await expect(chat.pane.locator(".cm-content")).toContainText('"b": }');
});

for (const { name, phone, options } of LOOKS) {
  for (const locale of ["en", "de"]) {
    test(`it looks right: ${name}, ${locale}`, async ({ another, server }) => {
      const words = locale === "de" ? { send: "Senden", field: "Nachricht", open: "people.json in einem Fenster öffnen", text: "Als Text" } : { send: "Send", field: "Message", open: "Open people.json in a window", text: "As text" };
      const { page } = await another({ ...options, locale }, server.origin);
      await page.getByRole("textbox", { name: words.field }).fill("Show people.json");
      await page.getByRole("button", { name: words.send, exact: true }).click();
      const card = page.getByRole("button", { name: words.open });
      await expect(card).toBeVisible();
      if (phone) await card.click();
      const tree = page.getByRole("tree", { name: "people.json" });
      await expect(tree).toBeVisible();
      await tree.getByRole("treeitem", { name: /^0:/ }).click();
      await tree.getByRole("treeitem", { name: /^note:/ }).click();
      await expectGoodLooks(page);
      await picture(page, `json-${name}-${locale}`);
      await page.getByRole("button", { name: words.text }).click();
      await expect(page.locator("sb-editor-viewer .cm-content")).toBeVisible();
      await expectGoodLooks(page);
    });
  }
}
