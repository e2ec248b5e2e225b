//! The conversation as entries in the order of the log. Frames of a turn find their turn by `turnId`; a frame
//! whose beginning is not held (an older page) makes its turn as far as it is known.

import type { ServerFrame, ServerFrameOf } from "../protocol/generated";
import { t } from "../i18n";
import { continuation } from "../text/utf8";
import { updateCall } from "./calls";
import type { Call, Entry, Message, StepItem, Turn, WindowNow } from "./chat";

type Entries = readonly Entry[];

/** The conversation after one more frame. */
export function applyToTimeline(entries: Entries, frame: ServerFrame): Entries {
  switch (frame.type) {
    case "user-message":
      return addMessage(entries, frame);
    case "agent-thinking":
      return inTurn(entries, frame.turnId, frame.timestamp, (turn) => addThought(turn, frame));
    case "agent-delta":
      return inTurn(entries, frame.turnId, frame.timestamp, (turn) => addDelta(turn, frame));
    case "tool-call-end":
      return markUndone(applyToCall(entries, frame), frame);
    case "tool-call-start":
    case "tool-output-chunk":
    case "approval-request":
    case "approval-resolved":
      return applyToCall(entries, frame);
    case "user-query":
    case "query-resolved":
    case "display-resource":
      return applyStep(entries, frame);
    case "agent-response":
      return end(entries, frame.messageIds, frame);
    case "agent-error":
      return frame.messageIds && frame.seq !== undefined ? end(entries, frame.messageIds, frame) : entries;
    case "command-response":
    case "command-error":
      return addCommand(entries, frame);
    case "context-update":
      return markKept(entries, frame);
    case "conversation-summary": {
      const text = t.work.summarized;
      return [...entries, { kind: "note", id: `summary-${frame.seq}`, text, detail: frame.text }];
    }
    case "context-cleared":
      return [...entries, { kind: "note", id: `cleared-${frame.seq}`, text: t.work.cleared }];
    default:
      return entries;
  }
}

/** Drops what the server sends anew after a reconnect: replies being written and the output of running calls. */
export function withoutTransients(entries: Entries): Entries {
  return entries.map((entry) => {
    if (entry.kind !== "turn" || entry.end) return entry;
    const steps = entry.steps.map((step) => (step.kind === "call" && !step.result ? updateCall.forget(step) : step));
    return { ...entry, steps, draft: undefined };
  });
}

/** What the frame shows now; what the window showed before stands beside it in the frame. */
export function windowOf({ windowId, viewerType, title, resource }: ServerFrameOf<"display-resource">): WindowNow {
  return { windowId, viewerType, title, resource };
}

/** The turn with this id. */
export function findTurn(entries: Entries, id: string): Turn | undefined {
  const at = turnAt(entries, id);
  return at < 0 ? undefined : (entries[at] as Turn);
}

function addMessage(entries: Entries, frame: ServerFrameOf<"user-message">): Entries {
  const { messageId: id, text, mode, prompt, tool, attachments, timestamp: at } = frame;
  const message: Message = { id, text, mode, at, ...(prompt === undefined ? {} : { prompt }), ...(tool === undefined ? {} : { tool }), ...(attachments && { attachments }) };
  const own = turnAt(entries, frame.messageId);
  if (own >= 0) return replace(entries, own, { ...(entries[own] as Turn), messages: [message] });
  const joined = frame.turnId !== undefined && frame.turnId !== frame.messageId ? turnAt(entries, frame.turnId) : -1;
  if (joined < 0) return [...entries, newTurn(message.id, frame.timestamp, [message])];
  const turn = entries[joined] as Turn;
  return replace(entries, joined, { ...turn, messages: [...turn.messages, message] });
}

/** What the agent does next; what it wrote before that was no reply, and stands in the thought. */
const GOES_ON = ["searching", "selecting", "executing"];

function addThought(turn: Turn, frame: ServerFrameOf<"agent-thinking">): Turn {
  const draft = GOES_ON.includes(frame.step) ? undefined : turn.draft;
  return { ...turn, draft, steps: [...turn.steps, { kind: "thought", id: `step-${frame.seq}`, frame }] };
}

function addDelta(turn: Turn, frame: ServerFrameOf<"agent-delta">): Turn {
  const held = frame.offset === 0 ? undefined : turn.draft;
  const next = continuation(held?.end ?? 0, frame.offset, frame.text);
  return { ...turn, draft: { text: (held?.text ?? "") + next.text, end: next.end } };
}

function addCommand(entries: Entries, frame: ServerFrameOf<"command-response"> | ServerFrameOf<"command-error">): Entries {
  const { command, text, usage, type } = frame;
  const id = `command-${frame.seq ?? `${entries.length}-${frame.timestamp}`}`;
  return [...entries, { kind: "command", id, command, text, usage, ok: type === "command-response" }];
}

type CallFrame = ServerFrameOf<
  "tool-call-start" | "tool-call-end" | "tool-output-chunk" | "approval-request" | "approval-resolved"
>;

function applyToCall(entries: Entries, frame: CallFrame): Entries {
  if (frame.turnId === undefined) return applyToLooseCall(entries, frame);
  return inTurn(entries, frame.turnId, frame.timestamp, (turn) => {
    const at = turn.steps.findLastIndex((step) => step.kind === "call" && step.id === frame.callId);
    const held = turn.steps[at];
    const call = updateCall(held?.kind === "call" ? held : undefined, frame);
    if (!call) return turn;
    return { ...turn, steps: at < 0 ? [...turn.steps, call] : replace(turn.steps, at, call) };
  });
}

