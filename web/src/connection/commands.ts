//! Builders of what a client says, so that components never spell a frame themselves.

import type { ApprovalAnswer, ClientFrame, JsonValue } from "../protocol/generated";
import type { Outgoing } from "./outbox";

/** Arguments of a call. */
export type Arguments = { [key in string]: JsonValue };

/** Starts a turn, waits for one, joins it or replaces it. */
export function sendMessage({ messageId, text, mode, at, attachments }: Outgoing): ClientFrame {
  return { type: "send-message", messageId, text, mode, timestamp: at, ...(attachments && { attachments: [...attachments] }) };
}

/** Stops one message's turn, or the running one and all that wait. */
export function cancel(messageId?: string): ClientFrame {
  return messageId === undefined ? { type: "cancel" } : { type: "cancel", messageId };
}

/** Answers an approval. */
export function approveTool(callId: string, decision: ApprovalAnswer, edited?: Arguments, reason?: string): ClientFrame {
  return {
    type: "approve-tool",
    callId,
    decision,
    ...(edited ? { arguments: edited } : {}),
    ...(reason ? { reason } : {}),
  };
}

/** Answers a question, or dismisses it. */
export function answerQuery(queryId: string, answer?: JsonValue): ClientFrame {
  return answer === undefined ? { type: "answer-query", queryId } : { type: "answer-query", queryId, answer };
}

/** Runs a tool by the user's own hand. */
export function callTool(callId: string, tool: string, values: Arguments): ClientFrame {
  return { type: "call-tool", callId, tool, arguments: values };
}

/** Says that the user closed a window. */
export function windowClosed(windowId: string): ClientFrame {
  return { type: "window-closed", windowId };
}

/** Sets a variable. */
export function setVariable(name: string, value: JsonValue): ClientFrame {
  return { type: "set-variable", name, value };
}

/** Renames a variable. */
export function renameVariable(name: string, newName: string): ClientFrame {
  return { type: "rename-variable", name, newName };
}

/** Deletes a variable. */
export function deleteVariable(name: string): ClientFrame {
  return { type: "delete-variable", name };
}

/** Asks whether the other end is there. */
export function ping(): ClientFrame {
  return { type: "ping" };
}
