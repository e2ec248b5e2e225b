//! Values as people write them.

import type { JsonValue } from "../protocol/generated";

/** JSON where the text is JSON, else the text. */
export function textOrJson(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