/** Marks the calls whose changes this one put back. */
export function markUndone(entries: Entries, { callId, undid }: ServerFrameOf<"tool-call-end">): Entries {
  if (!undid || undid.length === 0) return entries;
  const mark = (call: Call) => updateCall.undone(call, callId, undid);
  return entries.map((entry) => {
    if (entry.kind === "loose-call") return { ...entry, call: mark(entry.call) };
    if (entry.kind !== "turn") return entry;
    return { ...entry, steps: entry.steps.map((step) => (step.kind === "call" ? mark(step) : step)) };
  });
}

/** Notes which calls gave what variables hold now. */
export function markKept(entries: Entries, { set, turnId }: ServerFrameOf<"context-update">): Entries {
  return set.reduce((all, { name, version, origin: { callId } }) => {
    if (callId === undefined) return all;
    const isIts = (entry: Entry) => (turnId === undefined ? entry.kind === "loose-call" : entry.kind === "turn") && entry.id === (turnId ?? callId);
    const at = all.findLastIndex(isIts);
    const entry = all[at];
    if (entry?.kind === "loose-call") return replace(all, at, { ...entry, call: updateCall.kept(entry.call, name, version) });
    if (entry?.kind !== "turn") return all;
    const steps = entry.steps.map((step) => (step.kind === "call" && step.id === callId ? updateCall.kept(step, name, version) : step));
    return replace(all, at, { ...entry, steps });
  }, entries);
}

function applyToLooseCall(entries: Entries, frame: CallFrame): Entries {
  const at = entries.findLastIndex((entry) => entry.kind === "loose-call" && entry.id === frame.callId);
  const held = entries[at];
  const call = updateCall(held?.kind === "loose-call" ? held.call : undefined, frame);
  if (!call) return entries;
  const entry: Entry = { kind: "loose-call", id: call.id, call };
  return at < 0 ? [...entries, entry] : replace(entries, at, entry);
}

function applyStep(entries: Entries, frame: ServerFrameOf<"user-query" | "query-resolved" | "display-resource">): Entries {
  // What a turn asked about its plan, the next one answers.
  if (frame.type === "query-resolved") {
    const asks = (entry: Entry): entry is Turn => entry.kind === "turn" && entry.steps.some((step) => step.kind === "asked" && step.id === frame.queryId);
    return entries.map((entry) => (asks(entry) ? { ...entry, steps: withStep(entry.steps, frame) } : entry));
  }
  if (frame.turnId === undefined) return entries;
  return inTurn(entries, frame.turnId, frame.timestamp, (turn) => ({ ...turn, steps: withStep(turn.steps, frame) }));
}

function withStep(
  steps: readonly StepItem[],
  frame: ServerFrameOf<"user-query" | "query-resolved" | "display-resource">,
): readonly StepItem[] {
  if (frame.type === "user-query") {
    return [...steps, { kind: "asked", id: frame.queryId, message: frame.message, about: frame.kind, choices: frame.choices, resolved: false }];
  }
  if (frame.type === "query-resolved") {
    return steps.map((step) =>
      step.kind === "asked" && step.id === frame.queryId ? { ...step, resolved: true, answer: frame.answer } : step,
    );
  }
  return [...steps, { kind: "shown", id: `shown-${frame.seq}`, window: windowOf(frame) }];
}

/** Ends the turn; messages that it answered too do not wait any more. */
function end(entries: Entries, messageIds: string[], frame: ServerFrameOf<"agent-response" | "agent-error">): Entries {
  const id = frame.turnId ?? messageIds[0];
  if (id === undefined) return entries;
  const joined: Message[] = [];
  const kept = entries.filter((entry) => {
    const answered = entry.kind === "turn" && entry.id !== id && !entry.begun && !entry.end && messageIds.includes(entry.id);
    if (answered) joined.push(...entry.messages);
    return !answered;
  });
  return inTurn(kept, id, frame.timestamp, (turn) => ({
    ...turn,
    messages: [...turn.messages, ...joined],
    draft: undefined,
    end: frame,
    steps: turn.steps.map((step) => (step.kind === "call" ? updateCall.settle(step) : step)),
  }));
}

/** Changes the turn with this id; makes it if it is not held, and gives it its message if another turn showed it. */
function inTurn(entries: Entries, id: string | undefined, timestamp: string, change: (turn: Turn) => Turn): Entries {
  if (id === undefined) return entries;
  const at = turnAt(entries, id);
  if (at >= 0) return replace(entries, at, change({ ...(entries[at] as Turn), begun: true }));
  const host = entries.findIndex((entry) => entry.kind === "turn" && entry.messages.some((message) => message.id === id));
  const turn = host < 0 ? undefined : (entries[host] as Turn);
  const own = turn?.messages.filter((message) => message.id === id) ?? [];
  const rest = turn ? replace(entries, host, { ...turn, messages: turn.messages.filter((message) => message.id !== id) }) : entries;
  return [...rest, change({ ...newTurn(id, timestamp, own), begun: true })];
}

function newTurn(id: string, at: string, messages: readonly Message[]): Turn {
  return { kind: "turn", id, at, messages, steps: [], begun: false };
}

function turnAt(entries: Entries, id: string): number {
  return entries.findLastIndex((entry) => entry.kind === "turn" && entry.id === id);
}

function replace<T>(list: readonly T[], at: number, item: T): T[] {
  const copy = [...list];
  copy[at] = item;
  return copy;
}
