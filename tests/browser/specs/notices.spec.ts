//! Words that stay until they are dismissed: they are there after a reload, and what was dismissed is not. Beside an approval they
//! cover nothing of it.

import { expectGoodLooks, LOOKS, picture } from "../support/looks";
import { expect, test } from "../support/test";
import { Wire } from "../support/wire";

for (const look of LOOKS) {
  test.describe(look.name, () => {
    test.use(look.options);

    test("a notice stays over a reload until it is dismissed, and then stays away", async ({ chat, page }) => {
      const notices = page.locator("sb-toasts");
      await chat.send('Use notify_user with {"message": "The build is done.", "duration": 0, "notification_id": "build"}');
      await expect(notices).toContainText("The build is done.");
      await chat.idle();
      await page.reload();
      await expect(notices).toContainText("The build is done.");
      await expectGoodLooks(page);
      await picture(page, `notice ${look.name}`);

      await notices.getByRole("button", { name: "Dismiss" }).press("Enter");
      await expect(notices).not.toContainText("The build is done.");
      await page.reload();
      await expect(chat.turns.last().locator(".reply")).toBeVisible();
      await expect(notices).not.toContainText("The build is done.");

      await chat.send('Use notify_user with {"message": "The build is done again.", "duration": 0, "notification_id": "build"}');
      await expect(notices).toContainText("The build is done again.");
    });
  });
}

test.describe("with an approval", () => {
  test.use({ options: ["--approve", "ask"] });

  test("notices leave all of it free, and wait while it covers a phone", async ({ chat, page }) => {
    await page.setViewportSize({ width: 700, height: 800 });
    const wire = await Wire.of(page);
    await wire.reload(page);
    const tall = Array.from({ length: 40 }, (_, at) => `Line ${at}`).join("\n");
    for (const level of ["progress", "info", "success", "error"]) wire.tell({ type: "notification", notificationId: level, level, message: tall, durationMs: 0 });
    const notices = page.locator("sb-toasts li");
    await expect(notices).toHaveCount(4);
    await chat.say(`Run \`echo ${"a-long-word ".repeat(400)}\``);
    await expect(chat.approval).toContainText("May bash run?");
    await expect(notices).toHaveCount(4);
    await picture(page, "notices above an approval");
    await expectGoodLooks(page);
    for (const [width, height] of [[700, 800], [1000, 800], [700, 500], [1200, 1000]] as const) {
      await page.setViewportSize({ width, height });
      await expect.poll(async () => {
        const [stack, card] = [await page.locator("sb-toasts ol").boundingBox(), await chat.approval.boundingBox()];
        return stack!.y + stack!.height - card!.y;
      }, `at ${width} × ${height}`).toBeLessThan(0);
    }

    await page.setViewportSize({ width: 400, height: 800 });
    await expect(chat.approval).toHaveAttribute("sheet", "");
    await expect(notices).toHaveCount(0);
    await chat.decide("Deny");
    await expect(notices).toHaveCount(4);
  });
});
