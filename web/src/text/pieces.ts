//! Finds in a line what can be clicked: `@names` of variables that there are, and requests that are given as examples.

/** A part of a line. */
export interface Piece {
  kind: "words" | "name" | "request";
  text: string;
}

/** An example: between quotes after a verb that tells to send it, or all that follows a colon. */
const QUOTED = /\b(?:ask|say|type|try) (?:again )?["“]([^"“”\n]{2,200})["”]/i;
const ANNOUNCED = /(?:\bfor example|\bask|\bnearest that I can do): ?([^\n]{3,200}?)\s*$/i;
const NAME = /(^|[\s([{,;:"'“])@([A-Za-z_]\w{0,63})\b(?!@)/g;

/** The parts of a line, in order; joined, they are the line. `example`: all of it is one. */
export function piecesOf(line: string, known: (name: string) => boolean, example = false): Piece[] {
  if (example && line.trim() !== "" && line.trim().length <= 200) return around(line, line.trim(), line.indexOf(line.trim()), "request", () => []);
  const request = QUOTED.exec(line) ?? ANNOUNCED.exec(line);
  const text = request?.[1];
  if (request && text !== undefined) {
    const at = request.index + request[0].lastIndexOf(text);
    return around(line, text, at, "request", (words) => namesIn(words, known));
  }
  return namesIn(line, known);
}

function around(line: string, text: string, at: number, kind: Piece["kind"], rest: (words: string) => Piece[]): Piece[] {
  const outside = (words: string) => {
    const pieces = rest(words);
    return pieces.length > 0 || words === "" ? pieces : [{ kind: "words" as const, text: words }];
  };
  return [...outside(line.slice(0, at)), { kind, text }, ...outside(line.slice(at + text.length))];
}

function namesIn(line: string, known: (name: string) => boolean): Piece[] {
  const pieces: Piece[] = [];
  let done = 0;
  for (const { 0: whole, 1: before = "", 2: name = "", index } of line.matchAll(NAME)) {
    if (!known(name)) continue;
    const at = index + before.length;
    if (at > done) pieces.push({ kind: "words", text: line.slice(done, at) });
    pieces.push({ kind: "name", text: `@${name}` });
    done = index + whole.length;
  }
  if (done < line.length) pieces.push({ kind: "words", text: line.slice(done) });
  return pieces;
}
