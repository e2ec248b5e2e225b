//! A server with a token asks for it, and lets nobody else see anything.

import { expect, test } from "../support/test";

test.use({ options: ["--auth-token", "a-long-token-for-this-test-0123456789"] });

test("the page asks for the token, says when it is wrong, and works with it", async ({ chat, page }) => {
  const login = chat.window;
  await expect(page.getByRole("dialog", { name: "Log in" })).toBeVisible();
  await login.getByLabel("Access token").fill("wrong");
  await login.getByRole("button", { name: "Log in" }).click();
  await expect(login.getByRole("alert")).toBeVisible();

  await login.getByLabel("Access token").fill("a-long-token-for-this-test-0123456789");
  await login.getByRole("button", { name: "Log in" }).click();
  await expect(login).toHaveCount(0);
  await expect((await chat.ask("Calculate 42 * 37")).locator(".reply")).toContainText("1554");

  await page.reload();
  await expect(chat.turn("Calculate 42 * 37").locator(".reply")).toContainText("1554");
});

test("the address that a server prints with its token logs in, and keeps no token", async ({ another, server }) => {
  const chat = await another({}, `${server.origin}/?token=a-long-token-for-this-test-0123456789`);
  await expect((await chat.ask("Calculate 42 * 37")).locator(".reply")).toContainText("1554");
  expect(chat.page.url()).not.toContain("token");

  const stranger = await another({}, `${server.origin}/?token=another-long-token-0123456789`);
  await expect(stranger.page.getByRole("dialog", { name: "Log in" })).toBeVisible();
  expect(stranger.page.url()).not.toContain("token");
});
