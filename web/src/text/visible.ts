//! Text from tools and models, made harmless to look at. Characters that a reader cannot see but that change what
//! is read (controls, direction marks, zero-width marks, tags) become visible signs; nothing is silently removed
//! except colour codes in a tool's output.

const BIDI = "\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069";
const HIDDEN =
  "\\u00AD\\u034F\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B\\u200C\\u200D\\u2028\\u2029\\u2060-\\u2064\\u206A-\\u206F" +
  "\\u3164\\uFEFF\\uFFA0\\uFFF0-\\uFFFB\\u{1BCA0}-\\u{1BCA3}\\u{1D173}-\\u{1D17A}\\u{E0000}-\\u{E0FFF}";
/** A zero-width joiner between two pictures makes one picture of them: 👩‍💻. */
const JOINER = "(?<=[\\p{Extended_Pictographic}\\u{1F3FB}-\\u{1F3FF}\\uFE0F])\\u200D(?=\\p{Extended_Pictographic})";
/** A character that nobody sees, but that changes what is read. */
export const UNSEEN = new RegExp(`(?!${JOINER})[\\u0000-\\u0008\\u000B-\\u001F\\u007F-\\u009F\\uD800-\\uDFFF${BIDI}${HIDDEN}]`, "gu");

/** Terminal colour codes, which carry no words. */
// eslint-disable-next-line no-control-regex
const COLOURS = /\u001B\[[0-9;:]*m/g;

/** The text with everything unseen replaced by a sign that is seen; the two characters that end a line on Windows end it. */
export function visible(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(UNSEEN, (found) => sign(found.codePointAt(0) ?? 0));
}

/** A tool's output: as `visible`, without colours, and a lone carriage return begins a new line. */
export function visibleOutput(text: string): string {
  return visible(text.replace(COLOURS, "").replace(/\r+\n/g, "\n").replace(/\r/g, "\n"));
}

/** One line for a label: breaks become spaces, and it ends at `limit` characters. */
export function visibleLine(text: string, limit = 200): string {
  const line = visible(text.slice(0, limit * 2).replace(/\s*[\r\n]+\s*/g, " ")).trim();
  return line.length > limit || text.length > limit * 2 ? `${line.slice(0, limit - 1)}…` : line;
}

/** What is seen in place of a character that is not. */
export function sign(code: number): string {
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  return `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`;
}
