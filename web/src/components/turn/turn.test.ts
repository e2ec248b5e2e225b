//! What stands in a turn: messages, one timeline, the reply and what stands under it; and that none of it does
//! anything. Runs in a DOM: @vitest-environment jsdom

import { html } from "lit";
import { describe, expect, it, vi } from "vitest";
import type { Busy, ServerFrame } from "../../protocol/generated";
import type { Turn } from "../../state/chat";
import { asked, chunk, failure, finish, fold, kept, message, ready, reply, settled as resolved, start, thinking } from "../../state/test-frames";
import { all, button, heard, mount, settled, words } from "../test-dom";
import "../pictures/pictures";
import type { TurnElement } from "./turn";
import "./turn";

async function shown(...frames: ServerFrame[]): Promise<TurnElement> {
  const state = fold([ready(), ...frames]);
  return element(state.timeline[0] as Turn, state.busy);
}

async function element(turn: Turn, busy: Busy | undefined): Promise<TurnElement> {
  return mount<TurnElement>(html`<sb-turn .turn=${turn} .busy=${busy}></sb-turn>`);
}

const answer = {
  messageIds: ["m1"], text: "The port is **8080**.", toolsUsed: ["file_read", "json_parse"], contextUpdated: ["file_content", "parsed_data"],
  reasoning: "It stands in the file.", operationCount: 2, complete: true,
};

describe("a reply", () => {
  it("has the tools, the variables and the reasoning under it", async () => {
    const turn = await shown(message(1, "m1", "Port?"), kept(2, "agent-response", answer, "m1"));
    expect(words(turn)).toContain("Tools used: file_read, json_parse");
    expect(words(turn)).toContain("Stored: file_content parsed_data");
    expect(all(turn, "details.why")[0]?.textContent).toContain("It stands in the file.");
  });

  it("opens a variable by a click on its name", async () => {
    const turn = await shown(message(1, "m1", "Port?"), kept(2, "agent-response", answer, "m1"));
    const opened = heard(turn, "sb-open-variable");
    button(turn, "parsed_data").click();
    expect(opened).toEqual([{ name: "parsed_data" }]);
  });

  it("without tools has no timeline, no tools and no variables", async () => {
    const turn = await shown(message(1, "m1", "Hello"), thinking(2, "m1"), reply(3, "m1"));
    expect(words(turn)).toBe("You: Hello Done.");
  });
});

describe("what belongs to a message", () => {
  it("is listed, and opens as it was then", async () => {
    const turn = await shown(kept(1, "user-message", { messageId: "m1", text: "Look", mode: "queue", attachments: [{ name: "cat", version: 2, type: "bytes", bytes: 70 }] }, "m1"));
    const opened = heard(turn, "sb-show");
    button(turn, "Open cat in a window").click();
    expect(opened).toEqual([{ handle: "var:cat@2" }]);
    expect(all(await shown(message(1, "m1", "Look")), ".attachments")).toHaveLength(0);
  });
});

describe("a message with several versions", () => {
  const at = (sessionId: string, seq: number) => ({ messageId: `m${seq}`, sessionId, seq });
  const versions = [at("a", 1), at("b", 2), at("c", 3)];

  it("says which one this is, and leads to those beside it", async () => {
    const turn = await shown(message(1, "m1", "Port?"), reply(2, "m1"));
    expect(all(turn, ".versions")).toHaveLength(0);
    turn.versions = new Map(versions.map((version) => [version.messageId, versions]));
    await settled(turn);
    expect(all(turn, ".versions")[0]?.getAttribute("aria-label")).toBe("Version 1 of 3");
    const opened = heard(turn, "sb-branch");
    button(turn, "Previous version of this message").click();
    button(turn, "Next version of this message").click();
    expect(opened).toEqual([{ sessionId: "b", seq: 2, step: 1, below: 0 }]);
  });

  it("has the keyboard on the way on, and at the last one on the way back", async () => {
    const turn = await shown(message(1, "m3", "Port?"), reply(2, "m3"));
    turn.versions = new Map([["m3", versions]]);
    await settled(turn);
    turn.focusVersions(0, 1);
    expect(turn.shadowRoot?.activeElement?.getAttribute("aria-label")).toBe("Previous version of this message");
  });
});

describe("a chart", () => {
  const made = kept(3, "tool-call-end", {
    callId: "c1", tool: "make_chart", started: true, success: true, preview: [], durationMs: 1, undoable: false, error: "", outputVariable: "chart", fields: { viewer: "chart", points: 2 },
  }, "m1");
  const held = kept(4, "context-update", {
    set: [{ name: "chart", version: 2, type: "object", preview: "{}", bytes: 2, origin: { callId: "c1", tool: "make_chart", inputs: [] }, stale: false }], removed: [],
  }, "m1");

  it("stands in the reply, in the version that the call made", async () => {
    const turn = await shown(message(1, "m1", "Plot it"), start(2, "m1", "c1", "make_chart"), made, held, reply(5, "m1"));
    expect((all(turn, "sb-chart")[0] as unknown as { handle: string }).handle).toBe("var:chart@2");
  });

  it("is none where nothing was kept", async () => {
    const turn = await shown(message(1, "m1", "Plot it"), start(2, "m1", "c1", "make_chart"), made, reply(5, "m1"));
    expect(all(turn, "sb-chart")).toHaveLength(0);
  });
});

