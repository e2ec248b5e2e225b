//! What a browser is given of the page. A phone can install it, also where the server asks for a token.

import { get } from "node:http";
import { gunzipSync } from "node:zlib";
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

/** A file of the page as it comes over the wire to a client that takes these codings. */
async function raw(address: string, codings: string): Promise<{ coding?: string; body: Buffer }> {
  return new Promise((done, failed) => {
    get(address, { headers: { "accept-encoding": codings } }, async (response) => {
      const parts: Buffer[] = [];
      for await (const part of response) parts.push(part as Buffer);
      done({ coding: response.headers["content-encoding"], body: Buffer.concat(parts) });
    }).on("error", failed);
  });
}

test("the page comes compressed, in few files, and plain to a client that takes no gzip", async ({ server }) => {
  const { body } = await raw(server.origin, "identity");
  const scripts = [...body.toString().matchAll(/assets\/[^"]+\.js/g)].map(([path]) => `${server.origin}/${path}`);
  expect(scripts.length).toBeLessThan(7);
  for (const script of scripts) {
    const packed = await raw(script, "br, gzip;q=0.5");
    const [plain, refused] = [await raw(script, "identity"), await raw(script, "br, gzip;q=0")];
    expect([packed.coding, plain.coding, refused.coding]).toEqual(["gzip", undefined, undefined]);
    expect(gunzipSync(packed.body).equals(plain.body) && refused.body.equals(plain.body)).toBe(true);
  }
});
