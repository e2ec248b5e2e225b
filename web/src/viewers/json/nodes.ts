//! The values of a text as nodes of a tree. A node knows where it stands in the text and is made when it is asked for;
//! what it says is always cut from the text. Pure.

import { isContainer, members, quoteEnd, read, valueEnd } from "./read";

/** How many members are shown together; more of them stand in groups. */
export const GROUP = 1000;
/** How many characters of a value are looked at for its row. */
const LOOK = 1000;

/** What a node is; `lines` is a text of JSON Lines, `group` some of the members of a long list or object. */
export type Kind = "object" | "array" | "lines" | "group" | "string" | "number" | "literal";

/** A value, or a group of members. */
export interface Node {
  /** The same for the same place in the text. */
  id: string;
  kind: Kind;
  /** Where the value begins. */
  start: number;
  /** Where its key begins, -1 outside of objects. */
  key: number;
  /** Its place among the members of its list or object, from 0. */
  index: number;
  parent?: Node;
  /** Which members of its list or object a group has: from this one to before that one. */
  range?: readonly [number, number];
}

interface Members {
  keys: number[];
  starts: number[];
  /** Members whose key stands before them. */
  repeated: Set<number>;
}

/** A node for a value that stands in the text. */
export function nodeAt(text: string, start: number, key: number, index: number, parent?: Node): Node {
  return { id: String(start), kind: kindAt(text, start), start, key, index, parent };
}

function kindAt(text: string, start: number): Kind {
  const sign = text[start];
  if (sign === "{") return "object";
  if (sign === "[") return "array";
  if (sign === '"') return "string";
  return sign === "t" || sign === "f" || sign === "n" ? "literal" : "number";
}

/** Whether there may be nodes below it. */
export function hasMembers({ kind }: Node): boolean {
  return kind === "object" || kind === "array" || kind === "lines" || kind === "group";
}

/** The list or object that a node is a member of; groups do not count. */
export function ownerOf({ parent }: Node): Node | undefined {
  let owner = parent;
  while (owner?.kind === "group") owner = owner.parent;
  return owner;
}

/** A text that is JSON, or JSON Lines. Making one throws a `Fault` if it is neither. */
export class Tree {
  readonly root: Node;
  private readonly found = new Map<string, Members>();

  constructor(
    readonly text: string,
    lines = false,
  ) {
    if (lines) {
      const starts: number[] = [];
      for (const [from, to] of linesOf(text)) {
        read(text, from, to);
        starts.push(from);
      }
      this.root = { id: "lines", kind: "lines", start: 0, key: -1, index: 0 };
      this.found.set("lines", { keys: starts.map(() => -1), starts, repeated: new Set() });
    } else {
      read(text, 0, text.length);
      this.root = nodeAt(text, text.length - text.trimStart().length, -1, 0);
    }
  }

  /** How many members a list, an object or a group has. */
  count(node: Node): number {
    return node.range ? node.range[1] - node.range[0] : this.members(node).starts.length;
  }

  /** How many rows a node has right below it when it is open. */
  shown(node: Node): number {
    const count = this.count(node);
    return Math.ceil(count / groupSize(count));
  }

  /** The nodes right below a node: its members, or groups of them. */
  children(node: Node): Node[] {
    if (!hasMembers(node)) return [];
    const owner = node.kind === "group" ? ownerOf(node) : node;
    if (!owner) return [];
    const { keys, starts } = this.members(owner);
    const [from, to] = node.range ?? [0, starts.length];
    const size = groupSize(to - from);
    const nodes: Node[] = [];
    for (let at = from; at < to; at += size) {
      if (size > 1) nodes.push(group(owner, node, at, Math.min(to, at + size)));
      else nodes.push(nodeAt(this.text, starts[at] ?? 0, keys[at] ?? -1, at, node));
    }
    return nodes;
  }

  /** The key of a member of an object. */
  keyOf({ key }: Node): string | undefined {
    return key < 0 ? undefined : stringAt(this.text, key);
  }

