//! Older pages of the log, put before what is held. A page is cut where nothing that follows refers to what came before,
//! so that the next one is folded by itself: what is held is not folded again, however long the conversation is.

import type { ServerFrame } from "../protocol/generated";
import { callsOf, type ChatState, type Entry } from "./chat";
import { applyToTimeline, markKept, markUndone } from "./timeline";
import { toldBy } from "./variables";

/** The picture with an older page of the log put before it. */
export function prepend(state: ChatState, older: readonly ServerFrame[]): ChatState {
  const page = older.filter((frame) => frame.seq !== undefined && frame.seq < state.firstSeq);
  if (older.length === 0) return { ...state, firstSeq: 1, clean: true };
  if (page.length === 0) return state;
  // Until what is held begins cleanly, its frames may belong to turns of this page.
  const start = cleanStart(state.clean ? page : [...page, ...state.log], page.length);
  const taken = page.slice(start ?? 0);
  const clean = start !== undefined;
  const log = [...taken, ...state.log];
  const timeline = state.clean && clean ? before(taken, state) : again(log, state.timeline);
  const variables = toldBy(taken, { ...state, timeline });
  return { ...state, log, clean, firstSeq: taken[0]?.seq ?? 1, timeline, variables };
}

/** The first frame, before `limit`, from which on nothing refers to what began before it. */
export function cleanStart(frames: readonly ServerFrame[], limit: number): number | undefined {
  const begins = new Map<string, number>();
  frames.forEach((frame, at) => {
    for (const id of begun(frame)) if (!begins.has(id)) begins.set(id, at);
  });
  let lowest = frames.length;
  let found: number | undefined;
  for (let at = frames.length - 1; at >= 0; at -= 1) {
    const frame = frames[at];
    for (const id of frame ? referred(frame) : []) lowest = Math.min(lowest, begins.get(id) ?? -1);
    if (at < limit && lowest >= at) found = at;
    if (lowest < 0) break;
  }
  return found;
}

/** What a frame begins: a message, or a call outside of a turn. */
function begun(frame: ServerFrame): string[] {
  if (frame.type === "user-message") return [frame.messageId];
  // What a turn asked may be answered in the next one.
  if (frame.type === "user-query") return [frame.queryId];
  const loose = frame.turnId === undefined && (frame.type === "tool-call-start" || frame.type === "approval-request");
  return loose ? [frame.callId] : [];
}

/** What a frame belongs to, as far as it stands in the conversation. */
function referred(frame: ServerFrame): readonly string[] {
  switch (frame.type) {
    case "user-message":
      return [frame.messageId, frame.turnId ?? frame.messageId];
    case "agent-response":
    case "agent-error":
      return [...(frame.messageIds ?? []), ...(frame.turnId === undefined ? [] : [frame.turnId])];
    case "tool-call-start":
    case "tool-call-end":
    case "approval-request":
    case "approval-resolved":
      return [frame.turnId ?? frame.callId];
    case "query-resolved":
      return frame.turnId === undefined ? [frame.queryId] : [frame.queryId, frame.turnId];
    case "agent-thinking":
    case "user-query":
    case "display-resource":
    case "context-update":
      return frame.turnId === undefined ? [] : [frame.turnId];
    default:
      return [];
  }
}

/** The page folded by itself, before what is held; changes in it that were put back later are marked, and where its values are. */
function before(page: readonly ServerFrame[], state: ChatState): readonly Entry[] {
  const folded = page.reduce<readonly Entry[]>(applyToTimeline, []);
  const marked = state.log.reduce((entries, frame) => {
    if (frame.type === "tool-call-end") return markUndone(entries, frame);
    return frame.type === "context-update" ? markKept(entries, frame) : entries;
  }, folded);
  return [...marked, ...state.timeline];
}

/** All of it folded anew, with what only the held entries have. */
function again(log: readonly ServerFrame[], timeline: readonly Entry[]): readonly Entry[] {
  const held = new Map(timeline.map((entry) => [`${entry.kind}-${entry.id}`, entry]));
  const folded = log.reduce<readonly Entry[]>(applyToTimeline, []);
  return folded.map((entry) => withLive(entry, held.get(`${entry.kind}-${entry.id}`)));
}

/** An entry made anew from the log, with the live output and the draft that only the held one has. */
function withLive(entry: Entry, held: Entry | undefined): Entry {
  if (entry.kind === "loose-call" && held?.kind === "loose-call") return { ...entry, call: { ...entry.call, output: held.call.output } };
  if (entry.kind !== "turn" || held?.kind !== "turn") return entry;
  const outputs = new Map(callsOf(held).map((call) => [call.id, call.output]));
  const steps = entry.steps.map((step) =>
    step.kind === "call" ? { ...step, output: outputs.get(step.id) ?? step.output } : step,
  );
  return { ...entry, steps, begun: entry.begun || held.begun, draft: held.draft };
}
