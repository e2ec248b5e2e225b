//! On a phone an approval is a sheet: what will run comes first, and it can be allowed when all of it was seen.

import type { Chat } from "../support/chat";
import { expectGoodLooks, LOOKS, picture } from "../support/looks";
import { expect, test } from "../support/test";

test.use({ options: ["--approve", "ask"] });

const LONG = `echo one${" && echo more".repeat(120)} && echo it-ran > trace`;

/** Scrolls what will run to its end, as a finger does. */
async function readAll(chat: Chat): Promise<void> {
  await chat.approval.getByRole("group", { name: "What will run" }).evaluate((box) => box.scrollTo(0, box.scrollHeight));
}

for (const look of LOOKS.filter(({ phone }) => phone)) {
  test(`a short command can be allowed at once: ${look.name}`, async ({ another, server }) => {
    const chat = await another(look.options);
    await chat.send("Run `echo it-ran > trace`");
    const card = chat.approval;
    await expect(card.getByRole("button", { name: "Allow once" })).toHaveAttribute("aria-disabled", "false");
    const [sheet, height] = [await card.locator("section").boundingBox(), await chat.page.evaluate(() => innerHeight)];
    expect([sheet?.x, sheet?.y, sheet?.width, sheet?.height]).toEqual([0, 0, 360, height]);
    await expect(card.locator("sb-arguments pre")).toHaveText("echo it-ran > trace");
    const top = async (part: string) => (await card.locator(part).boundingBox())?.y ?? Number.NaN;
    expect(await top("sb-arguments pre")).toBeLessThan(await top("#what"));
    await picture(chat.page, `approval ${look.name}`);
    await expectGoodLooks(chat.page);
    await chat.decide("Allow once");
    await expect(chat.turns.last().locator(".reply")).toBeVisible();
    expect(await server.content("trace")).toBe("it-ran\n");
  });
}

test("n37 on a phone a long command is allowed only after all of it was seen", async ({ another, server }) => {
  const chat = await another(LOOKS.find(({ phone }) => phone)?.options);
  await chat.send(`Run \`${LONG}\``);
  const allow = chat.approval.getByRole("button", { name: "Allow once" });
  await expect(chat.approval.getByRole("button", { name: "Deny" })).toHaveAttribute("aria-disabled", "false");
  await expect(allow).toHaveAttribute("aria-disabled", "true");
  await expect(chat.approval).toContainText("You can allow it when you have seen everything that will run.");
  await picture(chat.page, "approval unseen phone");
  await expectGoodLooks(chat.page);
  await allow.click({ force: true });
  await expect(chat.approval).toHaveCount(1);

  await readAll(chat);
  await expect(allow).toHaveAttribute("aria-disabled", "false");
  expect(await server.content("trace")).toBeUndefined();
  await allow.click();
  await expect(chat.turns.last().locator(".reply")).toBeVisible();
  expect(await server.content("trace")).toBe("it-ran\n");
});

test("the sheet can be put aside to read the conversation, and taken up again", async ({ another }) => {
  const chat = await another(LOOKS.find(({ phone }) => phone)?.options);
  await chat.send("Run `echo it-ran`");
  await expect(chat.approval.locator("section")).toBeFocused();
  await chat.approval.getByRole("button", { name: "Show the conversation" }).click();
  await expect(chat.turns.last().locator(".bubble")).toBeInViewport();
  await expect(chat.stop).toBeVisible();
  await expectGoodLooks(chat.page);
  await chat.approval.getByRole("button", { name: "Review" }).click();
  await expect(chat.approval.locator("section")).toBeFocused();
  await chat.decide("Deny");
  await expect(chat.approval).toHaveCount(0);
});
