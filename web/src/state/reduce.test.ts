//! The reducer's claims: every frame is taken, replays change nothing, and what happened is what is shown.

/// <reference types="vite/client" />
import { describe, expect, it } from "vitest";
import type { ServerFrame, ServerMessage } from "../protocol/generated";
import { callsOf, EMPTY, standing, type ChatState, type Turn } from "./chat";
import { prepend } from "./pages";
import { dismiss, leavesHole, notify, reduce } from "./reduce";
import { asked, AT, chunk, failure, finish, fold, kept, message, passing, ready, reply, settled, start, thinking, variable } from "./test-frames";

const FIXTURES = import.meta.glob<ServerFrame>("../../../protocol/fixtures/*.json", { eager: true, import: "default" });
const SERVER_TYPES: Record<ServerMessage["type"], true> = {
  "session-ready": true, "session-update": true, "user-message": true, "agent-thinking": true, "agent-delta": true,
  "tool-call-start": true, "tool-output-chunk": true, "tool-call-end": true, "approval-request": true,
  "approval-resolved": true, "context-update": true, "context-state": true, "context-cleared": true,
  "sessions-update": true, "conversation-summary": true, "display-resource": true, "close-window": true, notification: true, "user-query": true,
  "query-resolved": true, "agent-response": true, "agent-error": true, "command-response": true, "command-error": true,
  "log-damaged": true, pong: true,
};

function turns(state: ChatState): Turn[] {
  return state.timeline.filter((entry): entry is Turn => entry.kind === "turn");
}

function turn(state: ChatState, id: string): Turn {
  const found = turns(state).find((entry) => entry.id === id);
  if (!found) throw new Error(`no turn ${id}`);
  return found;
}

describe("fixtures", () => {
  const served = Object.values(FIXTURES).filter((frame) => frame.type in SERVER_TYPES);

  it("there is one for every frame of the server", () => {
    expect(served.map((frame) => frame.type).sort()).toEqual(Object.keys(SERVER_TYPES).sort());
  });

  it.each(served.map((frame) => [frame.type, frame] as const))("%s is taken, frozen as it is", (_, frame) => {
    const before = deepFreeze(fold([ready()]));
    const after = reduce(before, deepFreeze(structuredClone(frame)));
    expect(after).toBeTypeOf("object");
    if (frame.seq !== undefined) expect(after.lastSeq).toBe(frame.seq);
  });

  it("all of them one after the other make a state", () => {
    const inOrder = served.filter(({ type }) => type !== "session-ready").sort((one, other) => (one.seq ?? 0) - (other.seq ?? 0));
    const state = fold(inOrder, fold([ready()]));
    expect(state.log.map((frame) => frame.seq)).toEqual([...new Set(inOrder.flatMap((frame) => frame.seq ?? []))]);
  });
});

describe("the log", () => {
  it("takes a durable frame once", () => {
    const frames = [ready(), message(1, "m1", "Hello"), thinking(2, "m1"), reply(3, "m1")];
    const once = fold(frames);
    expect(fold(frames.slice(1), once)).toEqual(once);
    expect(once.lastSeq).toBe(3);
  });

  it("knows when a frame would leave a hole", () => {
    const state = fold([ready(), message(1, "m1", "Hello")]);
    expect(leavesHole(state, thinking(2, "m1"))).toBe(false);
    expect(leavesHole(state, thinking(3, "m1"))).toBe(true);
    expect(leavesHole(state, chunk("m1", "c1", 0, "x"))).toBe(false);
  });

  it("begins at a snapshot, with its variables and title", () => {
    const snapshot = { variables: [variable("a")], title: "A title", openWindows: [], firstSeq: 41 };
    const state = fold([ready({ lastSeq: 42, resumed: true, snapshot }), message(41, "m9", "Hi"), reply(42, "m9")]);
    expect(state).toMatchObject({ firstSeq: 41, lastSeq: 42, title: "A title", variables: new Map([["a", variable("a")]]) });
  });

  it("drops what another session left behind", () => {
    const first = fold([ready(), message(1, "m1", "Hello")]);
    const other = reduce(first, ready({ sessionId: "22222222-4f0e-4a3f-9a51-2f1f0f2f9c11" }));
    expect(other.timeline).toEqual([]);
    expect(other.lastSeq).toBe(0);
  });

  it("keeps the timeline when the same session comes back", () => {
    const first = fold([ready(), message(1, "m1", "Hello"), reply(2, "m1")]);
    const again = reduce(first, ready({ lastSeq: 2, resumed: true }));
    expect(again.timeline).toEqual(first.timeline);
    expect(again.lastSeq).toBe(2);
  });
});

