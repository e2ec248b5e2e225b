//! A fetched value as text: JSON set out in lines, text as it is, bytes as a hex listing.

import type { FetchedValue } from "../../connection/api";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";

const HEX_BYTES = 4096;

/** The value as a person reads it. */
export function pretty(value: FetchedValue): string {
  const text = new TextDecoder().decode(value.bytes);
  // Numbers of more digits than JavaScript holds would come out changed: then the text stays as it is.
  if (value.mimeType !== "application/json" || /\d{16}/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The media type of a picture that browsers show without running anything, by its first bytes. */
export function pictureType(bytes: Uint8Array): string | undefined {
  const begins = (signature: number[], at = 0): boolean => signature.every((byte, index) => bytes[at + index] === byte);
  if (begins([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return "image/png";
  if (begins([0xff, 0xd8, 0xff])) return "image/jpeg";
  if (begins([0x47, 0x49, 0x46, 0x38])) return "image/gif";
  if (begins([0x52, 0x49, 0x46, 0x46]) && begins([0x57, 0x45, 0x42, 0x50], 8)) return "image/webp";
  return undefined;
}

/** The first bytes in lines of sixteen. */
export function hexLines(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < Math.min(bytes.length, HEX_BYTES); at += 16) {
    const row = [...bytes.slice(at, at + 16)];
    const hex = row.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const letters = row.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : ".")).join("");
    lines.push(`${at.toString(16).padStart(6, "0")}  ${hex.padEnd(47)}  ${letters}`);
  }
  if (bytes.length > HEX_BYTES) lines.push(fill(t.side.moreBytes, { n: bytes.length - HEX_BYTES }));
  return lines.join("\n");
}
