//! Unit tests: pure ones in Node, components and markdown in jsdom (each of those files says so in its first lines).

import { defineConfig } from "vitest/config";

export default defineConfig({
  // The recorded conversations are read as well.
  server: { fs: { allow: [".."] } },
  test: {
    include: ["src/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 1,
  },
});
