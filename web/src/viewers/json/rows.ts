//! What of a tree is on the screen: a row for each node whose parents are open, and where the keys lead from a row. Pure.

import { hasMembers, type Node, type Tree } from "./nodes";

/** How many rows are opened at first, and at once. */
const FIRST_ROWS = 200;
const MOST_OPENED = 20_000;
/** A tree that is deeper than any person reads ends here. */
const MOST_ROWS = 500_000;
/** How many levels are open at first. */
const FIRST_LEVELS = 2;

/** A row. */
export interface Row {
  node: Node;
  /** From 1. */
  level: number;
  /** Which of its siblings it is, from 1, and how many they are. */
  position: number;
  siblings: number;
}

/** The nodes below a node. */
export type Below = (node: Node) => readonly Node[];

/** The rows from the root down. */
export function rowsOf(root: Node, below: Below, open: ReadonlySet<string>): Row[] {
  const rows: Row[] = [];
  const waiting: Row[] = [{ node: root, level: 1, position: 1, siblings: 1 }];
  for (let row = waiting.pop(); row && rows.length < MOST_ROWS; row = waiting.pop()) {
    rows.push(row);
    if (!open.has(row.node.id)) continue;
    const children = below(row.node);
    for (let at = children.length - 1; at >= 0; at--) {
      waiting.push({ node: children[at] as Node, level: row.level + 1, position: at + 1, siblings: children.length });
    }
  }
  return rows;
}

/** What is open at first: the first levels, as long as they are not too much; of groups the first. */
export function firstOpen(tree: Tree): Set<string> {
  const open = new Set([tree.root.id]);
  let room = FIRST_ROWS;
  let level: Node[] = [tree.root];
  for (let depth = 1; depth <= FIRST_LEVELS; depth++) {
    const below: Node[] = [];
    for (const node of level) {
      if (!open.has(node.id)) {
        if (tree.count(node) > room) continue;
        open.add(node.id);
      }
      let children = tree.children(node);
      while (children[0]?.kind === "group") {
        open.add(children[0].id);
        children = tree.children(children[0]);
      }
      room -= children.length;
      if (room > 0) below.push(...children.filter(hasMembers));
    }
    level = below;
  }
  return open;
}

/** Which row a key leads to, if it leads to one. */
export function rowFrom(rows: readonly Row[], at: number, key: string, page: number): number | undefined {
  const last = rows.length - 1;
  switch (key) {
    case "ArrowDown":
      return Math.min(last, at + 1);
    case "ArrowUp":
      return Math.max(0, at - 1);
    case "PageDown":
      return Math.min(last, at + page);
    case "PageUp":
      return Math.max(0, at - page);
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return undefined;
  }
}

/** The row of the node above. */
export function parentRow(rows: readonly Row[], at: number): number {
  const level = rows[at]?.level ?? 1;
  for (let above = at - 1; above >= 0; above--) if ((rows[above]?.level ?? 0) < level) return above;
  return at;
}

/** The siblings of a row, itself included, that can be opened and are not; as many as there is room for. */
export function closedSiblings(tree: Tree, rows: readonly Row[], at: number, open: ReadonlySet<string>): Node[] {
  const level = rows[at]?.level ?? 1;
  let first = at;
  while (first > 0 && (rows[first - 1]?.level ?? 0) >= level) first--;
  const found: Node[] = [];
  let room = MOST_OPENED;
  for (let next = first; next < rows.length; next++) {
    const row = rows[next] as Row;
    if (row.level < level) break;
    if (row.level > level || !hasMembers(row.node) || open.has(row.node.id)) continue;
    room -= tree.shown(row.node);
    if (room < 0) break;
    found.push(row.node);
  }
  return found;
}