describe("a turn", () => {
  it("goes from its message over its steps to its reply", () => {
    const state = fold([ready(), message(1, "m1", "List"), thinking(2, "m1"), start(3, "m1", "c1"), finish(4, "m1", "c1"), reply(5, "m1")]);
    const only = turn(state, "m1");
    expect(only.messages.map(({ text }) => text)).toEqual(["List"]);
    expect(only.steps.map(({ kind }) => kind)).toEqual(["thought", "call"]);
    expect(only.end).toMatchObject({ type: "agent-response", text: "Done." });
    expect(standing(only, state.busy)).toBe("ended");
  });

  it("is running from its first step to its end", () => {
    const waiting = fold([ready(), message(1, "m1", "List")]);
    expect(waiting.busy).toBeUndefined();
    const running = reduce(waiting, thinking(2, "m1", "searching"));
    expect(running.busy).toEqual({ messageId: "m1", step: "searching" });
    const calling = reduce(running, start(3, "m1", "c1"));
    expect(calling.busy).toEqual({ messageId: "m1", step: "executing", tool: "bash" });
    const called = reduce(calling, finish(4, "m1", "c1"));
    expect(called.busy).toEqual({ messageId: "m1", step: "executing" });
    expect(reduce(called, failure(5, "m1")).busy).toBeUndefined();
  });

  it("is not ended by a refusal that names its message", () => {
    const running = fold([ready(), message(1, "m1", "List"), thinking(2, "m1")]);
    const said = { text: "No.", error: "no", code: "message-id-conflict", attemptedTools: [], suggestions: [], retryable: false };
    expect(reduce(running, passing("agent-error", said, "m1")).busy).toEqual(running.busy);
  });

  it("waits while another runs", () => {
    const state = fold([ready(), message(1, "m1", "One"), thinking(2, "m1"), message(3, "m2", "Two")]);
    expect(standing(turn(state, "m1"), state.busy)).toBe("running");
    expect(standing(turn(state, "m2"), state.busy)).toBe("waiting");
    expect(state.busy?.messageId).toBe("m1");
  });

  it("takes in a steered message when it ends", () => {
    const state = fold([ready(), message(1, "m1", "One"), thinking(2, "m1"), message(3, "m2", "And two", "steer"), reply(4, "m1", ["m1", "m2"])]);
    expect(turns(state).map(({ id }) => id)).toEqual(["m1"]);
    expect(turn(state, "m1").messages.map(({ id }) => id)).toEqual(["m1", "m2"]);
  });

  it("a steered message that came too late has a turn of its own", () => {
    const late = [ready(), message(1, "m1", "One"), thinking(2, "m1"), message(3, "m2", "And two", "steer"), reply(4, "m1"), thinking(5, "m2"), reply(6, "m2")];
    const state = fold(late);
    expect(turns(state).map(({ id, end }) => [id, end?.type])).toEqual([["m1", "agent-response"], ["m2", "agent-response"]]);
  });

  it("takes its message back from the turn that showed it", () => {
    const joined = kept(3, "user-message", { messageId: "m2", text: "Two", mode: "steer" }, "m1");
    const state = fold([ready(), message(1, "m1", "One"), thinking(2, "m1"), joined, thinking(4, "m2")]);
    expect(turns(state).map(({ messages }) => messages.map(({ id }) => id))).toEqual([["m1"], ["m2"]]);
  });

  it("is ended by a cancellation while it waits", () => {
    const state = fold([ready(), message(1, "m1", "One"), thinking(2, "m1"), message(3, "m2", "Two"), failure(4, "m2", "cancelled")]);
    expect(turn(state, "m2").end).toMatchObject({ type: "agent-error", code: "cancelled" });
    expect(state.busy?.messageId).toBe("m1");
  });

  it("stops the calls that ran when it ended", () => {
    const state = fold([ready(), message(1, "m1", "Go"), start(2, "m1", "c1"), failure(3, "m1", "interrupted")]);
    expect(callsOf(turn(state, "m1")).map(({ status }) => status)).toEqual(["failed"]);
  });

  it("is shown as far as it is known when its beginning is not held", () => {
    const snapshot = { variables: [], openWindows: [], firstSeq: 8 };
    const state = fold([ready({ lastSeq: 9, resumed: true, snapshot }), finish(8, "m1", "c1"), reply(9, "m1")]);
    expect(turn(state, "m1")).toMatchObject({ messages: [], steps: [{ id: "c1", status: "done" }] });
  });
});

