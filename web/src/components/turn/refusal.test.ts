//! What was not allowed did not fail, and is told in the user's words: over the recorded conversations, and for what
//! they lack. Runs in a DOM: @vitest-environment jsdom

/// <reference types="vite/client" />
import { html } from "lit";
import { describe, expect, it } from "vitest";
import type { ServerFrame } from "../../protocol/generated";
import type { Turn } from "../../state/chat";
import { refusedTurn } from "../../state/refusal";
import { asked, finish, fold, kept, message, ready, start } from "../../state/test-frames";
import { all, mount, settled, words } from "../test-dom";
import type { TurnElement } from "./turn";
import "./turn";

const RECORDED = import.meta.glob<string>("../../../../tests/conversations/*.jsonl", { query: "?raw", import: "default", eager: true });

/** Words that the server writes for a model. */
const FOR_THE_MODEL = /must not be tried|way around this|the user did not allow it|nobody allowed it|--approve auto/;

/** The frames of each recording, as they were sent to the client that recorded it. */
function recordings(): [string, ServerFrame[]][] {
  return Object.entries(RECORDED).map(([name, text]) => {
    const lines = text.trim().split("\n");
    return [name, lines.map((line) => JSON.parse(line) as ServerFrame).filter((frame) => typeof frame.type === "string")];
  });
}

/** The turn with all that can be opened in it. */
async function opened(turn: Turn): Promise<TurnElement> {
  const element = await mount<TurnElement>(html`<sb-turn .turn=${turn}></sb-turn>`);
  for (const selector of ["sb-timeline", "sb-tool-call"]) {
    for (const part of all(element, selector)) {
      const details = part.shadowRoot?.querySelector("details");
      if (details && !details.open) details.querySelector("summary")?.click();
    }
    await settled(element);
  }
  return element;
}

function turnOf(...frames: ServerFrame[]): Turn {
  return fold([ready(), ...frames]).timeline[0] as Turn;
}

const denied = (seq: number, error: string, more: object = {}) =>
  kept(seq, "tool-call-end", {
    callId: "c1", tool: "bash", started: false, success: false, preview: [error], durationMs: 0, undoable: false, error,
    errorType: "permission_error", suggestion: "The same must not be tried in another way; the user decides what to do instead.", ...more,
  }, "m1");

const end = (seq: number) =>
  kept(seq, "agent-error", {
    messageIds: ["m1"], text: "I tried to use `bash`, but it failed:\n\n> bash(): the user did not allow it\n\nThe same must not be tried in another way.",
    error: "bash(): the user did not allow it", code: "tool-failed", attemptedTools: ["bash"], suggestions: ["start it with --approve auto"], retryable: false,
  }, "m1");

describe("a denial", () => {
  it("n38 in every recorded conversation shows no words meant for the model, and no failure", async () => {
    let found = 0;
    for (const [name, frames] of recordings()) {
      for (const entry of fold(frames).timeline) {
        if (entry.kind !== "turn" || !refusedTurn(entry)) continue;
        const element = await opened(entry);
        found += 1;
        expect(words(element), name).not.toMatch(FOR_THE_MODEL);
        expect(all(element, ".failed, .error, .failure:not(.calm)"), name).toEqual([]);
      }
    }
    expect(found).toBeGreaterThan(5);
  });

  it("says what the user said", async () => {
    const decided = kept(3, "approval-resolved", { callId: "c1", decision: "deny", by: "user" }, "m1");
    const turn = turnOf(message(1, "m1", "Go"), asked(2, "m1", "c1"), decided, denied(4, 'bash(command="ls"): the user did not allow it: not on a Sunday'), end(5));
    const shown = words(await opened(turn));
    expect(shown).toContain("You did not allow bash, so it did not run. Your reason: not on a Sunday Nothing was tried in its place.");
    expect(shown).not.toMatch(FOR_THE_MODEL);
  });

  it("says what was done before it", async () => {
    const before = [start(2, "m1", "c0", "file_write"), finish(3, "m1", "c0")];
    const decided = kept(5, "approval-resolved", { callId: "c1", decision: "expired", by: "time" }, "m1");
    const turn = turnOf(message(1, "m1", "Go"), ...before, asked(4, "m1", "c1"), decided, denied(6, "bash(): nobody allowed it in time"), end(7));
    expect(words(await opened(turn))).toContain("Nobody allowed bash in time, so it did not run. Done before that: file_write");
  });

  it("of a rule names it, and how the rules are seen", async () => {
    const ruled = denied(2, 'bash(command="a): b"): the rule `bash(a*)` in the settings denies this call of bash', { suggestion: "The same must not be tried in another way." });
    const shown = words(await opened(turnOf(message(1, "m1", "Go"), ruled, end(3))));
    expect(shown).toContain("A rule does not allow bash, so it did not run. the rule `bash(a*)` in the settings denies this call of bash Type /permissions to see the rules.");
    expect(shown).not.toMatch(FOR_THE_MODEL);
  });

  it("is no failure for a call that began and then failed", async () => {
    const failed = denied(2, "bash(): exit status 1", { started: true, errorType: "user_error", suggestion: undefined });
    const element = await opened(turnOf(message(1, "m1", "Go"), start(2, "m1", "c1"), { ...failed, seq: 3 }, { ...end(4) }));
    expect(all(element, ".failure:not(.calm)").length).toBe(1);
    expect(words(element)).toContain("exit status 1");
  });
});
