//! What the tab says while nobody looks at it. Runs in a DOM: @vitest-environment jsdom

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ServerFrame } from "../../protocol/generated";
import { fold, kept, message, passing, ready, reply } from "../../state/test-frames";
import { Tab } from "./tab";

const told: { title: string; body?: string }[] = [];

class FakeNotification {
  static permission = "granted";
  onclick?: () => void;
  constructor(title: string, { body }: NotificationOptions) {
    told.push({ title, body });
  }
}

const asking = passing("user-query", { queryId: "q1", kind: "query", message: "Which one?" } as never, "m1");

function hears(...steps: ServerFrame[][]): { title: string; body?: string }[] {
  const tab = new Tab();
  let state = fold([ready()]);
  tab.hear(state);
  for (const frames of steps) {
    state = fold(frames, state);
    tab.hear(state);
  }
  return told;
}

describe("the tab", () => {
  beforeEach(() => {
    told.length = 0;
    vi.stubGlobal("Notification", FakeNotification);
    vi.stubGlobal("isSecureContext", true);
    vi.spyOn(document, "hidden", "get").mockReturnValue(true);
    localStorage.setItem("switchboard-notifications", "on");
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  it("has the number of what waits in its title", () => {
    hears([message(1, "m1", "Hello")], [asking]);
    expect(document.title).toBe("(1) Switchboard");
  });

  it("tells of a question and of an end once each", () => {
    expect(hears([message(1, "m1", "Hello")], [asking], [], [reply(2, "m1", ["m1"], "It is **done**.")], [])).toEqual([
      { title: "Switchboard", body: "A question for you: Which one?" },
      { title: "Switchboard", body: "It is done." },
    ]);
  });

  it("tells nothing of what was there before", () => {
    const tab = new Tab();
    tab.hear(fold([ready({ lastSeq: 2 }), message(1, "m1", "Hello"), reply(2, "m1", ["m1"], "Done.")]));
    expect(told).toEqual([]);
  });

  it.each([
    ["while somebody looks", () => vi.spyOn(document, "hidden", "get").mockReturnValue(false)],
    ["where it is not wanted", () => localStorage.setItem("switchboard-notifications", "off")],
    ["where the browser does not allow it", () => vi.stubGlobal("Notification", class extends FakeNotification { static override permission = "denied"; })],
  ])("tells nothing %s", (_, so) => {
    so();
    expect(hears([message(1, "m1", "Hello"), reply(2, "m1", ["m1"], "Done.")])).toEqual([]);
  });

  it("says less than a page of a long reply", () => {
    const [{ body } = { body: "" }] = hears([message(1, "m1", "Hello"), kept(2, "agent-response", { messageIds: ["m1"], text: "word ".repeat(500) } as never, "m1")]);
    expect((body ?? "").length).toBeLessThanOrEqual(201);
  });
});