  /** Whether the same key stands before it in the same object. */
  isRepeated(node: Node): boolean {
    const owner = ownerOf(node);
    return owner !== undefined && node.kind !== "group" && this.members(owner).repeated.has(node.index);
  }

  /** A string without its quotes and escapes. */
  stringOf({ start }: Node): string {
    return stringAt(this.text, start);
  }

  /** A value for one line, as it stands in the text; a long one ends with `…`. */
  lineOf({ kind, start }: Node): string {
    const end = valueEnd(this.text, start);
    if (kind !== "string") return end - start > LOOK ? `${this.text.slice(start, start + LOOK)}…` : this.text.slice(start, end);
    if (end - start <= LOOK) return JSON.stringify(stringAt(this.text, start));
    // No escape is cut in two.
    const cut = this.text.slice(start, start + LOOK).replace(/((?:^|[^\\])(?:\\\\)*)\\(?:u[0-9a-fA-F]{0,3})?$/, "$1");
    return `${JSON.stringify(JSON.parse(`${cut}"`)).slice(0, -1)}…`;
  }

  /** What is copied as the value: a string without quotes, all else as it stands in the text. */
  valueOf(node: Node): string {
    if (node.kind === "string") return this.stringOf(node);
    return node.kind === "lines" ? this.text : this.text.slice(node.start, valueEnd(this.text, node.start));
  }

  /** Where the value stands, as RFC 9535 writes it: `$.users[0]['first name']`. */
  pathOf(node: Node): string {
    const steps: string[] = [];
    for (let at: Node | undefined = node; at && at !== this.root; at = ownerOf(at)) {
      if (at.kind !== "group" && at.parent) steps.push(step(this.keyOf(at), at.index));
    }
    return `$${steps.reverse().join("")}`;
  }

  private members(node: Node): Members {
    let known = this.found.get(node.id);
    if (!known) {
      const { keys, starts } = isContainer(this.text, node.start) ? members(this.text, node.start) : { keys: [], starts: [] };
      known = { keys, starts, repeated: repeatedIn(this.text, keys) };
      this.found.set(node.id, known);
    }
    return known;
  }
}

/** How many members stand in each group, 1 where they stand for themselves. */
function groupSize(count: number): number {
  let size = 1;
  while (count / size > GROUP) size *= GROUP;
  return size;
}

/** The lines of a text that hold something, from where it begins to the line's end. */
export function* linesOf(text: string): Generator<readonly [number, number]> {
  for (let from = 0; from < text.length; ) {
    const next = text.indexOf("\n", from);
    const to = next < 0 ? text.length : next;
    const line = text.slice(from, to);
    if (line.trim() !== "") yield [from + line.length - line.trimStart().length, to];
    from = to + 1;
  }
}

/** The string that begins here, without quotes and escapes. */
export function stringAt(text: string, start: number): string {
  const end = quoteEnd(text, start);
  const inner = text.slice(start + 1, end - 1);
  return inner.includes("\\") ? (JSON.parse(text.slice(start, end)) as string) : inner;
}

function group(owner: Node, parent: Node, from: number, to: number): Node {
  return { id: `${owner.id}:${from}-${to}`, kind: "group", start: owner.start, key: -1, index: from, parent, range: [from, to] };
}

function repeatedIn(text: string, keys: readonly number[]): Set<number> {
  const seen = new Set<string>();
  const repeated = new Set<number>();
  keys.forEach((key, at) => {
    if (key < 0) return;
    const name = stringAt(text, key);
    if (seen.has(name)) repeated.add(at);
    seen.add(name);
  });
  return repeated;
}

function step(key: string | undefined, index: number): string {
  if (key === undefined) return `[${index}]`;
  if (/^[\p{L}_][\p{L}\p{N}_]*$/u.test(key)) return `.${key}`;
  return `['${JSON.stringify(key).slice(1, -1).replace(/\\"/g, '"').replace(/'/g, "\\'")}']`;
}
