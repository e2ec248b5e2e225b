//! Small things that were seen: titles that are cut, marks that are missing on a phone, signs where there are none.

import { expectGoodLooks, LOOKS, picture } from "../support/looks";
import { expect, test } from "../support/test";

const TITLE = "How many of the orders in orders.csv were sent to Lisbon?";

for (const look of LOOKS) {
  test(`the name of the conversation is read whole, and what keeps commands: ${look.name}`, async ({ another, server }) => {
    await server.file("orders.csv", "id,city,total\r\n1,Lisbon,12.50\r\n2,Porto,7.25\r\n3,Lisbon,100\r\n");
    const size = look.phone ? {} : { viewport: { width: 1440, height: 900 } };
    const chat = await another({ ...look.options, ...size });
    const { page } = chat;
    await chat.send(TITLE);
    const turn = chat.turns.last();
    await expect(turn.locator(".reply")).toBeVisible();
    await chat.idle();
    const heading = page.getByRole("heading", { level: 1 });
    await expect(heading).toHaveText(TITLE);
    const [held, needed] = await heading.evaluate((title) => [title.clientHeight, title.scrollHeight]);
    expect(needed).toBeLessThanOrEqual((held ?? 0) + 1);
    await expect(page.getByRole("button", { name: "Sandbox on" })).toBeInViewport({ ratio: 1 });

    await chat.openSteps(turn);
    for (const summary of await turn.locator("sb-tool-call summary").all()) await summary.click();
    await expect(turn).not.toContainText("␍");
    await expect(page.locator("sb-app")).not.toContainText(/🛠|📝|✏/);
    const edit = turn.getByRole("button", { name: "Edit this message" });
    if (!look.phone) {
      await page.mouse.move(0, 0);
      await expect(edit).toHaveCSS("opacity", "0");
      await turn.locator(".bubble").hover();
    }
    await expect(edit).toHaveCSS("opacity", "1");
    await picture(page, `small ${look.name}`);
    await expectGoodLooks(page);
  });
}

test("what is stopped is no failure", async ({ chat }) => {
  await chat.say("Run `echo began; sleep 60`");
  await expect(chat.turns.last().locator("sb-tool-call")).toContainText("Running");
  await chat.stop.click();
  const turn = chat.turns.last();
  await expect(turn.locator(".failure.calm")).toBeVisible();
  await chat.openSteps(turn);
  await expect(turn.locator("sb-tool-call")).toContainText("Stopped");
  await expect(turn.locator(".failed, .error, .failure:not(.calm)")).toHaveCount(0);
});
