//! Words that stay until they are dismissed: they are there after a reload, and what was dismissed is not.

import { expectGoodLooks, LOOKS, picture } from "../support/looks";
import { expect, test } from "../support/test";

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