describe("a turn that changed files", () => {
  const change = (seq: number, id: string, error = "") =>
    kept(seq, "tool-call-end", {
      callId: id, tool: "file_edit", started: true, success: error === "", preview: [], durationMs: 1, undoable: error === "", error,
      diff: "--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-old\n+new\n+more\n",
    }, "m1");
  const work = [
    message(1, "m1", "Edit"), start(2, "m1", "c1"), change(3, "c1"), start(4, "m1", "c2"), change(5, "c2"),
    start(6, "m1", "c3"), change(7, "c3", "file_edit(): no"), reply(8, "m1"),
  ];
  const undo = (seq: number, undid: string[]) =>
    kept(seq, "tool-call-end", { callId: `u${seq}`, tool: "file_undo", started: true, success: true, preview: [], durationMs: 1, undoable: true, error: "", undid });

  it("says so under its reply and puts back all that is still there", async () => {
    const turn = await shown(...work);
    const undone = heard(turn, "sb-undo");
    expect(words(turn)).toContain("Changed files Lines: +4 −2 Undo");
    button(turn, "Undo").click();
    expect(undone).toEqual([{ callIds: ["c1", "c2"] }]);
  });

  it("offers it too for a command that failed and changed files all the same", async () => {
    const end = { callId: "c1", tool: "bash", started: true, success: false, preview: [], durationMs: 1, undoable: true, error: "exit code 1" };
    const turn = await shown(message(1, "m1", "Run it"), start(2, "m1", "c1"), kept(3, "tool-call-end", end, "m1"), reply(4, "m1"));
    const undone = heard(turn, "sb-undo");
    button(turn, "Undo").click();
    expect(undone).toEqual([{ callIds: ["c1"] }]);
  });

  it("offers what is left, and nothing once all was put back", async () => {
    const half = await shown(...work, undo(9, ["c2"]));
    const undone = heard(half, "sb-undo");
    button(half, "Undo").click();
    expect(undone).toEqual([{ callIds: ["c1"] }]);
    const all = await shown(...work, undo(9, ["c2", "c1"]));
    expect(words(all)).toContain("Undone: the files are as they were before.");
    expect(() => button(all, "Undo")).toThrow();
  });
});

describe("the timeline", () => {
  const work = [message(1, "m1", "Go"), thinking(2, "m1"), start(3, "m1", "c1")];

  it("is open while the turn runs and folded after it", async () => {
    const running = await shown(...work);
    expect(words(running)).toContain("Running bash");
    expect(words(running)).toContain("It is analyzing");
    const ended = await shown(...work, finish(4, "m1", "c1"), reply(5, "m1"));
    expect(words(ended)).toContain("2 steps · 1 tool call · 12 ms");
    expect(words(ended)).not.toContain("It is analyzing");
  });

  it("opens by a click and stays as the user left it", async () => {
    const turn = await shown(...work, finish(4, "m1", "c1"), reply(5, "m1"));
    all(turn, "sb-timeline summary")[0]?.click();
    (turn.renderRoot.querySelector("sb-timeline")?.shadowRoot?.querySelector("summary") as HTMLElement).click();
    await settled(turn);
    expect(words(turn)).toContain("It is analyzing");
    turn.turn = { ...turn.turn };
    await settled(turn);
    expect(words(turn)).toContain("It is analyzing");
  });

  it("stays open when the turn failed, with the error and what to do", async () => {
    const failed = { messageIds: ["m1"], text: "It failed.", error: "exactly so", code: "tool-failed", attemptedTools: ["bash"], suggestions: ["Try ls."], retryable: false };
    const turn = await shown(...work, finish(4, "m1", "c1", "bash(): no such file"), kept(5, "agent-error", failed, "m1"));
    for (const part of ["It is analyzing", "bash(): no such file", "Try ls.", "Tools tried: bash", "exactly so"]) expect(words(turn)).toContain(part);
  });

  it("shows what a call was allowed and what came of it", async () => {
    const turn = await shown(message(1, "m1", "Go"), asked(2, "m1", "c1"), resolved(3, "m1", "c1", "deny"), failure(4, "m1"));
    for (const summary of ["sb-timeline summary", "sb-tool-call summary"]) {
      all(turn, summary.split(" ")[1] ?? "").at(summary.startsWith("sb-timeline") ? 0 : -1)?.click();
      await settled(turn);
    }
    expect(words(turn)).toContain("Not allowed");
    expect(words(turn)).toContain("Permission: denied (user)");
  });
});

describe("a message that waits", () => {
  it.each([
    ["queue", "Waiting for the current turn to end"],
    ["steer", "Joins the current turn at its next step"],
    ["interrupt", "Begins as soon as the current turn has stopped"],
  ] as const)("says so (%s) and can be removed", async (mode, said) => {
    const state = fold([ready(), message(1, "m1", "One"), thinking(2, "m1"), message(3, "m2", "Two", mode)]);
    const turn = await element(state.timeline[1] as Turn, state.busy);
    expect(words(turn)).toContain(said);
    const cancelled = heard(turn, "sb-cancel");
    button(turn, "Remove").click();
    expect(cancelled).toEqual([{ messageId: "m2" }]);
  });
});

