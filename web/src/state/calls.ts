//! One call of a tool, from the question whether it may run to what it came to. Each frame about it gives the
//! call anew; a call whose start is not held is made from whatever frame comes first.

import type { ServerFrameOf } from "../protocol/generated";
import { NO_OUTPUT, type Call } from "./chat";
import { appendOutput } from "./output";

type CallFrame = ServerFrameOf<
  "tool-call-start" | "tool-call-end" | "tool-output-chunk" | "approval-request" | "approval-resolved"
>;

/** The call after one more frame; `undefined` if the frame says too little to make one. */
export function updateCall(held: Call | undefined, frame: CallFrame): Call | undefined {
  switch (frame.type) {
    case "approval-request": {
      const { tool, module, risk, reason } = frame;
      const call = held ?? blank(frame.callId, tool, module);
      return { ...call, arguments: frame.arguments, status: "asking", approval: { risk, reason } };
    }
    case "approval-resolved": {
      if (!held) return undefined;
      const { decision, by } = frame;
      const allowed = decision === "allow-once" || decision === "allow-session";
      const approval = { ...(held.approval ?? { risk: "execute", reason: "" }), decision, by };
      return { ...held, approval, status: held.result ? held.status : allowed ? "starting" : "failed" };
    }
    case "tool-call-start": {
      const { tool, module, title, quiet, references, parentCallId } = frame;
      const call = held ?? blank(frame.callId, tool, module);
      const known = { tool, module, title, quiet: quiet ?? false, references, parent: parentCallId };
      return { ...call, ...known, arguments: frame.arguments, status: "running", output: NO_OUTPUT, result: undefined };
    }
    case "tool-output-chunk":
      return held && { ...held, output: appendOutput(held.output, frame) };
    case "tool-call-end": {
      const { tool, started, preview, outputVariable, durationMs, undoable, error, errorType, diff, fields, pictures } = frame;
      const call = held ?? blank(frame.callId, tool, "");
      const result = { started, preview, outputVariable, durationMs, undoable, error, errorType, diff, fields, pictures };
      return { ...call, status: frame.success ? "done" : "failed", result };
    }
  }
}

/** The call after another one, `by`, that put back the changes of the calls `undid`. */
updateCall.undone = (call: Call, by: string, undid: readonly string[]): Call => {
  if (undid.includes(call.id)) return { ...call, undoneBy: by };
  // What had put it back was put back itself: the change is there again.
  return call.undoneBy !== undefined && undid.includes(call.undoneBy) ? { ...call, undoneBy: undefined } : call;
};

/** The call after its value was kept in a variable. */
updateCall.kept = (call: Call, name: string, version: number): Call => ({ ...call, kept: { name, version } });

/** A running call without its live output, which the server sends again. */
updateCall.forget = (call: Call): Call => ({ ...call, output: NO_OUTPUT });

/** A call of a turn that is over: it cannot run any more. */
updateCall.settle = (call: Call): Call => (call.result || call.status === "failed" ? call : { ...call, status: "failed" });

function blank(id: string, tool: string, module: string): Call {
  return { kind: "call", id, tool, module, quiet: false, arguments: {}, status: "starting", output: NO_OUTPUT };
}
