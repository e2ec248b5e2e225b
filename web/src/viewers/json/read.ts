//! JSON as it stands in a text. It is checked and passed through without being built, so that no number is rounded,
//! no key is lost, and a large text costs no more than its length. Nesting of any depth is read. Pure.

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const BRACE = 0x7b;
/** From a bracket or brace to the one that closes it. */
const CLOSING = 2;

const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;

/** Where a text stops being JSON. */
export class Fault extends Error {
  constructor(readonly at: number) {
    super(String(at));
  }
}

/** Hears of the values as they are passed. `key` is where the key begins, -1 outside of objects. `true` ends the reading. */
export interface Listener {
  begin(start: number, key: number): boolean | void;
  end(): void;
  leaf(start: number, end: number, key: number): boolean | void;
}

/** Reads one value, with space around it, between two places; throws a `Fault` if it is anything else. */
export function read(text: string, from: number, to: number, listener?: Listener): void {
  const open: number[] = [];
  let at = afterSpace(text, from, to);
  for (;;) {
    let key = -1;
    if (open.at(-1) === BRACE) {
      key = at;
      at = afterSpace(text, stringEnd(text, at, to), to);
      at = afterSpace(text, after(text, at, COLON), to);
    }
    const sign = text.charCodeAt(at);
    if (at < to && (sign === BRACKET || sign === BRACE)) {
      if (listener?.begin(at, key)) return;
      at = afterSpace(text, at + 1, to);
      if (text.charCodeAt(at) !== sign + CLOSING) {
        open.push(sign);
        continue;
      }
      at++;
      listener?.end();
    } else {
      const start = at;
      at = leafEnd(text, at, to);
      if (listener?.leaf(start, at, key)) return;
    }
    for (;;) {
      at = afterSpace(text, at, to);
      const inside = open.at(-1);
      if (inside === undefined) {
        if (at < to) throw new Fault(at);
        return;
      }
      if (at < to && text.charCodeAt(at) === COMMA) {
        at = afterSpace(text, at + 1, to);
        break;
      }
      at = after(text, at, inside + CLOSING);
      open.pop();
      listener?.end();
    }
  }
}

/** Whether a list or an object begins here. */
export function isContainer(text: string, at: number): boolean {
  const sign = text.charCodeAt(at);
  return sign === BRACKET || sign === BRACE;
}

/** Where the members of a list or an object stand: their keys (-1 in a list) and their values. Only for what was checked. */
export function members(text: string, start: number): { keys: number[]; starts: number[] } {
  const keys: number[] = [];
  const starts: number[] = [];
  const inObject = text.charCodeAt(start) === BRACE;
  let at = afterSpace(text, start + 1, text.length);
  while (text.charCodeAt(at) !== (inObject ? BRACE : BRACKET) + CLOSING) {
    keys.push(inObject ? at : -1);
    // Behind the key stands the colon.
    if (inObject) at = afterSpace(text, afterSpace(text, quoteEnd(text, at), text.length) + 1, text.length);
    starts.push(at);
    at = afterSpace(text, valueEnd(text, at), text.length);
    if (text.charCodeAt(at) === COMMA) at = afterSpace(text, at + 1, text.length);
  }
  return { keys, starts };
}

/** Where a value ends. Only for what was checked. */
export function valueEnd(text: string, start: number): number {
  if (!isContainer(text, start)) return leafEnd(text, start, text.length);
  let depth = 0;
  let at = start;
  do {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) {
      at = quoteEnd(text, at);
      continue;
    }
    if (sign === BRACKET || sign === BRACE) depth++;
    else if (sign === BRACKET + CLOSING || sign === BRACE + CLOSING) depth--;
    at++;
  } while (depth > 0);
  return at;
}

/** Where a string that was checked ends. */
export function quoteEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); ; at = text.indexOf('"', at + 1)) {
    let before = at;
    while (text.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((at - before) % 2 === 0) return at + 1;
  }
}

function leafEnd(text: string, at: number, to: number): number {
  if (at >= to) throw new Fault(to);
  if (text.charCodeAt(at) === QUOTE) return stringEnd(text, at, to);
  for (const kind of [NUMBER, WORD]) {
    kind.lastIndex = at;
    if (kind.test(text)) return kind.lastIndex;
  }
  throw new Fault(at);
}

function stringEnd(text: string, start: number, to: number): number {
  if (start >= to || text.charCodeAt(start) !== QUOTE) throw new Fault(start);
  for (let at = start + 1; at < to; at++) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) return at + 1;
    if (sign < 0x20) throw new Fault(at);
    if (sign !== BACKSLASH) continue;
    ESCAPE.lastIndex = at;
    if (!ESCAPE.test(text)) throw new Fault(at);
    at = ESCAPE.lastIndex - 1;
  }
  throw new Fault(to);
}

/** The place behind a sign that must stand here. */
function after(text: string, at: number, sign: number): number {
  if (text.charCodeAt(at) !== sign) throw new Fault(at);
  return at + 1;
}

function afterSpace(text: string, from: number, to: number): number {
  let at = from;
  for (; at < to; at++) {
    const sign = text.charCodeAt(at);
    if (sign !== 0x20 && sign !== 0x0a && sign !== 0x0d && sign !== 0x09) break;
  }
  return at;
}
