//! A phone can install the page, also where the server asks for a token.

import { expect, test } from "../support/test";

test.use({ options: ["--auth-token", "a-long-token-for-this-test-0123456789"] });

test("the manifest and its icons are there, and Chromium finds nothing in the way", async ({ chat, page, server }) => {
  await expect(page.getByRole("dialog", { name: "Log in" })).toBeVisible();
  void chat;
  const devtools = await page.context().newCDPSession(page);
  const { url, errors, data } = await devtools.send("Page.getAppManifest");
  expect([url, errors]).toEqual([`${server.origin}/manifest.webmanifest`, []]);
  const { icons } = JSON.parse(data ?? "{}") as { icons: { src: string; sizes: string; type: string }[] };
  for (const { src, sizes, type } of icons) {
    const shown = await page.evaluate(async (address) => {
      const response = await fetch(address);
      const image = new Image();
      image.src = address;
      await image.decode();
      return { type: response.headers.get("content-type"), width: image.naturalWidth };
    }, `/${src}`);
    expect(shown.type).toBe(type);
    if (sizes !== "any") expect(`${shown.width}x${shown.width}`).toBe(sizes);
  }
  const { installabilityErrors } = await devtools.send("Page.getInstallabilityErrors");
  // The tests' own windows are private ones, from which nothing is installed.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito")).toEqual([]);
});
