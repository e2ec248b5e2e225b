//! PDFs in their window: pages, zoom, words, keys; large, damaged, locked and hostile ones.

import type { Page } from "@playwright/test";
import { expectGoodLooks, LOOKS, picture } from "../support/looks";
import { pdf } from "../support/pdf";
import { expect, test } from "../support/test";

const BOOK = pdf({
  pages: Array.from({ length: 500 }, (_, at) => [`Chapter ${at + 1}`, "It was a quiet year in the harbour.", at === 411 ? "Here lies the golden anchor." : "Nothing was found."]),
  padding: 20 * 1024 * 1024,
});
const REPORT = pdf({ pages: [["Quarterly report", "Revenue grew in the north.", "Costs fell in the south."], ["Outlook", "More of the same."], ["Annex", "Tables."]] });

/** How much dark is drawn on a page: the share of its points. */
function ink(page: Page, number: number): Promise<number> {
  return page.getByRole("group", { name: `Page ${number}`, exact: true }).locator("canvas").evaluate((canvas: HTMLCanvasElement) => {
    const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
    let dark = 0;
    for (let at = 0; at < data.length; at += 4) if (data[at]! + data[at + 1]! + data[at + 2]! < 380 && data[at + 3]! > 128) dark += 1;
    return dark / (data.length / 4);
  });
}