describe("a reply being written", () => {
  const running = fold([ready(), message(1, "m1", "Go"), thinking(2, "m1")]);
  const delta = (offset: number, text: string): ServerFrame => passing("agent-delta", { offset, text }, "m1");

  it("grows by its deltas, counted in bytes", () => {
    const state = fold([delta(0, "Größe"), delta(7, ": 3")], running);
    expect(turn(state, "m1").draft).toEqual({ text: "Größe: 3", end: 10 });
    expect(state.busy?.step).toBe("responding");
  });

  it("shows nothing twice", () => {
    const state = fold([delta(0, "Hel"), delta(3, "lo"), delta(3, "lo!")], running);
    expect(turn(state, "m1").draft?.text).toBe("Hello!");
  });

  it("begins anew when the server does", () => {
    const state = fold([delta(0, "First try"), delta(0, "Second")], running);
    expect(turn(state, "m1").draft?.text).toBe("Second");
  });

  it("is given up when the agent goes on with a tool instead", () => {
    const chosen = fold([delta(0, "I will read it."), thinking(3, "m1", "selecting")], running);
    const decided = fold([delta(0, "It says hello."), thinking(3, "m1", "deciding")], running);
    expect(turn(chosen, "m1").draft).toBeUndefined();
    expect(turn(decided, "m1").draft?.text).toBe("It says hello.");
  });

  it("is dropped on a new connection, which sends it again", () => {
    const again = fold([delta(0, "Hel"), ready({ lastSeq: 2, resumed: true, busy: { messageId: "m1", step: "responding" } })], running);
    expect(turn(again, "m1").draft).toBeUndefined();
    expect(turn(fold([delta(0, "Hello")], again), "m1").draft?.text).toBe("Hello");
  });

  it("gives way to the reply", () => {
    const state = fold([delta(0, "Hel"), reply(3, "m1", ["m1"], "Hello")], running);
    expect(turn(state, "m1").draft).toBeUndefined();
  });
});

describe("a call", () => {
  const begun = fold([ready(), message(1, "m1", "Go"), thinking(2, "m1")]);

  it("asks, is allowed, runs and ends", () => {
    const states = [asked(3, "m1", "c1"), settled(4, "m1", "c1", "allow-once"), start(5, "m1", "c1"), finish(6, "m1", "c1")].map(
      ((state) => (frame: ServerFrame) => (state = reduce(state, frame)))(begun),
    );
    expect(states.map((state) => callsOf(turn(state, "m1")).map(({ status }) => status))).toEqual([["asking"], ["starting"], ["running"], ["done"]]);
    expect(states.map((state) => state.approvals.length)).toEqual([1, 0, 0, 0]);
    expect(callsOf(turn(states[3] ?? EMPTY, "m1"))[0]?.approval).toMatchObject({ decision: "allow-once", by: "user" });
  });

  it("that was denied has failed and is not asked about any more", () => {
    const state = fold([asked(3, "m1", "c1"), settled(4, "m1", "c1", "deny")], begun);
    expect(callsOf(turn(state, "m1"))[0]?.status).toBe("failed");
    expect(state.approvals).toEqual([]);
  });

  it("joins its output and keeps the latest progress", () => {
    const state = fold([start(3, "m1", "c1"), chunk("m1", "c1", 0, "a\n"), chunk("m1", "c1", 0, "bad\n", "stderr"), chunk("m1", "c1", 2, "b\n"), chunk("m1", "c1", 0, "10 %\r20 %", "progress")], begun);
    const output = callsOf(turn(state, "m1"))[0]?.output;
    expect(output).toMatchObject({ pieces: [{ stream: "stdout", text: "a\n" }, { stream: "stderr", text: "bad\n" }, { stream: "stdout", text: "b\n" }], progress: "20 %" });
  });

  it("that starts again after a restart has its output from the beginning", () => {
    const state = fold([start(3, "m1", "c1"), chunk("m1", "c1", 0, "old"), start(4, "m1", "c1"), chunk("m1", "c1", 0, "new")], begun);
    expect(callsOf(turn(state, "m1"))[0]?.output.pieces).toEqual([{ stream: "stdout", text: "new" }]);
  });

  it("of the user stands outside any turn", () => {
    const state = fold([start(3, undefined, "c9", "file_write"), finish(4, undefined, "c9")], begun);
    expect(state.timeline.at(-1)).toMatchObject({ kind: "loose-call", call: { tool: "file_write", status: "done" } });
    expect(state.busy).toEqual(begun.busy);
  });
});

