//! Charts in replies and in windows: drawn, read as a table, saved, offered for a table; and nothing breaks the policy.

import { readFile } from "node:fs/promises";
import { expectGoodLooks, LOOKS, picture } from "../support/looks";
import { expect, test } from "../support/test";

const PLOT = "plot the total amount by region in sales.csv";

test.beforeEach(async ({ server }) => {
  await server.file("sales.csv", "date,region,amount\n2026-01-03,north,120\n2026-01-20,south,45\n2026-02-02,east,300\n2026-03-01,north,60.5\n");
});

test("a chart stands in the reply, reads as a table and is saved", async ({ chat }) => {
  await chat.ask(PLOT);
  const turn = chat.turn(PLOT);
  await expect(turn.getByRole("img", { name: /^Bar chart: total amount by region\. Points: 3, from 45 to 300\.$/ })).toBeVisible();

  const saved = async (name: string) => {
    const [download] = await Promise.all([chat.page.waitForEvent("download"), turn.getByRole("button", { name }).click()]);
    return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
  };
  const svg = await saved("Save as SVG");
  expect(svg.name).toBe("total-amount-by-region.svg");
  expect(svg.content.toString("utf8")).toMatch(/^<svg [\s\S]*<\/svg>$/);
  expect(svg.content.toString("utf8")).not.toContain("var(");
  const png = await saved("Save as PNG");
  expect(png.name).toBe("total-amount-by-region.png");
  expect([...png.content.subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47]);

  await turn.getByRole("button", { name: "As a table" }).click();
  await expect(turn.locator("sb-chart-viewer tbody tr")).toHaveCount(3);
});

test("a chart opens in a window and outlives a reload", async ({ chat }) => {
  await chat.ask(PLOT);
  await chat.turn(PLOT).getByRole("button", { name: "Open chart in a window" }).click();
  await expect(chat.pane.getByRole("img", { name: /^Bar chart/ })).toBeVisible();

  await chat.page.reload();
  await expect(chat.pane.getByRole("img", { name: /^Bar chart/ })).toBeVisible();
  await expect(chat.turn(PLOT).getByRole("img", { name: /^Bar chart/ })).toBeVisible();
});

test("an answer with a table is drawn by one click", async ({ chat }) => {
  await chat.ask("what is the total amount by region in sales.csv?");
  await chat.page.getByRole("button", { name: "Draw as a chart" }).click();
  await expect(chat.page.getByRole("img", { name: /^Bar chart: total amount by region\. Points: 3/ })).toBeVisible();
});

test("each kind is drawn", async ({ chat }) => {
  for (const [words, kind] of [
    ["draw a line chart of the total amount by month in sales.csv", "Line chart"],
    ["draw a pie chart of the total amount by region in sales.csv", "Pie chart"],
    ["draw an area chart of the total amount by month in sales.csv", "Area chart"],
    ["draw a scatter plot of the total amount by region in sales.csv", "Point chart"],
  ] as const) {
    await chat.ask(words);
    await expect(chat.turn(words).getByRole("img", { name: new RegExp(`^${kind}`) })).toBeVisible();
    await picture(chat.page, `chart-${kind}`);
  }
});

for (const { name, options } of LOOKS) {
  test(`they look right: ${name}`, async ({ another }) => {
    const chat = await another(options);
    await chat.send(PLOT);
    await chat.idle();
    await expect(chat.turn(PLOT).getByRole("img", { name: /^Bar chart/ })).toBeVisible();
    await expectGoodLooks(chat.page);
    await picture(chat.page, `chart-${name}`);
    await chat.turn(PLOT).getByRole("button", { name: "Open chart in a window" }).click();
    await expect(chat.pane.getByRole("img", { name: /^Bar chart/ })).toBeVisible();
    await expectGoodLooks(chat.page);
    await picture(chat.page, `chart-window-${name}`);
  });
}
