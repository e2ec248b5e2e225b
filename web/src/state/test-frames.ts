//! Short ways to write frames in tests.

import type { ServerFrame, ServerFrameOf, ServerMessage, Variable } from "../protocol/generated";
import type { ChatState } from "./chat";
import { EMPTY } from "./chat";
import { reduce } from "./reduce";

export const AT = "2026-03-02T09:15:04.127Z";

/** A message without its envelope. */
type Said<T extends ServerMessage["type"]> = Omit<ServerFrameOf<T>, "seq" | "timestamp" | "turnId" | "type">;

/** A durable frame. */
export function kept<T extends ServerMessage["type"]>(seq: number, type: T, said: Said<T>, turnId?: string): ServerFrame {
  return { type, ...said, seq, timestamp: AT, ...(turnId ? { turnId } : {}) } as unknown as ServerFrame;
}

/** A frame that is not kept. */
export function passing<T extends ServerMessage["type"]>(type: T, said: Said<T>, turnId?: string): ServerFrame {
  return { type, ...said, timestamp: AT, ...(turnId ? { turnId } : {}) } as unknown as ServerFrame;
}

export function fold(frames: readonly ServerFrame[], from: ChatState = EMPTY): ChatState {
  return frames.reduce(reduce, from);
}

export function ready(said: Partial<Said<"session-ready">> = {}): ServerFrame {
  return passing("session-ready", {
    sessionId: "6b0d2c62-4f0e-4a3f-9a51-2f1f0f2f9c11",
    lastSeq: 0,
    resumed: false,
    protocolVersion: 1,
    reasoner: { kind: "rules" },
    pending: [],
    ...said,
  });
}

export function message(seq: number, id: string, text: string, mode: "queue" | "steer" | "interrupt" = "queue"): ServerFrame {
  return kept(seq, "user-message", { messageId: id, text, mode }, id);
}

export function thinking(seq: number, turnId: string, step: Said<"agent-thinking">["step"] = "analyzing"): ServerFrame {
  return kept(seq, "agent-thinking", { step, message: `It is ${step}` }, turnId);
}

export function start(seq: number, turnId: string | undefined, callId: string, tool = "bash"): ServerFrame {
  return kept(seq, "tool-call-start", { callId, tool, module: "shell", arguments: { command: "ls" } }, turnId);
}

export function finish(seq: number, turnId: string | undefined, callId: string, error = ""): ServerFrame {
  const said = { callId, tool: "bash", started: true, success: error === "", preview: ["a", "b"], durationMs: 12, undoable: false, error };
  return kept(seq, "tool-call-end", said, turnId);
}

export function asked(seq: number, turnId: string, callId: string): ServerFrame {
  const said = { callId, tool: "bash", module: "shell", arguments: { command: "ls" }, risk: "execute" as const, reason: "it runs a program", undoable: false, expiresAt: AT };
  return kept(seq, "approval-request", said, turnId);
}

export function settled(seq: number, turnId: string, callId: string, decision: "allow-once" | "deny"): ServerFrame {
  return kept(seq, "approval-resolved", { callId, decision, by: "user" }, turnId);
}

export function chunk(turnId: string, callId: string, offset: number, text: string, stream: "stdout" | "stderr" | "progress" = "stdout"): ServerFrame {
  return passing("tool-output-chunk", { callId, stream, offset, chunk: text }, turnId);
}

export function reply(seq: number, turnId: string, messageIds = [turnId], text = "Done."): ServerFrame {
  const said = { messageIds, text, toolsUsed: [], contextUpdated: [], reasoning: "", operationCount: 0, complete: true };
  return kept(seq, "agent-response", said, turnId);
}

export function failure(seq: number, turnId: string, code = "tool-failed"): ServerFrame {
  const said = { messageIds: [turnId], text: "It failed.", error: "it failed", code, attemptedTools: [], suggestions: [], retryable: false };
  return kept(seq, "agent-error", said, turnId);
}

export function variable(name: string, version = 1): Variable {
  return { name, version, type: "text", preview: name, bytes: name.length, origin: { tool: "user", inputs: [] }, stale: false };
}
