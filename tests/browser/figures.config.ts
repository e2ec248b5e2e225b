//! The figures of the page: `tests/run figures`.

import { defineConfig } from "@playwright/test";
import base from "./playwright.config";

export default defineConfig(base, { testDir: "figures" });
