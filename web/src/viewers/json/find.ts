//! The filter: which keys and values have the words, and what stands above them. The text is passed through once. Pure.

import { linesOf, nodeAt, stringAt, type Node, type Tree } from "./nodes";
import { read, type Listener } from "./read";

/** How many places are shown. */
export const MOST_PLACES = 1000;

/** What a filter leaves. */
export interface Found {
  /** The nodes below a node, by its id, where one of them or something below it has the words. */
  kept: Map<string, Node[]>;
  /** The nodes that have them themselves. */
  places: Set<string>;
  /** There are more places than are shown. */
  more: boolean;
}

/** A list or an object that is being passed. */
interface Frame {
  start: number;
  key: number;
  index: number;
  /** How many of its members were passed. */
  passed: number;
  /** It is made when something in it is found. */
  node?: Node;
}

/** Finds words in keys and values; upper and lower case are the same. */
export function find(tree: Tree, words: string): Found {
  const finder = new Finder(tree, words.toLowerCase());
  finder.run();
  return finder.found;
}

class Finder implements Listener {
  readonly found: Found = { kept: new Map(), places: new Set(), more: false };
  private readonly frames: Frame[] = [];

  constructor(
    private readonly tree: Tree,
    private readonly words: string,
  ) {}

  run(): void {
    const { tree, frames } = this;
    if (tree.root.kind !== "lines") return read(tree.text, 0, tree.text.length, this);
    frames.push({ start: 0, key: -1, index: 0, passed: 0, node: tree.root });
    for (const [from, to] of linesOf(tree.text)) {
      if (this.found.more) return;
      read(tree.text, from, to, this);
    }
  }

  begin(start: number, key: number): boolean {
    const frame = { start, key, index: this.next(), passed: 0, node: this.frames.length === 0 ? this.tree.root : undefined };
    this.frames.push(frame);
    return this.has(key) && this.keep(() => this.node(this.frames.length - 1));
  }

  end(): void {
    this.frames.pop();
  }

  leaf(start: number, end: number, key: number): boolean {
    const index = this.next();
    const { text, root } = this.tree;
    const value = text[start] === '"' ? stringAt(text, start) : text.slice(start, end);
    if (!this.has(key) && !value.toLowerCase().includes(this.words)) return false;
    const above = this.frames.length - 1;
    return this.keep(() => (above < 0 ? root : this.child(above, start, key, index)));
  }

  private next(): number {
    const above = this.frames.at(-1);
    return above ? above.passed++ : 0;
  }

  private has(key: number): boolean {
    return key >= 0 && stringAt(this.tree.text, key).toLowerCase().includes(this.words);
  }

  /** Keeps a place, unless there are enough. */
  private keep(place: () => Node): boolean {
    const { places } = this.found;
    if (places.size < MOST_PLACES) places.add(place().id);
    else this.found.more = true;
    return this.found.more;
  }

  /** The node of a list or an object that is being passed, and those above it. */
  private node(level: number): Node {
    // The outermost has one from the beginning.
    let known = level;
    while (known > 0 && !this.frames[known]?.node) known--;
    for (let at = known + 1; at <= level; at++) {
      const frame = this.frames[at] as Frame;
      frame.node = this.child(at - 1, frame.start, frame.key, frame.index);
    }
    return this.frames[level]?.node as Node;
  }

  /** A node below one that is being passed. */
  private child(level: number, start: number, key: number, index: number): Node {
    const parent = this.node(level);
    const node = nodeAt(this.tree.text, start, key, index, parent);
    const { kept } = this.found;
    const siblings = kept.get(parent.id);
    if (siblings) siblings.push(node);
    else kept.set(parent.id, [node]);
    return node;
  }
}
