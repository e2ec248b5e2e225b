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

/** A value in a cell of a table: nothing for nothing, JSON for lists and objects. */
export function cellText(cell: unknown): string {
  if (typeof cell === "string") return cell;
  return cell === undefined || cell === null ? "" : JSON.stringify(cell);
}