describe("live output", () => {
  it("is in the page only as far as its newest part", async () => {
    const turn = await shown(message(1, "m1", "Go"), start(2, "m1", "c1"), chunk("m1", "c1", 0, `${"old ".repeat(20_000)}\n`), chunk("m1", "c1", 80_001, "the end"));
    const output = all(turn, ".output")[0]?.textContent ?? "";
    expect(output.length).toBeLessThanOrEqual(16 * 1024);
    expect(output).toMatch(/the end$/);
    expect(words(turn)).toContain("(the newest part)");
  });

  it("has its errors marked and its colours gone", async () => {
    const turn = await shown(message(1, "m1", "Go"), start(2, "m1", "c1"), chunk("m1", "c1", 0, "\u001b[32mok\u001b[0m\n"), chunk("m1", "c1", 0, "bad", "stderr"));
    expect(all(turn, ".stdout")[0]?.textContent).toBe("ok\n");
    expect(all(turn, ".stderr")[0]?.textContent).toBe("bad");
  });
});

describe("a call that failed", () => {
  it("says what went wrong, and not what a model should do next", async () => {
    const end = { callId: "c1", tool: "file_read", started: true, success: false, preview: [], durationMs: 1, undoable: false, error: "there is no a.txt", suggestion: "Call glob." };
    const turn = await shown(message(1, "m1", "Go"), start(2, "m1", "c1"), kept(3, "tool-call-end", end, "m1"));
    expect(words(turn)).toContain("there is no a.txt");
    expect(words(turn)).not.toContain("Call glob");
  });

  it("shows the pictures of those that worked, each with a way to a window, in the reply and its card", async () => {
    const pictures = [{ handle: "call:c1/0", mimeType: "image/png", bytes: 9 }];
    const end = { callId: "c1", tool: "file_read", started: true, success: true, preview: ["A PNG picture."], durationMs: 1, undoable: false, error: "", pictures };
    const turn = await shown(message(1, "m1", "Go"), start(2, "m1", "c1"), kept(3, "tool-call-end", end, "m1"));
    turn.session = "s1";
    await vi.waitFor(() => expect(all(turn, "img").map((image) => image.getAttribute("src"))).toContain("/api/sessions/s1/resources/call%3Ac1%2F0"));
    const asked = heard(turn, "sb-show");
    all(turn, "img")[0]?.parentElement?.click();
    expect(asked).toEqual([{ handle: "call:c1/0" }]);
  });
});

describe("hostile text", () => {
  const EVIL = `<img src=x onerror="window.__pwned=1"><script>window.__pwned=1</script>\u202Eevil`;

  it("stays text wherever it comes from", async () => {
    const call = { callId: "c1", tool: EVIL, module: EVIL, title: EVIL, arguments: { [EVIL]: EVIL, constructor: EVIL }, references: { [EVIL]: `@${EVIL}` } };
    const end = { callId: "c1", tool: EVIL, started: true, success: false, preview: [EVIL], outputVariable: EVIL, durationMs: 1, undoable: false, error: EVIL, suggestion: EVIL };
    const turn = await shown(
      message(1, "m1", EVIL),
      kept(2, "agent-thinking", { step: "searching", message: EVIL, reasoning: `${EVIL} 2`, candidates: [{ name: EVIL, confidence: 0.5, reasons: [EVIL] }] }, "m1"),
      kept(3, "tool-call-start", call, "m1"),
      chunk("m1", "c1", 0, EVIL),
      kept(4, "tool-call-end", end, "m1"),
      kept(5, "user-query", { queryId: "q1", kind: "query", message: EVIL, expiresAt: "" }, "m1"),
      kept(6, "display-resource", { windowId: "w", viewerType: "editor", title: EVIL, resource: { handle: EVIL, mimeType: EVIL, bytes: 1 } }, "m1"),
      kept(7, "agent-error", { messageIds: ["m1"], text: EVIL, error: `${EVIL} exactly`, code: "tool-failed", attemptedTools: [EVIL], suggestions: [EVIL], retryable: false }, "m1"),
    );
    expect(all(turn, "img, script, iframe").length).toBe(0);
    expect(all(turn, "a").map((link) => link.getAttribute("href"))).toEqual([]);
    expect((window as { __pwned?: unknown }).__pwned).toBeUndefined();
    expect(words(turn)).not.toContain("\u202E");
    expect(words(turn)).toContain("<script>window.__pwned=1</script>[U+202E]evil");
  });
});

describe("a request that was tried with another tool", () => {
  it("says with which one", async () => {
    const tried = kept(1, "user-message", { messageId: "m1", text: "Read it", mode: "queue", tool: "grep" }, "m1");
    expect(words(await shown(tried, reply(2, "m1")))).toContain("With grep, as you asked");
  });
});