describe("what waits for the user", () => {
  it("is what session-ready says, whatever the replay brings", () => {
    const question = passing("user-query", { queryId: "q1", kind: "query", message: "Which?", expiresAt: AT });
    const pending = [question];
    const state = fold([ready({ lastSeq: 4, resumed: true, pending }), message(1, "m1", "Go"), thinking(2, "m1"), asked(3, "m1", "c1"), settled(4, "m1", "c1", "deny")]);
    expect(state.queries).toEqual([question]);
    expect(state.approvals).toEqual([]);
    const early = fold([ready({ lastSeq: 4, resumed: true }), message(1, "m1", "Go"), thinking(2, "m1"), asked(3, "m1", "c1")]);
    expect(early.approvals).toEqual([]);
    expect(early.busy).toBeUndefined();
  });

  it("a question is there until it is resolved, in the timeline as well", () => {
    const query = kept(3, "user-query", { queryId: "q1", kind: "query", message: "Which?", expiresAt: AT }, "m1");
    const open = fold([ready(), message(1, "m1", "Go"), thinking(2, "m1"), query]);
    expect(open.queries).toEqual([query]);
    const done = reduce(open, kept(4, "query-resolved", { queryId: "q1", answer: "this" }, "m1"));
    expect(done.queries).toEqual([]);
    expect(turn(done, "m1").steps.at(-1)).toMatchObject({ kind: "asked", resolved: true, answer: "this" });
  });

  it("what a turn asks about its plan is answered by the next one", () => {
    const query = kept(3, "user-query", { queryId: "q1", kind: "plan", message: "Do you mean this?", expiresAt: AT }, "m1");
    const open = fold([ready(), message(1, "m1", "Go"), thinking(2, "m1"), query, reply(4, "m1")]);
    expect(open.queries).toEqual([query]);
    const done = fold([message(5, "m2", "yes"), thinking(6, "m2"), kept(7, "query-resolved", { queryId: "q1", answer: "yes" }, "m2")], open);
    expect(done.queries).toEqual([]);
    expect(turn(done, "m1").steps.at(-1)).toMatchObject({ kind: "asked", resolved: true, answer: "yes" });
  });
});

describe("the context", () => {
  it("follows its updates", () => {
    const state = fold([
      ready(),
      kept(1, "context-update", { set: [variable("a"), variable("b")], removed: [] }),
      kept(2, "context-update", { set: [variable("a", 2)], removed: ["b"] }),
    ]);
    expect([...state.variables.values()]).toEqual([variable("a", 2)]);
  });

  it("is empty after a clearing, and the conversation says so", () => {
    const state = fold([ready(), kept(1, "context-update", { set: [variable("a")], removed: [] }), kept(2, "context-cleared", {})]);
    expect(state.variables.size).toBe(0);
    expect(state.timeline).toMatchObject([{ kind: "note" }]);
  });

  it("is what context-state says", () => {
    const said = { variables: [variable("z")], operationHistory: [], chatHistoryLength: 0, openWindows: [] };
    expect(reduce(fold([ready()]), passing("context-state", said)).variables.get("z")).toEqual(variable("z"));
  });

  it("a variable named like a part of an object is a variable", () => {
    const state = fold([ready(), kept(1, "context-update", { set: [variable("constructor"), variable("__proto__")], removed: [] })]);
    expect([...state.variables.keys()]).toEqual(["constructor", "__proto__"]);
    expect(state.variables.get("toString")).toBeUndefined();
  });
});

describe("passing words", () => {
  it("are news, never history", () => {
    const said = { notificationId: "n1", level: "info" as const, message: "Built", durationMs: 3000 };
    expect(fold([ready({ lastSeq: 1, resumed: true }), kept(1, "notification", said)]).notices).toEqual([]);
    const state = fold([ready(), kept(1, "notification", said), kept(2, "notification", { ...said, message: "Built again" })]);
    expect(state.notices.map(({ message: words }) => words)).toEqual(["Built again"]);
    expect(dismiss(state, "n1").notices).toEqual([]);
  });

  const progress = { notificationId: "p1", level: "progress" as const, message: "Half way", durationMs: 0, progress: 0.5 };

  it.each([["answered", reply(4, "m1")], ["failed", failure(4, "m1")]])("of progress end with their turn, also where it %s while there was no connection", (_, end) => {
    const running = fold([ready(), message(1, "m1", "Build"), thinking(2, "m1"), kept(3, "notification", progress, "m1")]);
    expect(running.notices.map(({ id }) => id)).toEqual(["p1"]);

    const again = fold([ready({ lastSeq: 4, resumed: true }), end], running);

    expect(again.notices).toEqual([]);
  });

  it("that stay are there once, however often the page connects", () => {
    const snapshot = { variables: [], openWindows: [], firstSeq: 1, notifications: [progress] };
    const connected = ready({ lastSeq: 0, snapshot });
    expect(fold([connected, connected]).notices.map(({ id }) => id)).toEqual(["p1"]);
  });

  it("tell of refused frames, with what to do", () => {
    const said = { text: "The field text is missing.", error: "missing field", code: "protocol-field", path: "text", attemptedTools: [], suggestions: ["Add it."], retryable: false };
    expect(reduce(fold([ready()]), passing("agent-error", said)).notices).toMatchObject([{ level: "error", message: "The field text is missing. Add it." }]);
  });

  it("are five at most", () => {
    const many = Array.from({ length: 9 }, (_, at) => ({ id: `n${at}`, level: "info" as const, message: "", durationMs: 0 }));
    expect(many.reduce(notify, EMPTY).notices.map(({ id }) => id)).toEqual(["n4", "n5", "n6", "n7", "n8"]);
  });
});

