//! The page as strangers meet it, in docs/pictures: everything in them happened.

import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { expect, test } from "../support/test";

test.use({ options: ["--approve", "ask"] });

const FOLDER = fileURLToPath(new URL("../../../docs/pictures/", import.meta.url));
const WIDE = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1.5, reducedMotion: "reduce" as const };
const PHONE = { viewport: { width: 390, height: 780 }, deviceScaleFactor: 1.5, hasTouch: true, isMobile: true, reducedMotion: "reduce" as const };

const SALES = `month,region,product,amount
${["2026-01", "2026-02", "2026-03", "2026-04", "2026-05", "2026-06"]
  .flatMap((month, at) => ["north", "south", "east", "west"].map((region, place) => `${month},${region},${["tea", "coffee"][(at + place) % 2]},${120 + ((at * 37 + place * 53) % 90) * (4 - place)}`))
  .join("\n")}
`;

async function take(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: `${FOLDER}${name}.png`, animations: "disabled", caret: "hide" });
}

test.beforeEach(async ({ server }) => {
  await server.file("sales.csv", SALES);
  await server.file("config.json", '{\n  "name": "tea shop",\n  "port": 3000,\n  "currency": "EUR"\n}\n');
  await server.file("README.md", "# Tea shop\n\nThe shop's web page and its figures.\n");
  await server.file("notes.txt", "order filters\ncall the printer\n");
});

test("a chart beside the conversation", async ({ another }) => {
  for (const colorScheme of ["light", "dark"] as const) {
    const chat = await another({ ...WIDE, colorScheme });
    await chat.ask("which region sold the most in sales.csv?");
    await chat.openSteps(chat.turns.first());
    await chat.ask("plot the total amount by month in sales.csv");
    await chat.turns.last().getByRole("button", { name: "Open chart in a window" }).click();
    await expect(chat.pane.getByRole("img", { name: /chart/ })).toBeVisible();
    await chat.turns.first().scrollIntoViewIfNeeded();
    await take(chat.page, `wide-${colorScheme}`);
  }
});

test("a change is shown before it is made", async ({ another }) => {
  for (const [name, options] of [["approval", { ...WIDE, colorScheme: "dark" }], ["approval-phone", PHONE]] as const) {
    const chat = await another(options);
    await chat.send("What is the port in config.json?");
    await chat.idle();
    await chat.send("Set port to 8080 in config.json");
    await expect(chat.approval).toContainText("8080");
    // Buttons come alive a moment after the question, so that nobody answers it by accident.
    await expect(chat.approval.getByRole("button", { name: "Allow once" })).toHaveAttribute("aria-disabled", "false");
    await take(chat.page, name);
    await chat.decide("Deny");
  }
});

test("windows float", async ({ another }) => {
  const chat = await another(WIDE);
  await chat.ask("Show sales.csv");
  await chat.ask("Show README.md");
  await chat.pane.getByRole("button", { name: "Make it a floating window" }).click();
  await take(chat.page, "windows");
});

test("on a phone", async ({ another }) => {
  const chat = await another(PHONE);
  await chat.send("plot the total amount by region in sales.csv");
  const chart = chat.turns.last().getByRole("img", { name: /chart/ });
  await chart.scrollIntoViewIfNeeded();
  await chat.conversation.evaluate((element) => element.scrollTo({ top: 0 }));
  await take(chat.page, "phone");
});
