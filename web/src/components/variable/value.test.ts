//! A value is shown as it is: JSON set out, text untouched, bytes as a listing or a picture.

import { describe, expect, it } from "vitest";
import { hexLines, pictureType, pretty } from "./value";

const fetched = (mimeType: string, text: string) => ({ mimeType, bytes: new TextEncoder().encode(text) });

describe("a value", () => {
  it("of JSON is set out in lines", () => {
    expect(pretty(fetched("application/json", '{"a":[1]}'))).toBe('{\n  "a": [\n    1\n  ]\n}');
  });

  it("with numbers that JavaScript cannot hold stays as it is", () => {
    expect(pretty(fetched("application/json", '{"id":12345678901234567890}'))).toBe('{"id":12345678901234567890}');
  });

  it("of text is the text", () => {
    expect(pretty(fetched("text/plain", '{"a":1}'))).toBe('{"a":1}');
  });

  it("of bytes is a listing with its letters", () => {
    expect(hexLines(new TextEncoder().encode("Hello, <world>!\u0000"))).toBe("000000  48 65 6c 6c 6f 2c 20 3c 77 6f 72 6c 64 3e 21 00  Hello, <world>!.");
    expect(hexLines(new Uint8Array(5000)).split("\n").at(-1)).toBe("… 904 more bytes");
  });

  it("is a picture by what it begins with, never by a name", () => {
    expect(pictureType(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))).toBe("image/png");
    expect(pictureType(new TextEncoder().encode("RIFF0000WEBP"))).toBe("image/webp");
    expect(pictureType(new TextEncoder().encode("<svg onload=alert(1)>"))).toBeUndefined();
  });
});