test("a PDF is shown page by page, larger and smaller, and its text can be copied", async ({ chat, page, server, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await server.file("report.pdf", REPORT);
  await chat.ask("Show report.pdf");
  const sheet = page.getByRole("group", { name: "Page 1", exact: true });
  await expect(sheet).toContainText("Revenue grew in the north.");
  await expect(chat.pane).toContainText("of 3");
  expect(await ink(page, 1)).toBeGreaterThan(0.005);

  await chat.pane.getByRole("button", { name: "100 %" }).click();
  const width = () => sheet.evaluate((box) => box.getBoundingClientRect().width);
  expect(await width()).toBeCloseTo((595 * 96) / 72, 0);
  await chat.pane.getByRole("button", { name: "Larger" }).click();
  await expect.poll(width).toBeCloseTo((595 * 96 * 1.25) / 72, 0);
  await expect.poll(() => sheet.locator("canvas").evaluate((canvas: HTMLCanvasElement) => canvas.width)).toBe(Math.floor((595 * 96 * 1.25) / 72));
  await chat.pane.getByRole("button", { name: "Fit" }).click();
  await expect(chat.pane.getByRole("button", { name: "Fit" })).toHaveAttribute("aria-pressed", "true");

  // The text lies where it is drawn.
  const line = sheet.getByText("Costs fell in the south.");
  const [text, paper] = await Promise.all([line.boundingBox(), sheet.boundingBox()]);
  const scale = paper!.width / 595;
  expect(Math.abs(text!.x - paper!.x - 60 * scale)).toBeLessThan(3);
  expect(Math.abs(text!.y + text!.height / 2 - paper!.y - (842 - 704 - 4) * scale)).toBeLessThan(8);
  expect(Math.abs(text!.width - 133 * scale)).toBeLessThan(12);
  await line.click({ clickCount: 3 });
  await page.keyboard.press("Control+c");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("Costs fell in the south.");

  // It stays where it is when its window moves.
  await chat.pane.getByRole("group", { name: "report.pdf" }).press("End");
  await expect(chat.pane.getByRole("spinbutton", { name: "Page" })).toHaveValue("3");
  await chat.pane.getByRole("button", { name: "Make it a floating window" }).click();
  await expect(page.getByRole("group", { name: "Page 3", exact: true })).toBeInViewport();
  await expect(page.getByRole("spinbutton", { name: "Page" })).toHaveValue("3");
  await page.getByRole("button", { name: "Dock report.pdf" }).click();
  await expect(page.getByRole("group", { name: "Page 3", exact: true })).toContainText("Annex");

  // It is read again when it has changed.
  await server.file("other.pdf", pdf({ pages: [["Another one"]] }));
  await chat.ask("Run `cp other.pdf report.pdf`");
  await expect(chat.pane).toContainText("of 1");
  await expect(sheet).toContainText("Another one");
});

test("500 pages and 20 MB are read in parts, and only what is seen is drawn", async ({ chat, page, server }) => {
  await server.file("book.pdf", BOOK);
  const read: number[] = [];
  page.on("response", (response) => {
    if (!response.url().includes("book.pdf")) return;
    expect(response.status()).toBe(206);
    read.push(Number(response.headers()["content-length"]));
  });
  await chat.ask("Show book.pdf");
  await expect(page.getByRole("group", { name: "Page 1", exact: true })).toContainText("Chapter 1");
  await expect(chat.pane).toContainText("of 500");
  const number = chat.pane.getByRole("spinbutton", { name: "Page" });

  await number.fill("300");
  await number.press("Enter");
  await expect(page.getByRole("group", { name: "Page 300", exact: true })).toContainText("Chapter 300");
  await expect(number).toHaveValue("300");
  await number.fill("9000");
  await number.press("Enter");
  await expect(page.getByRole("group", { name: "Page 500", exact: true })).toContainText("Chapter 500");
  await expect(number).toHaveValue("500");
  await expect.poll(() => chat.pane.locator(".sheet canvas").count()).toBeLessThan(8);

  await chat.pane.getByRole("group", { name: "book.pdf" }).press("ArrowLeft");
  await expect(number).toHaveValue("499");
  await chat.pane.getByRole("group", { name: "book.pdf" }).press("Home");
  await expect(number).toHaveValue("1");

  await chat.pane.getByRole("group", { name: "book.pdf" }).press("Control+f");
  const find = chat.pane.getByRole("searchbox", { name: "Find in the document" });
  await expect(find).toBeFocused();
  await find.fill("the  GOLDEN anchor");
  await find.press("Enter");
  await expect(chat.pane.locator("sb-pdf-viewer").getByRole("status")).toHaveText("Page 412");
  await expect(page.getByRole("group", { name: "Page 412", exact: true })).toContainText("golden anchor");
  await expect.poll(() => page.evaluate(() => [...(CSS.highlights.get("found-in-pdf") ?? [])].map(String))).toEqual(["the golden anchor"]);
  await picture(page, "pdf find");
  await find.fill("no such words");
  await find.press("Enter");
  await expect(chat.pane.locator("sb-pdf-viewer").getByRole("status")).toHaveText("Not found");

  expect(read.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(2 * 1024 * 1024);
});

test("a page that was scanned is shown: its picture is decoded without WebAssembly", async ({ chat, page, server }) => {
  // A fax of 8 × 8 black points: each line is no white, then eight black.
  const fax = "\x35\x14".repeat(8);
  const draw = `q 400 0 0 400 60 100 cm BI /W 8 /H 8 /BPC 1 /CS /G /F /CCF /DP << /K 0 /Columns 8 /Rows 8 /EncodedByteAlign true >> ID ${fax} EI Q`;
  await server.file("scan.pdf", pdf({ pages: [["A scan"]], draw }));
  await chat.ask("Show scan.pdf");
  await expect(page.getByRole("group", { name: "Page 1", exact: true })).toContainText("A scan");
  expect(await ink(page, 1)).toBeGreaterThan((400 * 400 * 0.95) / (595 * 842));
});

test("one that is damaged, empty or too large says so, and as text each is numbers", async ({ chat, server }) => {
  await server.file("damaged.pdf", "%PDF-1.4\nthis is all there is");
  await server.file("empty.pdf", "");
  await server.file("large.pdf", Buffer.concat([REPORT, Buffer.alloc(51 * 1024 * 1024)]));
  for (const [name, says] of [["damaged", "This is not a PDF, or it is damaged."], ["empty", "This is not a PDF, or it is damaged."], ["large", "This PDF is 51 MB; PDFs of up to 50 MB are shown."]] as const) {
    await chat.ask(`Show ${name}.pdf`);
    await expect(chat.pane.locator("sb-pdf-viewer").getByRole("alert")).toContainText(says);
  }
  await server.file("report.pdf", Buffer.concat([REPORT, Buffer.alloc(100)]));
  await chat.ask("Show report.pdf as text");
  await expect(chat.pane.locator("sb-editor-viewer")).toContainText("shown as hexadecimal numbers");
});

test("one with a password asks for it", async ({ chat, page, server }) => {
  await server.file("locked.pdf", pdf({ pages: [["For your eyes only"]], password: "swordfish" }));
  await chat.ask("Show locked.pdf");
  await expect(chat.pane).toContainText("This PDF is locked with a password.");
  const password = chat.pane.getByLabel("Password");
  await password.fill("guess");
  await password.press("Enter");
  await expect(chat.pane.getByRole("alert")).toHaveText("Wrong password.");
  await password.fill("swordfish");
  await chat.pane.getByRole("button", { name: "Unlock" }).click();
  await expect(page.getByRole("group", { name: "Page 1", exact: true })).toContainText("For your eyes only");
});

test("l06 what a PDF would run does not run, and nothing in it leads anywhere", async ({ chat, page, server }) => {
  const script = "(this.getField\\('a'\\); app.alert\\(1\\); window.__pwned=1; globalThis.__pwned=1; parent.__pwned=1)";
  const hostile = pdf({
    pages: [["Hostile <img src=x onerror=window.__pwned=1>", "](javascript:window.__pwned=1)"]],
    objects: [
      `<< /S /JavaScript /JS ${script} >>`,
      "<< /Type /Annot /Subtype /Link /Rect [0 0 595 842] /A << /S /URI /URI (javascript:window.__pwned=1) >> >>",
      "<< /Type /Annot /Subtype /Link /Rect [0 0 595 842] /A << /S /Launch /F (/bin/sh) >> >>",
      `<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /V (x) /Rect [10 10 100 40] /AA << /F 4 0 R /K 4 0 R /Fo 4 0 R >> /A 4 0 R >>`,
    ],
    catalog: "/OpenAction 4 0 R /AA << /WC 4 0 R >> /Names << /JavaScript << /Names [(x) 4 0 R] >> >> /AcroForm << /Fields [7 0 R] /CO [7 0 R] >>",
    page: "/Annots [5 0 R 6 0 R 7 0 R] /AA << /O 4 0 R >>",
  });
  await server.file("hostile.pdf", hostile);
  await page.route((url) => url.origin !== server.origin && url.protocol.startsWith("http"), (route) => {
    throw new Error(`the page asked for ${route.request().url()}`);
  });
  await chat.ask("Show hostile.pdf");
  const sheet = page.getByRole("group", { name: "Page 1", exact: true });
  await expect(sheet).toContainText("Hostile <img src=x onerror=window.__pwned=1>");
  const before = page.url();
  await sheet.click({ position: { x: 40, y: 200 } });
  await expect(sheet.locator("a, input, img, iframe, script, button")).toHaveCount(0);
  expect(page.url()).toBe(before);
  expect(page.context().pages()).toHaveLength(1);
});

for (const { name, phone, options } of LOOKS) {
  test(`it looks right: ${name}`, async ({ another, server }) => {
    await server.file("report.pdf", REPORT);
    const chat = await another(options);
    await chat.send("Show report.pdf");
    await chat.idle();
    if (phone) await chat.turn("Show report.pdf").getByRole("button", { name: "Open report.pdf in a window" }).click();
    await expect(chat.page.getByRole("group", { name: "Page 1", exact: true })).toContainText("Quarterly report");
    expect(await ink(chat.page, 1)).toBeGreaterThan(0.005);
    await picture(chat.page, `pdf ${name}`);
    await expectGoodLooks(chat.page);
  });
}
