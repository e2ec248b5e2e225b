//! What the page knows: a picture of the session's log, made of plain values that are never changed in place.
//! Everything here follows from frames; what only this tab knows (drafts, open drawers) lives in the components.

import type {
  Attachment, Busy, Choice, Decision, ErrorType, Level, Mode, OpenWindow, QueryKind, ReasonerInfo, Resource, Risk, SandboxState, ServerFrame,
  ServerFrameOf, Stream, TokenGauge,
} from "../protocol/generated";
import type { Variables } from "./variables";

/** The whole picture. */
export interface ChatState {
  sessionId?: string;
  title?: string;
  reasoner?: ReasonerInfo;
  /** What keeps the commands that tools run; a server before this existed does not say. */
  sandbox?: SandboxState;
  /** The name of the folder that tools work in; a server before this existed does not say. */
  workspace?: string;
  protocolVersion?: number;
  tokens?: TokenGauge;
  /** The durable frames that are held, in order, without holes. */
  log: readonly ServerFrame[];
  /** The oldest event that is held; older ones are fetched by page. */
  firstSeq: number;
  /** Nothing that is held belongs to what came before it: older pages are folded by themselves. */
  clean?: boolean;
  /** The newest event that is held. */
  lastSeq: number;
  /** The log's end when this connection began: up to it frames are history, after it they are news. */
  readySeq: number;
  timeline: readonly Entry[];
  /** Which history the events belong to; a server before this existed does not say. */
  generation?: string;
  /** The log is damaged from this event on: nothing can be added. */
  damagedFrom?: number;
  variables: Variables;
  approvals: readonly ServerFrameOf<"approval-request">[];
  queries: readonly ServerFrameOf<"user-query">[];
  busy?: Busy;
  notices: readonly Notice[];
  windows: readonly OpenWindow[];
}

/** One thing in the conversation. */
export type Entry = Turn | Command | LooseCall | Note;

/** A message, what was done about it, and how it ended. */
export interface Turn {
  kind: "turn";
  /** The id of the message that began it. */
  id: string;
  at: string;
  messages: readonly Message[];
  steps: readonly StepItem[];
  /** Something has been done: it is not waiting any more. */
  begun: boolean;
  draft?: Draft;
  end?: TurnEnd;
}

/** What the user wrote. */
export interface Message {
  id: string;
  text: string;
  mode: Mode;
  at: string;
  /** The MCP server's prompt that wrote it. */
  prompt?: string;
  /** The tool that the user asked for. */
  tool?: string;
  /** The variables that belong to it. */
  attachments?: readonly Attachment[];
}

/** The reply while it is being written. */
export interface Draft {
  text: string;
  /** Where the text ends, in UTF-8 bytes. */
  end: number;
}

/** How a turn ended. */
export type TurnEnd = ServerFrameOf<"agent-response"> | ServerFrameOf<"agent-error">;

/** One line of a turn's timeline. */
export type StepItem = Thought | Call | Asked | Shown;

/** Where the turn was. */
export interface Thought {
  kind: "thought";
  id: string;
  frame: ServerFrameOf<"agent-thinking">;
}

/** One run of a tool. */
export interface Call {
  kind: "call";
  id: string;
  parent?: string;
  tool: string;
  module: string;
  title?: string;
  quiet: boolean;
  arguments: ServerFrameOf<"tool-call-start">["arguments"];
  references?: ServerFrameOf<"tool-call-start">["references"];
  status: "asking" | "starting" | "running" | "done" | "failed";
  approval?: { risk: Risk; reason: string; decision?: Decision; by?: string };
  /** The call that put back what this one changed. */
  undoneBy?: string;
  output: Output;
  result?: Result;
  /** The variable that holds what it gave, and which version of it that is. */
  kept?: { name: string; version: number };
}

/** What a call came to. */
export interface Result {
  started: boolean;
  preview: readonly string[];
  outputVariable?: string;
  durationMs: number;
  undoable: boolean;
  error: string;
  errorType?: ErrorType;
  /** What it changed in files, as a unified diff. */
  diff?: string;
  /** What the tool says of its work beside the result: `files_read`, `return_code`. */
  fields?: Record<string, unknown>;
  /** The pictures that it gave. */
  pictures?: readonly Resource[];
}

/** A call's live output: the newest part of it. */
export interface Output {
  pieces: readonly { stream: "stdout" | "stderr"; text: string }[];
  /** Characters in `pieces`. */
  length: number;
  /** Where each stream ends, in UTF-8 bytes. */
  ends: Partial<Record<Stream, number>>;
  /** Something before the first piece is not held. */
  cut: boolean;
  /** The latest note on how far it is. */
  progress?: string;
}

/** A question to the user, in the timeline. */
export interface Asked {
  kind: "asked";
  id: string;
  message: string;
  about: QueryKind;
  choices?: readonly Choice[];
  resolved: boolean;
  answer?: unknown;
}

/** A window without what it showed before. */
export type WindowNow = Omit<OpenWindow, "earlier">;

/** Something that the agent showed. */
export interface Shown {
  kind: "shown";
  id: string;
  window: WindowNow;
}

/** A slash command and its answer. */
export interface Command {
  kind: "command";
  id: string;
  command: string;
  text: string;
  usage?: string;
  ok: boolean;
}

/** A call that the user made, outside a turn. */
export interface LooseCall {
  kind: "loose-call";
  id: string;
  call: Call;
}

/** A line between turns. */
export interface Note {
  kind: "note";
  id: string;
  text: string;
  detail?: string;
}

/** A word to the user that passes. */
export interface Notice {
  id: string;
  level: Level;
  message: string;
  durationMs: number;
  progress?: number;
  /** The turn whose progress it is. */
  turnId?: string;
}

/** The picture before anything is known. */
export const EMPTY: ChatState = {
  log: [],
  firstSeq: 1,
  lastSeq: 0,
  readySeq: 0,
  timeline: [],
  variables: new Map(),
  approvals: [],
  queries: [],
  notices: [],
  windows: [],
};

/** A call's output before there is any. */
export const NO_OUTPUT: Output = { pieces: [], length: 0, ends: {}, cut: false };

/** Where a turn stands. */
export function standing(turn: Turn, busy: Busy | undefined): "waiting" | "running" | "ended" {
  if (turn.end) return "ended";
  return busy?.messageId === turn.id ? "running" : "waiting";
}

/** The calls of a turn, in order. */
export function callsOf(turn: Turn): Call[] {
  return turn.steps.filter((step): step is Call => step.kind === "call");
}

/** The last message that the user wrote, and that was answered. */
export function lastOwn(timeline: readonly Entry[]): Message | undefined {
  const turns = timeline.filter((entry) => entry.kind === "turn");
  return turns.findLast(({ end, id, messages: [first] }) => end && first && first.id === id && !first.prompt)?.messages[0];
}
