//! Whether commands are kept in is seen at the top of the page, plainest when nothing keeps them, also on a phone.

import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "../support/test";

test("the page says that commands are kept in, and what that means", async ({ chat, page }) => {
  await page.getByRole("button", { name: "Sandbox on" }).click();
  await expect(chat.window).toContainText("they can write only in the workspace");
});

test.describe("without a sandbox", () => {
  test.use({ options: ["--approve", "auto", "--sandbox", "off"] });

  for (const colorScheme of ["light", "dark"] as const) {
    test(`it is said on a wide page and on a phone, ${colorScheme}`, async ({ another }) => {
      for (const size of [{}, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }]) {
        const { page, window } = await another({ colorScheme, ...size });
        const badge = page.getByRole("button", { name: "No sandbox" });
        await expect(badge).toBeVisible();
        const { violations } = await new AxeBuilder({ page }).include({ fromShadowDom: ["sb-app", "sb-topbar", "sb-sandbox"] }).analyze();
        expect(violations).toEqual([]);
        const [content, width] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        expect(content).toBeLessThanOrEqual(width ?? 0);
        await badge.click();
        await expect(window).toContainText("commands can do everything it can");
      }
    });
  }
});
