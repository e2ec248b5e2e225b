//! The pictures of the page, made anew: `tests/run pictures`.

import { defineConfig } from "@playwright/test";
import base from "./playwright.config";

export default defineConfig(base, { testDir: "pictures" });
