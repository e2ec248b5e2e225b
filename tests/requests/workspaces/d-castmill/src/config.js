import { readFileSync } from "node:fs";

export const DEFAULT_CONFIG = "config/default.json";

export function loadConfig(path = DEFAULT_CONFIG) {
  const config = JSON.parse(readFileSync(path, "utf8"));
  // FIXME: a missing "source" should be an error here
  return config;
}
