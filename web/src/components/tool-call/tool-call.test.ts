//! The card of a call that changed files. Runs in a DOM: @vitest-environment jsdom

import { html } from "lit";
import { describe, expect, it } from "vitest";
import { callsOf, type Call } from "../../state/chat";
import { findTurn } from "../../state/timeline";
import { fold, kept, message, ready, thinking } from "../../state/test-frames";
import { all, button, heard, mount, words } from "../test-dom";
import type { ToolCall } from "./tool-call";
import "./tool-call";

const DIFF = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n";

function frames(...more: ReturnType<typeof kept>[]) {
  const begin = { callId: "c", tool: "file_edit", module: "files", arguments: { path: "x" } };
  const end = { callId: "c", tool: "file_edit", started: true, success: true, preview: ["Replaced"], durationMs: 3, undoable: true, error: "", diff: DIFF };
  return [
    ready(), message(1, "m", "edit it"), thinking(2, "m"),
    kept(3, "tool-call-start", begin, "m"), kept(4, "tool-call-end", end, "m"), ...more,
  ];
}

function undo(seq: number, id: string, undid: string) {
  const said = { callId: id, tool: "file_undo", started: true, success: true, preview: [], durationMs: 1, undoable: true, error: "", undid: [undid] };
  return [kept(seq, "tool-call-start", { callId: id, tool: "file_undo", module: "files", arguments: {} }), kept(seq + 1, "tool-call-end", said)];
}

function callOf(...more: ReturnType<typeof kept>[]): Call {
  const turn = findTurn(fold(frames(...more)).timeline, "m");
  const call = turn && callsOf(turn)[0];
  if (!call) throw new Error("no call");
  return call;
}

async function card(call: Call): Promise<ToolCall> {
  return mount<ToolCall>(html`<sb-tool-call .call=${call}></sb-tool-call>`);
}

describe("the card of a change", () => {
  it("shows the diff and offers to undo exactly this call", async () => {
    const element = await card(callOf());
    const undone = heard(element, "sb-undo");
    expect(all(element, ".added").map((line) => line.textContent)).toEqual(["+new"]);
    expect(words(element)).toContain("+1 −1");
    button(element, "Undo").click();
    expect(undone).toEqual([{ callIds: ["c"] }]);
  });

  it("offers it no more once it was undone, until that was undone itself", async () => {
    const gone = await card(callOf(...undo(5, "u", "c")));
    expect(words(gone)).toContain("Undone");
    expect(all(gone, "button").map((each) => each.textContent?.trim())).not.toContain("Undo");
    const back = await card(callOf(...undo(5, "u", "c"), ...undo(7, "v", "u")));
    expect(all(back, "button").map((each) => each.textContent?.trim())).toContain("Undo");
  });
});
