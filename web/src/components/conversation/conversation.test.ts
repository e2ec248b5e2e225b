//! Only the newest entries are in the page, and what is on its way says how it stands. Runs in a DOM: @vitest-environment jsdom

import { html } from "lit";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Outgoing } from "../../connection/outbox";
import type { ChatState } from "../../state/chat";
import { fold, kept, message, ready, reply } from "../../state/test-frames";
import { all, button, heard, mount, settled, words } from "../test-dom";
import type { Conversation } from "./conversation";
import "./conversation";

afterEach(() => {
  // What waits to draw more ends with the page.
  document.body.replaceChildren();
  vi.useRealTimers();
});

function talk(turns: number): ChatState {
  const frames = Array.from({ length: turns }, (_, at) => [message(2 * at + 1, `m${at}`, `Question ${at}.`), reply(2 * at + 2, `m${at}`, [`m${at}`], `Answer ${at}.`)]);
  return fold([ready(), ...frames.flat()]);
}

async function conversation(chat: ChatState, outgoing: Outgoing[] = [], online = true): Promise<Conversation> {
  return mount<Conversation>(html`<sb-conversation .chat=${chat} .outgoing=${outgoing} ?online=${online}></sb-conversation>`);
}

/** Its end is drawn first; the others follow. */
async function drawn(element: Conversation, count: number): Promise<void> {
  expect(all(element, "sb-turn").length).toBe(6);
  expect(words(element)).toContain("Answer 449.");
  await vi.waitFor(() => expect(all(element, "sb-turn").length).toBe(count), 10_000);
}

describe("a long conversation", () => {
  it("has its newest entries in the page, and more when asked for", async () => {
    const element = await conversation(talk(450));
    await drawn(element, 200);
    button(element, "Load earlier").click();
    await settled(element);
    expect(all(element, "sb-turn").length).toBe(400);
    button(element, "Load earlier").click();
    await settled(element);
    expect(all(element, "sb-turn").length).toBe(450);
    expect(words(element)).not.toContain("Load earlier");
  });

  it("asks the server for what is older than the page holds", async () => {
    const element = await conversation({ ...talk(3), firstSeq: 41 });
    const asked = heard(element, "sb-load-earlier");
    button(element, "Load earlier").click();
    expect(asked).toEqual([{}]);
  });

  it("says when its end is drawn, and draws the older ones that come then in steps", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const whole = talk(100);
    const element = await conversation({ ...whole, timeline: whole.timeline.slice(-6), firstSeq: 189 });
    const told = heard(element, "sb-drawn");
    const counts: number[] = [];
    const step = async (): Promise<void> => {
      await settled(element);
      counts.push(all(element, "sb-turn").length);
      vi.advanceTimersByTime(30);
    };

    await step();
    element.chat = whole;
    for (let steps = 0; steps < 4; steps += 1) await step();

    expect(told.length).toBeGreaterThan(0);
    expect(counts).toEqual([6, 6, 18, 54, 100]);
  });

  it("begins again with its newest entries when another session is opened", async () => {
    const element = await conversation(talk(450));
    button(element, "Load earlier").click();
    await settled(element);
    element.chat = { ...talk(450), sessionId: "another" };
    await settled(element);
    await drawn(element, 200);
  });

  it("waits for the rest of what is coming", async () => {
    const element = await conversation(talk(1));
    [element.chat, element.behind] = [talk(2), true];
    await settled(element);
    expect(all(element, "sb-turn").length).toBe(1);
    element.behind = false;
    await settled(element);
    expect(all(element, "sb-turn").length).toBe(2);
  });
});

describe("a message on its way", () => {
  const item: Outgoing = { messageId: "m1", text: "Hello", mode: "queue", at: "" };

  it("says how it stands", async () => {
    expect(words(await conversation(talk(0), [item]))).toContain("Hello Sending…");
    expect(words(await conversation(talk(0), [item], false))).toContain("Hello Waiting for the connection");
  });

  it("that was refused says why, and can be sent again or removed", async () => {
    const element = await conversation(talk(0), [{ ...item, refused: "The disk is full." }]);
    expect(words(element)).toContain("The disk is full.");
    const [again, removed] = [heard(element, "sb-retry"), heard(element, "sb-forget")];
    button(element, "Send again").click();
    button(element, "Remove").click();
    expect([again, removed]).toEqual([[{ messageId: "m1" }], [{ messageId: "m1" }]]);
  });
});

describe("what stands between turns", () => {
  it("commands, their usage, calls of the user and notes", async () => {
    const chat = fold([
      ready(),
      kept(1, "command-response", { command: "help", text: "**Commands**" }),
      kept(2, "command-error", { command: "save", text: "A name is missing.", usage: "/save <name>" }),
      kept(3, "tool-call-start", { callId: "c1", tool: "file_write", module: "files", arguments: { path: "a" } }),
      kept(4, "context-cleared", {}),
      kept(5, "conversation-summary", { text: "They talked.", fromSeq: 1, toSeq: 4 }),
    ]);
    const shown = words(await conversation(chat));
    for (const part of ["/help Commands", "/save A name is missing. Usage: /save <name>", "file_write", "All variables were cleared", "They talked."]) {
      expect(shown).toContain(part);
    }
  });
});
