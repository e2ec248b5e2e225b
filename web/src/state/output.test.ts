//! However much a tool says, what is held of it is its newest part, in order.

import { describe, expect, it } from "vitest";
import type { ServerFrameOf } from "../protocol/generated";
import { NO_OUTPUT, type Output } from "./chat";
import { appendOutput, OUTPUT_LIMIT } from "./output";
import { chunk } from "./test-frames";

type Chunk = ServerFrameOf<"tool-output-chunk">;

function heard(chunks: [number, string, ("stdout" | "stderr" | "progress")?][]): Output {
  return chunks.reduce((output, [offset, text, stream]) => appendOutput(output, chunk("m1", "c1", offset, text, stream) as Chunk), NO_OUTPUT);
}

describe("live output", () => {
  it("is limited, and says that it is", () => {
    const line = "x".repeat(1000);
    const output = heard(Array.from({ length: 100 }, (_, at) => [at * 1000, line]));
    expect([output.length, output.cut]).toEqual([OUTPUT_LIMIT, true]);
    expect(output.pieces.map(({ text }) => text.length)).toEqual([OUTPUT_LIMIT]);
  });

  it("drops whole pieces first", () => {
    const output = heard([[0, "a".repeat(10)], [0, "b".repeat(OUTPUT_LIMIT - 5), "stderr"], [10, "c"]]);
    expect(output.pieces.map(({ stream, text }) => [stream, text.length])).toEqual([["stdout", 4], ["stderr", OUTPUT_LIMIT - 5], ["stdout", 1]].slice(0, 3));
    expect(output.length).toBe(OUTPUT_LIMIT);
  });

  it("counts offsets for each stream by itself", () => {
    const output = heard([[0, "ä"], [0, "e", "stderr"], [2, "b"], [1, "f", "stderr"]]);
    expect(output.pieces.map(({ text }) => text)).toEqual(["ä", "e", "b", "f"]);
    expect(output.ends).toEqual({ stdout: 3, stderr: 2 });
  });

  it("says when it begins in the middle", () => {
    expect(heard([[5000, "late"]])).toMatchObject({ cut: true, pieces: [{ text: "late" }] });
  });

  it("what was heard already changes nothing", () => {
    const once = heard([[0, "abc"]]);
    expect(appendOutput(once, chunk("m1", "c1", 0, "abc") as Chunk)).toBe(once);
  });
});
