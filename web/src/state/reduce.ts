//! `reduce(state, frame)`: the picture after one more frame. Pure, and the only way in which the picture changes
//! because of the server. A durable frame that is held already changes nothing, so replays are harmless.

import type { Busy, ServerFrame, ServerFrameOf } from "../protocol/generated";
import { EMPTY, type ChatState, type Notice } from "./chat";
import { applyToTimeline, windowOf, withoutTransients } from "./timeline";
import { changed, heldOf } from "./variables";

/** The picture after one more frame. */
export function reduce(state: ChatState, frame: ServerFrame): ChatState {
  if (frame.type === "session-ready") return ready(state, frame);
  if (frame.seq === undefined) return apply(state, frame);
  if (frame.seq <= state.lastSeq) return state;
  const { seq } = frame;
  return apply({ ...state, log: [...state.log, frame], lastSeq: seq, firstSeq: state.log.length ? state.firstSeq : seq }, frame);
}

/** Whether a durable frame would leave a hole, so that the connection must read the log again. */
export function leavesHole(state: ChatState, frame: ServerFrame): boolean {
  return frame.seq !== undefined && frame.type !== "session-ready" && frame.seq > state.lastSeq + 1;
}

/** The picture with a passing word of this page's own. */
export function notify(state: ChatState, notice: Notice): ChatState {
  return { ...state, notices: [...state.notices.filter((held) => held.id !== notice.id), notice].slice(-5) };
}

/** The picture without that word. */
export function dismiss(state: ChatState, id: string): ChatState {
  return { ...state, notices: state.notices.filter((notice) => notice.id !== id) };
}

function ready(state: ChatState, frame: ServerFrameOf<"session-ready">): ChatState {
  const { sessionId, reasoner, sandbox, workspace, busy, snapshot, protocolVersion, lastSeq, generation } = frame;
  const other = state.sessionId !== undefined && state.sessionId !== sessionId;
  const held: ChatState = snapshot || other ? { ...EMPTY, notices: state.notices } : state;
  const next: ChatState = {
    ...held,
    sessionId,
    reasoner,
    sandbox: sandbox?.mode,
    workspace,
    protocolVersion,
    generation,
    damagedFrom: undefined,
    busy,
    readySeq: lastSeq,
    timeline: withoutTransients(held.timeline),
    approvals: frame.pending.filter((asked): asked is ServerFrameOf<"approval-request"> => asked.type === "approval-request"),
    queries: frame.pending.filter((asked): asked is ServerFrameOf<"user-query"> => asked.type === "user-query"),
  };
  if (!snapshot) return next;
  const notices = (snapshot.notifications ?? []).map(({ notificationId: id, ...rest }) => ({ ...rest, id }));
  return {
    ...notices.reduce(notify, next),
    title: snapshot.title,
    tokens: snapshot.contextTokens,
    windows: snapshot.openWindows,
    variables: heldOf(snapshot.variables, new Map()),
    firstSeq: snapshot.firstSeq,
    lastSeq: snapshot.firstSeq - 1,
  };
}

function apply(state: ChatState, frame: ServerFrame): ChatState {
  const timeline = applyToTimeline(state.timeline, frame);
  const next = { ...applyFacts(state, frame), timeline };
  return isNews(state, frame) ? applyNews(next, frame) : next;
}

/** What is true whether the frame is history or news. */
function applyFacts(state: ChatState, frame: ServerFrame): ChatState {
  switch (frame.type) {
    case "session-update":
      return {
        ...state,
        title: frame.title ?? state.title,
        reasoner: frame.reasoner ?? state.reasoner,
        tokens: frame.contextTokens ?? state.tokens,
      };
    case "context-update":
      return { ...state, variables: changed(state.variables, frame, state.timeline) };
    case "context-state":
      return {
        ...state,
        variables: heldOf(frame.variables, state.variables),
        windows: frame.openWindows,
      };
    case "context-cleared":
      return { ...state, variables: new Map() };
    case "display-resource": {
      const others = state.windows.filter((window) => window.windowId !== frame.windowId);
      return { ...state, windows: [...others, { ...windowOf(frame), earlier: frame.earlier }] };
    }
    case "close-window":
      return { ...state, windows: state.windows.filter((window) => window.windowId !== frame.windowId) };
    case "approval-resolved":
      return { ...state, approvals: state.approvals.filter((asked) => asked.callId !== frame.callId) };
    case "query-resolved":
      return { ...state, queries: state.queries.filter((asked) => asked.queryId !== frame.queryId) };
    case "log-damaged":
      return { ...state, damagedFrom: frame.fromSeq };
    case "agent-response":
      return withoutProgress(state, frame.turnId);
    case "agent-error":
      return frame.messageIds ? withoutProgress(state, frame.turnId) : state;
    default:
      return state;
  }
}

/** What only matters now: `session-ready` has said it already for all that came before. */
function applyNews(state: ChatState, frame: ServerFrame): ChatState {
  const next = { ...state, busy: busyAfter(state.busy, frame) };
  switch (frame.type) {
    case "approval-request":
      return { ...next, approvals: [...next.approvals.filter((asked) => asked.callId !== frame.callId), frame] };
    case "user-query":
      return { ...next, queries: [...next.queries.filter((asked) => asked.queryId !== frame.queryId), frame] };
    case "notification": {
      const { notificationId: id, level, message, durationMs, progress } = frame;
      // Progress lasts as long as its turn.
      if (level === "progress" && frame.turnId !== undefined) return notify(next, { id, level, message, durationMs: 0, progress, turnId: frame.turnId });
      return notify(next, { id, level, message, durationMs, progress });
    }
    case "agent-error":
      if (frame.messageIds) return next;
      return notify(next, { id: `refused-${frame.timestamp}-${frame.code}`, level: "error", message: refusal(frame), durationMs: 12_000 });
    default:
      return next;
  }
}

/** The turn is over, and its progress with it. */
function withoutProgress(state: ChatState, turnId: string | undefined): ChatState {
  if (turnId === undefined || !state.notices.some((notice) => notice.turnId === turnId)) return state;
  return { ...state, notices: state.notices.filter((notice) => notice.turnId !== turnId) };
}

function busyAfter(busy: Busy | undefined, frame: ServerFrame): Busy | undefined {
  const messageId = frame.turnId;
  switch (frame.type) {
    case "agent-thinking":
      return messageId === undefined ? busy : { messageId, step: frame.step };
    case "agent-delta":
      return messageId === undefined ? busy : { messageId, step: "responding" };
    case "tool-call-start":
      return messageId === undefined ? busy : { messageId, step: "executing", tool: frame.tool };
    case "tool-call-end":
      return busy && busy.messageId === messageId ? { messageId, step: busy.step } : busy;
    case "agent-response":
    case "agent-error":
      if (frame.seq === undefined) return busy;
      return busy && (frame.turnId ?? frame.messageIds?.[0]) === busy.messageId ? undefined : busy;
    default:
      return busy;
  }
}

function isNews(state: ChatState, frame: ServerFrame): boolean {
  return frame.seq === undefined || frame.seq > state.readySeq;
}

function refusal(frame: ServerFrameOf<"agent-error">): string {
  return [frame.text, ...frame.suggestions].join(" ");
}
