//! The variables beside the conversation: newest first, by turn, filtered, copied as `@name`.

import { expect, test } from "../support/test";
import { longSession } from "../support/sessions";
import { expectGoodLooks, LOOKS, picture } from "../support/looks";

for (const look of LOOKS) {
  test(`variables stand under their turns and are found: ${look.name}`, async ({ another }) => {
    const chat = await another({ ...look.options, permissions: ["clipboard-read", "clipboard-write"] });
    const { page, variables } = chat;
    for (const request of ["Calculate 6 * 7", "Calculate 2 + 3 and call it five", "Store the number 8 as eight", "Calculate 10 / 4", "Calculate 1 + 1 and call it two", "Calculate 9 * 9"]) {
      await chat.send(request);
      await expect(chat.turn(request).locator(".reply")).toBeVisible();
    }
    if (look.phone) await page.getByRole("button", { name: /^Variables/ }).click();
    await expect(variables.getByRole("heading", { level: 3 })).toHaveText(
      ["Calculate 9 * 9", "Calculate 1 + 1 and call it two", "Calculate 10 / 4", "Store the number 8 as eight", "Calculate 2 + 3 and call it five", "Calculate 6 * 7"],
    );
    // What the last turn gave is open, what earlier ones gave without a name is folded.
    await expect(variables.locator("details[open]")).toHaveCount(1);
    await expect(variables.locator("details:not([open])")).toHaveCount(2);
    await expectGoodLooks(page);
    await picture(page, `variables ${look.name}`);

    await variables.getByRole("searchbox", { name: "Filter variables" }).fill("2.5");
    await expect(variables.getByRole("heading", { level: 3 })).toHaveText(["Calculate 10 / 4"]);
    await expect(variables.getByRole("status")).toHaveText("1 variable");
    await expect(variables.getByRole("listitem")).toContainText("2.5");
    await variables.getByRole("searchbox", { name: "Filter variables" }).fill("five");
    await variables.getByRole("button", { name: "Copy @five" }).click();
    await expect(variables.getByRole("button", { name: "Copied @five" })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("@five");
    await expectGoodLooks(page);

    // A reload keeps order and turns.
    await page.reload();
    if (look.phone) await page.getByRole("button", { name: /^Variables/ }).click();
    await expect(variables.getByRole("heading", { level: 3 }).first()).toHaveText("Calculate 9 * 9");
  });
}

test("of thousands, only some are in the page, and all are found", async ({ another, server }) => {
  const answer = await fetch(`${server.origin}/api/sessions/import`, { method: "POST", headers: { "content-type": "application/x-ndjson" }, body: longSession(2000, true) });
  const { sessionId } = (await answer.json()) as { sessionId: string };
  const { variables } = await another({}, `${server.origin}/#${sessionId}`);
  await expect(variables.locator(".variable")).toHaveCount(60);
  await expect(variables.locator(".name").first()).toHaveText("value_2000");
  await variables.locator(".body").evaluate((body) => body.scrollTo(0, body.scrollHeight));
  await expect(variables.locator(".variable")).toHaveCount(120);
  await variables.getByRole("searchbox", { name: "Filter variables" }).fill("value_17");
  await expect(variables.getByRole("status")).toHaveText("111 variables");
});
