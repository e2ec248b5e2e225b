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

/** axe finds nothing, in its rules of good practice either, and nothing is wider than the screen. */
export async function expectGoodLooks(page: Page): Promise<void> {
  // Where something lies over all of a small screen, the page's own landmarks cannot be reached, and need not be.
  const covered = (await page.locator("main[inert], sb-topbar[inert]").count()) > 0;
  const { violations } = await new AxeBuilder({ page }).disableRules(covered ? ["landmark-one-main", "page-has-heading-one", "region"] : []).analyze();
  expect(violations.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary}`) }))).toEqual([]);
  const [content, width] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(content).toBeLessThanOrEqual(width ?? 0);
}

/** A picture for whoever looks at the pages by hand: `SWITCHBOARD_TEST_PICTURES` names the folder. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.SWITCHBOARD_TEST_PICTURES;
  if (folder) await page.screenshot({ path: `${folder}/${name.replace(/[^a-z]+/g, "-")}.png` });
}
