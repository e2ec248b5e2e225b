//! A call's live output. Only the newest part is held, each stream's pieces join by byte offset, and what was
//! already seen before a reconnect is not shown twice.

import type { ServerFrameOf } from "../protocol/generated";
import { continuation } from "../text/utf8";
import type { Output } from "./chat";

/** How many characters of a call's output are held. */
export const OUTPUT_LIMIT = 64 * 1024;

/** The output with one more chunk. */
export function appendOutput(output: Output, frame: ServerFrameOf<"tool-output-chunk">): Output {
  const { stream, offset, chunk } = frame;
  const next = continuation(output.ends[stream] ?? 0, offset, chunk);
  if (next.text === "") return output;
  const ends = { ...output.ends, [stream]: next.end };
  if (stream === "progress") return { ...output, ends, progress: lastLine(next.text) ?? output.progress };

  const pieces = [...output.pieces];
  const last = pieces.at(-1);
  if (last?.stream === stream && !next.gap) pieces[pieces.length - 1] = { stream, text: last.text + next.text };
  else pieces.push({ stream, text: next.text });
  return trimmed({ ...output, pieces, ends, length: output.length + next.text.length, cut: output.cut || next.gap });
}

function trimmed(output: Output): Output {
  if (output.length <= OUTPUT_LIMIT) return output;
  const pieces = [...output.pieces];
  let { length } = output;
  while (length > OUTPUT_LIMIT) {
    const first = pieces[0];
    if (!first) break;
    const excess = length - OUTPUT_LIMIT;
    if (first.text.length <= excess) {
      pieces.shift();
      length -= first.text.length;
    } else {
      pieces[0] = { stream: first.stream, text: first.text.slice(excess) };
      length -= excess;
    }
  }
  return { ...output, pieces, length, cut: true };
}

function lastLine(text: string): string | undefined {
  return text.split(/[\r\n]+/).filter((line) => line.trim() !== "").at(-1);
}
