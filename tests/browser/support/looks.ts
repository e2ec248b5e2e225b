//! The ways in which people look at the page: light and dark, wide and on a phone; and what must hold in each.

import AxeBuilder from "@axe-core/playwright";
import { expect, type BrowserContextOptions, type Page } from "@playwright/test";

interface Look {
  name: string;
  phone: boolean;
  options: BrowserContextOptions;
}

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

export const LOOKS: readonly Look[] = (["light", "dark"] as const).flatMap((colorScheme) =>
  [false, true].map((phone) => ({
    name: `${colorScheme}, ${phone ? "phone" : "wide"}`,
    phone,
    options: { colorScheme, reducedMotion: "reduce" as const, ...(phone ? PHONE : {}) },
  })),
);

/** axe finds nothing serious, and nothing is wider than the screen. */
export async function expectGoodLooks(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  expect(serious.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary}`) }))).toEqual([]);
  const [content, width] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(content).toBeLessThanOrEqual(width ?? 0);
}

/** A picture for whoever looks at the pages by hand: `SWITCHBOARD_TEST_PICTURES` names the folder. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.SWITCHBOARD_TEST_PICTURES;
  if (folder) await page.screenshot({ path: `${folder}/${name.replace(/[^a-z]+/g, "-")}.png` });
}
