//! Which diagrams stopped the page while they were drawn: where the frame shares the page's process, one that never ends
//! freezes it. What is being drawn is noted in the tab's storage, and a note that is still there after a reload tells.

import { sessionStorageIfAllowed } from "../connection/session";

const KEY = "switchboard.drawing";
const storage = sessionStorageIfAllowed();
const stopped = (storage?.getItem(KEY) ?? "").split(" ").filter(Boolean);

// A page that can still be left was not stopped.
addEventListener("pagehide", forget);

/** Whether this diagram stopped the page before. */
export function hasStopped(source: string): boolean {
  return stopped.includes(hash(source));
}

/** Notes that this diagram is being drawn. */
export function remember(source: string): void {
  write([...stopped, hash(source)]);
}

/** Notes that none is being drawn. */
export function forget(): void {
  write(stopped);
}

function write(hashes: readonly string[]): void {
  try {
    storage?.setItem(KEY, hashes.join(" "));
  } catch {
    // The storage is full: then it is drawn without a note.
  }
}

/** FNV-1a, of 32 bits. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return (value >>> 0).toString(16);
}