describe("commands, summaries, windows, titles", () => {
  it("a command stands with its answer", () => {
    const state = fold([ready(), kept(1, "command-response", { command: "help", text: "…" }, "m1"), kept(2, "command-error", { command: "save", text: "A name is missing.", usage: "/save <name>" }, "m2")]);
    expect(state.timeline).toMatchObject([{ kind: "command", command: "help", ok: true }, { kind: "command", ok: false, usage: "/save <name>" }]);
  });

  it("a summary is a visible line", () => {
    expect(fold([ready(), kept(1, "conversation-summary", { text: "They talked.", fromSeq: 1, toSeq: 9 })]).timeline).toMatchObject([{ kind: "note", detail: "They talked." }]);
  });

  it("a window opens once and closes", () => {
    const window = { windowId: "w1", viewerType: "editor" as const, title: "a.txt", resource: { handle: "file:a.txt", mimeType: "text/plain", bytes: 1 } };
    const open = fold([ready(), message(1, "m1", "Show"), kept(2, "display-resource", window, "m1"), kept(3, "display-resource", window, "m1")]);
    expect(open.windows).toEqual([window]);
    expect(reduce(open, kept(4, "close-window", { windowId: "w1" }, "m1")).windows).toEqual([]);
  });

  it("the session's facts change by updates", () => {
    const state = fold([ready(), kept(1, "session-update", { title: "Ports" }), kept(2, "session-update", { contextTokens: { used: 5, limit: 10 } })]);
    expect(state).toMatchObject({ title: "Ports", tokens: { used: 5, limit: 10 }, reasoner: { kind: "rules" } });
  });
});

describe("a damaged log", () => {
  it("is damaged until the next connection, which says it anew", () => {
    const state = fold([ready({ lastSeq: 1, generation: "g-1" }), message(1, "m1", "Hi"), passing("log-damaged", { fromSeq: 2, text: "…" })]);
    expect(state).toMatchObject({ damagedFrom: 2, generation: "g-1", lastSeq: 1 });
    expect(reduce(state, ready({ lastSeq: 1 })).damagedFrom).toBeUndefined();
  });
});

describe("an older page", () => {
  const snapshot = { variables: [variable("a")], openWindows: [], firstSeq: 5 };
  const tail = fold([ready({ lastSeq: 6, resumed: true, busy: { messageId: "m1", step: "executing" }, snapshot }), start(5, "m1", "c2"), chunk("m1", "c2", 0, "live"), message(6, "m2", "Next")]);

  it("completes a turn that was cut, keeps its live output, and leaves the context alone", () => {
    const older = [message(1, "m1", "Go"), thinking(2, "m1"), kept(3, "context-update", { set: [variable("old")], removed: [] }), thinking(4, "m1", "selecting")];
    const whole = prepend(tail, older);
    expect(turns(whole).map(({ id }) => id)).toEqual(["m1", "m2"]);
    expect(turn(whole, "m1").steps.map(({ kind }) => kind)).toEqual(["thought", "thought", "call"]);
    expect(callsOf(turn(whole, "m1"))[0]?.output.pieces).toEqual([{ stream: "stdout", text: "live" }]);
    expect(whole).toMatchObject({ firstSeq: 1, lastSeq: 6, variables: new Map([["a", variable("a")]]), busy: tail.busy });
  });

  it("that is empty means the beginning is reached", () => {
    expect(prepend(tail, []).firstSeq).toBe(1);
  });

  it("does not take again what is held", () => {
    expect(prepend(tail, [thinking(4, "m1"), start(5, "m1", "c2")]).log.map(({ seq }) => seq)).toEqual([4, 5, 6]);
  });
});

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}
