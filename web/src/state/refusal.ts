//! Calls that were not allowed or were stopped: that is an answer of the user, not a fault. What the server says of them
//! is written for the model; here it becomes who did not allow it, and the user's own words.

import { callsOf, type Call, type Turn, type TurnEnd } from "./chat";

/** Who did not allow a call. */
export interface Refusal {
  by: "user" | "time" | "rule";
  /** The user's reason, or what the rule says. */
  words?: string;
}

/** A turn that ended because one of its calls was not allowed. */
export interface RefusedTurn extends Refusal {
  call: Call;
  /** What had been done before. */
  done: readonly Call[];
}

/** Ends that the user wanted, or that are nobody's fault. */
const STOPPED = ["cancelled", "interrupted"];

const USERS_WORDS = /: the user did not allow it: (.+)$/s;
const RULES_WORDS = /\): ((?:the rule |its definition ).+)$/s;

/** Why the call was not allowed; `undefined` if it was, or was never asked about. */
export function refusalOf({ approval, result }: Call): Refusal | undefined {
  if (result?.started) return undefined;
  if (approval?.decision === "deny") return { by: "user", words: USERS_WORDS.exec(result?.error ?? "")?.[1] };
  if (approval?.decision === "expired") return { by: "time" };
  const ruled = result?.errorType === "permission_error" ? RULES_WORDS.exec(result.error) : undefined;
  return ruled ? { by: "rule", words: ruled[1] } : undefined;
}

/** Whether the call ended because the user stopped it. */
export function wasStopped({ status, approval, result }: Call): boolean {
  if (status !== "failed") return false;
  return !result || approval?.decision === "cancelled" || /\): was cancelled$/.test(result.error);
}

/** Whether the turn ended as the user wanted. */
export function endedCalmly(end: TurnEnd | undefined): boolean {
  return end?.type === "agent-error" && STOPPED.includes(end.code);
}

/** What was not allowed, if the turn ended by it. */
export function refusedTurn(turn: Turn): RefusedTurn | undefined {
  if (turn.end?.type !== "agent-error" || endedCalmly(turn.end)) return undefined;
  const calls = callsOf(turn);
  const call = calls.findLast(({ status, parent }) => status === "failed" && parent === undefined);
  const refusal = call && refusalOf(call);
  return refusal && { ...refusal, call, done: calls.filter(({ status, parent }) => status === "done" && parent === undefined) };
}
