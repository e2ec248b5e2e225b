//! Offsets on the wire are in UTF-8 bytes, JavaScript counts UTF-16 units; this is the one place that knows both.

/** How many bytes the text is on the wire. */
export function byteLength(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (unit >= 0xd800 && unit < 0xdc00 && isLow(text.charCodeAt(at + 1))) {
      bytes += 4;
      at += 1;
    } else bytes += 3;
  }
  return bytes;
}

/** The text after its first `bytes` bytes; a character that is cut by them is left out. */
export function afterBytes(text: string, bytes: number): string {
  let at = 0;
  let passed = 0;
  while (at < text.length && passed < bytes) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    passed += byteLength(character);
    at += character.length;
  }
  return text.slice(at);
}

/** A piece that begins at byte `offset` and follows what ends at byte `end`: what of it is new, and whether some is missing. */
export function continuation(end: number, offset: number, piece: string): { text: string; end: number; gap: boolean } {
  const last = offset + byteLength(piece);
  if (last <= end) return { text: "", end, gap: false };
  return { text: afterBytes(piece, end - offset), end: last, gap: offset > end };
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
