//! A save is sent, sent again after a cut connection, and answered once. Runs in a DOM: @vitest-environment jsdom

import { html, LitElement } from "lit";
import { customElement } from "lit/decorators.js";
import { describe, expect, it, vi } from "vitest";
import type { ClientFrame, ServerFrame } from "../../protocol/generated";
import { EMPTY } from "../../state/chat";
import { reduce } from "../../state/reduce";
import type { SaveOutcome } from "../../viewers/saving";
import { ask } from "../events";
import { mount } from "../test-dom";
import { Saves } from "./saves";

@customElement("sb-test-saving")
class TestSaving extends LitElement {
  online = true;
  readonly sent: ClientFrame[] = [];
  readonly outcomes: SaveOutcome[] = [];
  readonly saves = new Saves(this, (frame) => this.online && this.sent.push(frame) > 0);

  save(): void {
    ask(this, "sb-save", { values: { path: "a.txt", content: "new", base_sha256: "0".repeat(64) }, heard: (outcome) => this.outcomes.push(outcome) });
  }

  get callId(): string {
    const [frame] = this.sent;
    return frame?.type === "call-tool" ? frame.callId : "";
  }

  ended(success: boolean, error = ""): void {
    const end = { type: "tool-call-end", seq: 1, timestamp: "", callId: this.callId, tool: "file_write", started: true, success, preview: [], durationMs: 1, undoable: success, error };
    this.saves.hear(reduce(EMPTY, end as unknown as ServerFrame));
  }
}

const page = () => mount<TestSaving>(html`<sb-test-saving></sb-test-saving>`);

describe("a save", () => {
  it("is a call of file_write, and is answered when that ends", async () => {
    const element = await page();
    element.save();
    expect(element.sent).toEqual([{ type: "call-tool", callId: element.callId, tool: "file_write", arguments: { path: "a.txt", content: "new", base_sha256: "0".repeat(64) } }]);
    element.saves.hear(EMPTY);
    expect(element.outcomes).toEqual([]);
    element.ended(true);
    element.ended(true);
    expect(element.outcomes).toEqual([{ saved: true, callId: element.callId }]);
  });

  it("that failed says why", async () => {
    const element = await page();
    element.save();
    element.ended(false, "the disk is full");
    expect(element.outcomes).toEqual([{ saved: false, words: "the disk is full" }]);
  });

  it("that was not sent is not waited for", async () => {
    const element = await page();
    element.online = false;
    element.save();
    expect([element.outcomes, element.saves.refused("not this")]).toEqual([[{ saved: false }], false]);
  });

  it("is sent again with the same id when the connection comes back", async () => {
    const element = await page();
    element.save();
    element.saves.again();
    expect(element.sent).toHaveLength(2);
    expect(element.sent[1]).toEqual(element.sent[0]);
    element.ended(true);
    element.saves.again();
    expect(element.sent).toHaveLength(2);
  });

  it("takes a refusal for itself, once", async () => {
    const element = await page();
    element.save();
    expect([element.saves.refused("only chats"), element.saves.refused("another")]).toEqual([true, false]);
    expect(element.outcomes).toEqual([{ saved: false, words: "only chats" }]);
  });

  it("of a conversation that is left is not known", async () => {
    const element = await page();
    element.save();
    element.saves.leave();
    await vi.waitFor(() => expect(element.outcomes).toMatchObject([{ saved: false, words: expect.stringContaining("not known") }]));
  });
});
