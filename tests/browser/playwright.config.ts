//! Two workers, for one leaves half of two cores idle; no second chances: a test that fails sometimes is a test that fails.
//! The limits are generous because machines are slow, not because anything waits on the clock.

import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: "specs",
  outputDir: "results",
  workers: 2,
  retries: 0,
  timeout: 240_000,
  expect: { timeout: 60_000 },
  reporter: [["list"]],
  use: {
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    viewport: { width: 1200, height: 800 },
    launchOptions: {
      executablePath: process.env.SWITCHBOARD_TEST_CHROMIUM ?? "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
