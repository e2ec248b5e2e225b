//! A file as an editor holds it: its text, and how the file writes it (a mark at its beginning, the ends of its lines).
//! What nobody changes is saved as it was, byte for byte.

import type { Text } from "@codemirror/state";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { t } from "../../i18n";
import { MOST_SHOWN, part, type Source } from "../content";

/** The largest file that is edited, in bytes: a save must fit into one message. */
export const MOST_EDITED = 2 * 1024 * 1024;
/** How much more of a larger file is read at once. */
const STEP = 4 * 1024 * 1024;
/** How much of what is no text is shown. */
const MOST_HEX = 64 * 1024;
/** The longest content that is sent as it is; quotes and line ends count twice in a message, and it must stay below 4 MiB. */
const MOST_PLAIN = 3.5 * 1024 * 1024;

/** How a file writes its text. */
export interface Writing {
  /** It begins with a byte order mark. */
  bom: boolean;
  /** Lines end with CR LF. Where some do and others do not, each CR is a character of the text. */
  crlf: boolean;
  mixed: boolean;
}

/** A file that was read, or the beginning of one. */
export interface OpenFile extends Writing {
  text: string;
  /** It is UTF-8, so that its text says all of it. */
  utf8: boolean;
  /** It is no text: this is what its beginning is as hexadecimal numbers. */
  binary?: boolean;
  /** SHA-256 of what was read. */
  hash: string;
  total: number;
  loaded: number;
  rest: TextDecoder;
}

/** Reads a file, or the beginning of a large one; a problem is thrown in words. */
export async function openFile({ session, handle }: Source): Promise<OpenFile> {
  const { bytes, total } = await part({ session, handle }, 0, MOST_EDITED);
  if (!bytes.slice(0, 8000).includes(0)) return fileOf(bytes, total);
  const shown = bytes.slice(0, MOST_HEX);
  return { ...fileOf(new TextEncoder().encode(hexOf(shown)), total), binary: true, utf8: false, loaded: shown.length, hash: hashOf(bytes) };
}

/** Bytes as people look at them: where each line begins, sixteen bytes, and what of them can be read. */
export function hexOf(bytes: Uint8Array): string {
  const lines = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const line = [...bytes.subarray(at, at + 16)];
    const numbers = line.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const signs = line.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : ".")).join("");
    lines.push(`${at.toString(16).padStart(8, "0")}  ${numbers.padEnd(47)}  ${signs}`);
  }
  return lines.join("\n");
}

/** What these bytes are as a file of `total` bytes. */
export function fileOf(bytes: Uint8Array, total: number): OpenFile {
  const stream = total > bytes.length;
  const rest = new TextDecoder("utf-8", { ignoreBOM: true });
  const all = rest.decode(bytes, { stream });
  const bom = all.startsWith("\uFEFF");
  const text = bom ? all.slice(1) : all;
  return { text, bom, ...lineEnds(text), utf8: isUtf8(bytes, stream), hash: hashOf(bytes), total, loaded: bytes.length, rest };
}

/** Reads on in a large file; what comes next. */
export async function readOn(source: Source, file: OpenFile): Promise<string> {
  const { bytes, total } = await part(source, file.loaded, Math.min(STEP, MOST_SHOWN - file.loaded));
  if (total !== file.total) throw new Error(t.editor.changedWhileRead);
  file.loaded += bytes.length;
  return file.rest.decode(bytes, { stream: file.loaded < total });
}

/** The file's bytes with this text. */
export function bytesOf(doc: Text, { bom, crlf }: Writing): Uint8Array {
  return new TextEncoder().encode(`${bom ? "\uFEFF" : ""}${doc.sliceString(0, doc.length, crlf ? "\r\n" : "\n")}`);
}

/** SHA-256 in hexadecimal. */
export function hashOf(bytes: Uint8Array): string {
  return bytesToHex(sha256(bytes));
}

/** The content as an argument of `file_write` that means just these bytes. */
export function contentOf(bytes: Uint8Array): { content: string; encoding?: "base64" } {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  // What begins with this sign may be taken for the name of a variable.
  const plain = !text.startsWith("@") && JSON.stringify(text).length + bytes.length - text.length < MOST_PLAIN;
  return plain ? { content: text } : { content: base64(bytes), encoding: "base64" };
}

function lineEnds(text: string): { crlf: boolean; mixed: boolean } {
  if (!text.includes("\r")) return { crlf: false, mixed: false };
  const mixed = /\r(?!\n)|(?<!\r)\n/.test(text);
  return { crlf: !mixed, mixed };
}

function isUtf8(bytes: Uint8Array, stream: boolean): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream });
    return true;
  } catch {
    return false;
  }
}

function base64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(binary);
}
