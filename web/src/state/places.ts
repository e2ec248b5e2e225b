//! Where an event of the log stands in the conversation.

import type { ServerFrame } from "../protocol/generated";
import type { ChatState } from "./chat";

/** A place in the conversation. */
export interface Place {
  /** Which entry of the timeline. */
  at: number;
  /** The turn's id. */
  turn: string;
  /** Which of the turn's messages, or its reply. */
  part: number | "reply";
}

/** Where the event stands, if it is a message or a reply that is held. */
export function placeOf({ log, timeline }: ChatState, seq: number): Place | undefined {
  const frame = log.find((held) => held.seq === seq);
  const ids = frame ? idsOf(frame) : [];
  const at = timeline.findIndex((entry) => entry.kind === "turn" && (ids.includes(entry.id) || entry.messages.some(({ id }) => ids.includes(id))));
  // Whoever wants the beginning means what stands there, though the first event be no message.
  const first = seq === 1 && frame && at < 0 ? timeline.findIndex(({ kind }) => kind === "turn") : at;
  const turn = timeline[first];
  if (turn?.kind !== "turn") return undefined;
  const message = frame?.type === "user-message" ? turn.messages.findIndex(({ id }) => id === frame.messageId) : -1;
  return { at: first, turn: turn.id, part: message < 0 ? "reply" : message };
}

function idsOf(frame: ServerFrame): string[] {
  if (frame.type === "user-message") return [frame.messageId];
  if (frame.type !== "agent-response" && frame.type !== "agent-error") return [];
  return frame.turnId === undefined ? [...(frame.messageIds ?? [])] : [frame.turnId];
}
