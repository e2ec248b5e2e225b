//! What nobody changes is saved byte for byte.

import { EditorState } from "@codemirror/state";
import { describe, expect, it } from "vitest";
import { bytesOf, contentOf, fileOf, hashOf, type OpenFile } from "./file";

const bytes = (text: string) => new TextEncoder().encode(text);
const whole = (content: Uint8Array) => fileOf(content, content.length);

/** The text as the editor divides it. */
function docOf({ text, mixed }: OpenFile) {
  return EditorState.create({ doc: text, extensions: mixed ? EditorState.lineSeparator.of("\n") : [] }).doc;
}

const FILES = [
  "", "\n", "a", "a\n", "a\nb", "a\r\nb\r\n", "a\r\nb", "\r\n", "\r", "a\rb", "a\nb\r\nc\n", "\r\r\n", "a\r\n\n", "\uFEFFa\r\nb\r\n", "\uFEFF", "\uFEFF\uFEFFa",
  "zero\u200Bwidth\u202E\u0007\t\u2028line\u0085\u00A0", "\u{1F469}\u200D\u{1F4BB}\u0000", "\n\n\n", "x".repeat(3000),
];

describe("a file", () => {
  it.each(FILES)("is saved as it was: %j", (text) => {
    const content = bytes(text);
    const file = whole(content);
    expect(file.utf8).toBe(true);
    expect([...bytesOf(docOf(file), file)]).toEqual([...content]);
    expect(file.hash).toBe(hashOf(content));
  });

  it("gets new lines that end as its lines do", () => {
    for (const [before, after] of [["a\r\nb\r\n", "new\r\na\r\nb\r\n"], ["a\nb", "new\na\nb"], ["\uFEFFa\r\n", "\uFEFFnew\r\na\r\n"], ["a\r\nb\n", "new\na\r\nb\n"]] as const) {
      const file = whole(bytes(before));
      const state = EditorState.create({ doc: docOf(file) });
      const changed = state.update({ changes: { from: 0, insert: state.toText("new\n") } }).state;
      expect(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytesOf(changed.doc, file))).toBe(after);
    }
  });

  it("that is not UTF-8 is known as such, and one that is only cut is not", () => {
    expect(whole(new Uint8Array([0x67, 0x72, 0xfc, 0xdf, 0x65])).utf8).toBe(false);
    const cut = bytes("aä").slice(0, 2);
    expect([whole(cut).utf8, fileOf(cut, 3).utf8, fileOf(cut, 3).text]).toEqual([false, true, "a"]);
  });

  it("has the SHA-256 that everybody knows", () => {
    expect(hashOf(bytes("abc"))).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });
});

describe("what is sent", () => {
  it("is the text, unless it may be taken for a variable or is too long as JSON", () => {
    expect(contentOf(bytes("\uFEFFa\r\n"))).toEqual({ content: "\uFEFFa\r\n" });
    expect(contentOf(bytes("@notes"))).toEqual({ content: "QG5vdGVz", encoding: "base64" });
    const quotes = bytes('"'.repeat(2 * 1024 * 1024));
    const { content, encoding } = contentOf(quotes);
    expect([encoding, content.length < 3 * 1024 * 1024, atob(content) === '"'.repeat(quotes.length)]).toEqual(["base64", true, true]);
  });
});
