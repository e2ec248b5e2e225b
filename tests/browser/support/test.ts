//! What every spec starts from: a server of its own, a page on it, and the certainty that the page did nothing that
//! its content policy forbids and had no error of its own.

import { test as base, expect, type Browser, type BrowserContextOptions, type Page } from "@playwright/test";
import { Chat } from "./chat";
import { Server } from "./server";

interface Fixtures {
  /** Further arguments of the server. */
  options: string[];
  server: Server;
  chat: Chat;
  /** Opens a further page with what it is to be like. */
  another: (options?: BrowserContextOptions, address?: string) => Promise<Chat>;
}

export const test = base.extend<Fixtures>({
  options: [["--approve", "auto"], { option: true }],

  server: async ({ options }, use, info) => {
    const server = await Server.start(...options);
    await use(server);
    if (info.status !== info.expectedStatus) console.log(server.output);
    await server.remove();
  },

  chat: async ({ page, server }, use) => {
    const watch = await watched(page);
    await page.goto(server.origin);
    await use(new Chat(page));
    await watch();
  },

  another: async ({ browser, server }, use) => {
    const closings: (() => Promise<void>)[] = [];
    await use(async (options = {}, address = server.origin) => {
      const { page, close } = await opened(browser, options);
      closings.push(close);
      await page.goto(address);
      return new Chat(page);
    });
    for (const close of closings) await close();
  },
});

async function opened(browser: Browser, options: BrowserContextOptions): Promise<{ page: Page; close: () => Promise<void> }> {
  const context = await browser.newContext({ viewport: { width: 1200, height: 800 }, ...options });
  const page = await context.newPage();
  const watch = await watched(page);
  return {
    page,
    close: async () => {
      await watch();
      await context.close();
    },
  };
}

/** Watches for violations of the content policy and for errors of the page's own scripts. */
export async function watched(page: Page): Promise<() => Promise<void>> {
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(`error: ${error.stack ?? error.message}`));
  page.on("console", (message) => {
    if (/content security policy|trusted ?types|permissions policy/i.test(message.text())) faults.push(message.text());
  });
  page.on("dialog", (dialog) => {
    // What is not saved makes the browser ask; the test that wants this answers.
    if (dialog.type() === "beforeunload") return;
    faults.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      console.error(`Content Security Policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
    });
  });
  return async () => {
    expect(faults).toEqual([]);
    if (!page.isClosed()) expect(await page.evaluate(() => (window as { __pwned?: unknown }).__pwned)).toBeUndefined();
  };
}

export { expect };
