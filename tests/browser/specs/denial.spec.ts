//! What was not allowed, or was stopped, is no failure, and is told in the user's words.

import { expectGoodLooks, LOOKS, picture } from "../support/looks";
import { expect, test } from "../support/test";

test.use({ options: ["--approve", "ask"] });

test("n38 a denial is calm and in the user's words", async ({ another, server }) => {
  for (const look of LOOKS) {
    const chat = await another(look.options);
    await chat.send("Run `echo it-ran > trace`");
    await chat.approval.getByText("Add a reason").click();
    await chat.approval.getByRole("textbox", { name: /Reason/ }).fill("not on a Sunday");
    await chat.decide("Deny");
    const turn = chat.turns.last();
    await expect(turn.locator(".refusal")).toContainText("You did not allow bash, so it did not run.");
    await expect(turn.locator(".refusal")).toContainText("Your reason: not on a Sunday");
    await chat.idle();
    await picture(chat.page, `denied ${look.name}`);
    await chat.openSteps(turn);
    await turn.locator("sb-tool-call summary").click();
    await expect(turn.locator("sb-tool-call")).toContainText("Not allowed");
    await expect(turn.locator(".failed, .error, .failure:not(.calm)")).toHaveCount(0);
    await expect(turn).not.toContainText(/must not be tried|way around this|the user did not allow it|--approve auto/);
    await expect(chat.page.locator("#spoken")).toContainText("You did not allow bash");
    await expectGoodLooks(chat.page);
  }
  expect(await server.content("trace")).toBeUndefined();
});
