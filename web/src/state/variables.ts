//! The variables as the page holds them: in the order in which they got their values, each with the turn that gave it.

import type { ServerFrame, ServerFrameOf, Variable } from "../protocol/generated";
import type { ChatState, Entry } from "./chat";

/** A variable, and which turn gave the value that it has. */
export interface Held extends Variable {
  turn?: { id: string; text: string };
}

/** By name, oldest value first; a map, because a variable may be called `constructor`. */
export type Variables = ReadonlyMap<string, Held>;

/** Those of a snapshot: what is known of those that have not changed stays. */
export function heldOf(variables: readonly Variable[], before: Variables): Variables {
  const now = new Map(variables.map((variable) => [variable.name, variable]));
  const unchanged = [...before.values()].filter(({ name, version }) => now.get(name)?.version === version);
  const others = variables.filter(({ name, version }) => before.get(name)?.version !== version);
  return new Map([...others, ...unchanged].map((held) => [held.name, { ...held, ...now.get(held.name) }]));
}

/**
 * Those after a change. A new value comes last; what only got outdated, or another name, keeps its turn. A snapshot has the values
 * of now, and the events that gave them may follow it: these say of which turn they are.
 */
export function changed(variables: Variables, frame: ServerFrameOf<"context-update">, timeline: readonly Entry[]): Variables {
  const next = new Map(variables);
  const { turnId } = frame;
  const turn = turnId === undefined ? undefined : { id: turnId, text: words(timeline, turnId) };
  for (const variable of frame.set) {
    const { name, version, stale } = variable;
    const before = next.get(name) ?? frame.removed.map((old) => next.get(old)).find((old) => old?.version === version);
    const known = before?.version === version && (before.turn !== undefined || stale || turn === undefined);
    if (!known) next.delete(name);
    next.set(name, { ...variable, turn: known ? before.turn : turn });
  }
  for (const name of frame.removed) next.delete(name);
  return next;
}

/**
 * Those with what an older page of the log tells: which turn gave the values that nothing has changed since. They stand in the order
 * of its events, behind those that no event tells of and before those that newer events, which are held in the log, tell of.
 */
export function toldBy(page: readonly ServerFrame[], { variables: known, log, timeline }: Told): Variables {
  const variables = worded(known, timeline);
  const older = page.reduce<Variables>((held, frame) => {
    if (frame.type === "context-cleared") return new Map();
    return frame.type === "context-update" ? changed(held, frame, timeline) : held;
  }, new Map());
  // A name that went since stands for another variable.
  if (log.some(({ type }) => type === "context-cleared")) return variables;
  const gone = new Set(log.flatMap((frame) => (frame.type === "context-update" ? frame.removed : [])));
  const told = [...older.values()].flatMap(({ name, version, turn }) => {
    const now = variables.get(name);
    return turn && now && now.version === version && !now.turn && !gone.has(name) ? [{ ...now, turn }] : [];
  });
  if (told.length === 0) return variables;
  const isTold = new Set(told.map(({ name }) => name));
  const isNewer = new Set(log.flatMap((frame) => (frame.type === "context-update" ? frame.set.map(({ name }) => name) : [])));
  const others = [...variables.values()].filter(({ name }) => !isTold.has(name));
  const inOrder = [...others.filter(({ name }) => !isNewer.has(name)), ...told, ...others.filter(({ name }) => isNewer.has(name))];
  return new Map(inOrder.map((held) => [held.name, held]));
}

/** Those with what the user wrote in their turns, where the older page had that. */
function worded(variables: Variables, timeline: readonly Entry[]): Variables {
  const given = [...variables.values()].flatMap((each) => (each.turn?.text === "" ? [{ ...each, turn: { ...each.turn, text: words(timeline, each.turn.id) } }] : []));
  const found = given.filter(({ turn }) => turn.text !== "");
  return found.length === 0 ? variables : new Map([...variables, ...found.map((each) => [each.name, each] as const)]);
}

/** What is held when an older page comes, with the timeline that begins with it. */
type Told = Pick<ChatState, "variables" | "log" | "timeline">;

/** As a list; the same one as long as nothing changes. */
export function listed(variables: Variables): readonly Held[] {
  const known = lists.get(variables) ?? [...variables.values()];
  lists.set(variables, known);
  return known;
}

const lists = new WeakMap<Variables, readonly Held[]>();

/** What the user wrote in a turn. */
function words(timeline: readonly Entry[], id: string): string {
  const turn = timeline.findLast((entry) => entry.kind === "turn" && entry.id === id);
  return turn?.kind === "turn" ? (turn.messages[0]?.text ?? "") : "";
}
