//! Deletions are offered to be taken back, and the time stands still while somebody is about to. Runs in a DOM: @vitest-environment jsdom

import { html } from "lit";
import { describe, expect, it } from "vitest";
import type { SessionSummary } from "../../protocol/generated";
import { all, button, heard, mount, settled, words } from "../test-dom";
import "./undo";
import type { Undo } from "./undo";

const session = (sessionId: string): SessionSummary => ({ sessionId, title: sessionId, createdAt: "", updatedAt: "", lastSeq: 3 });

async function offered(...sessions: SessionSummary[]): Promise<Undo> {
  return mount<Undo>(html`<sb-undo .sessions=${sessions}></sb-undo>`);
}

describe("a deletion", () => {
  it("is said in a place that was there before, so that it is read out", async () => {
    const element = await offered();
    const [spoken] = all(element, "[role=status]");
    expect([spoken?.textContent, all(element, "section[hidden]").length]).toEqual(["", 1]);
    element.sessions = [session("Sums")];
    await settled(element);
    expect(all(element, "[role=status]")).toEqual([spoken]);
    expect(words(element)).toContain("“Sums” was deleted.");
  });

  it("is taken back by its button", async () => {
    const element = await offered(session("Sums"));
    const taken = heard(element, "sb-undelete-session");
    button(element, "Undo").click();
    expect(taken).toEqual([{ sessionId: "Sums" }]);
  });
});

describe("the time", () => {
  it("stands still while the keyboard is here, and runs on when its button is gone", async () => {
    const element = await offered(session("one"), session("two"));
    const held = heard(element, "sb-hold-undo");
    all(element, "button")[1]?.focus();
    expect(held).toEqual([{ held: true }]);
    element.sessions = [session("one")];
    await settled(element);
    expect(held.at(-1)).toEqual({ held: false });
  });

  it("stands still while the pointer is here, and runs on when nothing is left under it", async () => {
    const element = await offered(session("one"));
    const held = heard(element, "sb-hold-undo");
    all(element, "section")[0]?.dispatchEvent(new Event("pointerenter"));
    element.sessions = [];
    await settled(element);
    expect(held).toEqual([{ held: true }, { held: false }]);
  });
});
