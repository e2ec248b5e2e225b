//! Connecting, resuming and every close code, against a stand-in for the browser's WebSocket.
//! Runs in a DOM: @vitest-environment jsdom

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ClientFrame, ServerFrame } from "../protocol/generated";
import { Store } from "../state/store";
import { asked, kept, message, passing, ready, reply } from "../state/test-frames";
import { Session } from "./session";
import { backOff } from "./socket";

const ID = "6b0d2c62-4f0e-4a3f-9a51-2f1f0f2f9c11";

class FakeSocket extends EventTarget {
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static all: FakeSocket[] = [];
  readyState = 0;
  sent: ClientFrame[] = [];

  constructor(readonly address: string) {
    super();
    FakeSocket.all.push(this);
  }

  static get last(): FakeSocket {
    const last = FakeSocket.all.at(-1);
    if (!last) throw new Error("no connection was tried");
    return last;
  }

  open(...frames: ServerFrame[]): void {
    this.readyState = 1;
    this.dispatchEvent(new Event("open"));
    this.say(...frames);
  }

  say(...frames: ServerFrame[]): void {
    for (const frame of frames) this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(frame) }));
  }

  fail(code: number): void {
    this.readyState = 3;
    this.dispatchEvent(new CloseEvent("close", { code }));
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as ClientFrame);
  }

  close(): void {
    this.readyState = 3;
  }
}

let answer: { status: number } | undefined;

beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.all = [];
  answer = { status: 200 };
  sessionStorage.clear();
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("fetch", () => (answer ? Promise.resolve(new Response("{}", answer)) : Promise.reject(new Error("offline"))));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function begin(id?: string): { store: Store; session: Session } {
  const store = new Store();
  return { store, session: new Session(store, id, () => undefined) };
}

async function fails(code: number): Promise<void> {
  FakeSocket.last.fail(code);
  await vi.advanceTimersByTimeAsync(0);
}

describe("a connection", () => {
  it("asks for a new session, for the tail of a known one, or for what follows", async () => {
    begin();
    expect(FakeSocket.last.address).toMatch(/\/ws\?viewer=1&list=1$/);
    begin(ID);
    expect(FakeSocket.last.address).toMatch(new RegExp(`/ws\\?viewer=1&list=1&session=${ID}&tail=200&messages=6$`));
    FakeSocket.last.open(ready({ lastSeq: 2 }), message(1, "m1", "Hi"), reply(2, "m1"));
    await fails(1006);
    await vi.advanceTimersByTimeAsync(1000);
    expect(FakeSocket.last.address).toMatch(new RegExp(`session=${ID}&after=2$`));
  });

  it("asks at first for what is seen of the end, and then for the rest of a page", async () => {
    const fetched = vi.fn((_: string) => Promise.resolve(Response.json({ events: [message(38, "m1", "Hi"), reply(39, "m1"), message(40, "m2", "And")] })));
    vi.stubGlobal("fetch", fetched);
    const { store, session } = begin(ID);
    const snapshot = { variables: [], openWindows: [], firstSeq: 41 };
    FakeSocket.last.open(ready({ lastSeq: 42, snapshot }), reply(41, "m2"), message(42, "m3", "More"));

    await session.fill();

    expect(fetched.mock.calls.map(([address]) => address)).toEqual([`/api/sessions/${ID}/events?before=41&limit=198`]);
    expect(store.state.timeline.map(({ id }) => id)).toEqual(["m1", "m2", "m3"]);
    await session.fill();
    expect(fetched).toHaveBeenCalledTimes(1);
  });

  it("does not ask for more where a page came at once", async () => {
    const fetched = vi.fn();
    vi.stubGlobal("fetch", fetched);
    const { session } = begin(ID);
    FakeSocket.last.open(ready({ lastSeq: 400, snapshot: { variables: [], openWindows: [], firstSeq: 201 } }));

    await session.fill();

    expect(fetched).not.toHaveBeenCalled();
  });

  it("reads the log again when a frame is missing", async () => {
    const { store } = begin(ID);
    FakeSocket.last.open(ready(), message(1, "m1", "Hi"), reply(3, "m1"));
    await vi.advanceTimersByTimeAsync(1000);
    expect(store.state.lastSeq).toBe(1);
    expect(FakeSocket.all.length).toBe(2);
    expect(FakeSocket.last.address).toMatch(/after=1$/);
  });

  it("waits longer after each failure, and never too long", () => {
    expect([0, 1, 2, 3, 10, 50].map((failures) => backOff(failures, 0))).toEqual([300, 600, 1200, 2400, 20_000, 20_000]);
    expect(backOff(3, 1)).toBe(1600);
  });

  it("pings, and comes back when nothing is heard for a minute", async () => {
    begin(ID);
    const socket = FakeSocket.last;
    socket.open(ready());
    await vi.advanceTimersByTimeAsync(26_000);
    expect(socket.sent).toEqual([{ type: "ping" }]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(FakeSocket.all.length).toBeGreaterThan(1);
  });

  it("does not return after it was closed", async () => {
    const { session } = begin(ID);
    session.close();
    await fails(1006);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(FakeSocket.all.length).toBe(1);
  });
});

describe("a server that is silent", () => {
  const standing = (session: Session) => session.standing as { kind: string; silentSince?: number };

  it("n39 is said to be so after five seconds, and no more once it answers", async () => {
    const { session } = begin(ID);
    FakeSocket.last.open(ready());
    session.send("Hello", "queue");
    await vi.advanceTimersByTimeAsync(4000);
    expect(standing(session)).toEqual({ kind: "open" });
    expect(FakeSocket.last.sent.at(-1)).toEqual({ type: "ping" });
    await vi.advanceTimersByTimeAsync(1500);
    expect(standing(session)).toEqual({ kind: "open", silentSince: expect.any(Number) as number });
    FakeSocket.last.say(passing("pong", {}));
    expect(standing(session)).toEqual({ kind: "open" });
  });

  it("in the middle of a turn is asked, and its silence is said", async () => {
    const { session } = begin(ID);
    FakeSocket.last.open(ready({ busy: { messageId: "m1", step: "responding" } }));
    await vi.advanceTimersByTimeAsync(8000);
    expect(standing(session).silentSince).toBeDefined();
  });

  it("that answers every ping is not silent, however long a turn takes", async () => {
    const { session } = begin(ID);
    const socket = FakeSocket.last;
    socket.open(ready({ busy: { messageId: "m1", step: "responding" } }));
    for (let second = 0; second < 90; second += 1) {
      await vi.advanceTimersByTimeAsync(1000);
      if (socket.sent.length > 0) socket.say(passing("pong", {}));
      socket.sent = [];
      expect(standing(session)).toEqual({ kind: "open" });
    }
    expect(FakeSocket.all.length).toBe(1);
  });

  it("is left alone while it waits for the user", async () => {
    const { session } = begin(ID);
    FakeSocket.last.open(ready({ busy: { messageId: "m1", step: "executing" }, pending: [asked(1, "m1", "c1")] }));
    await vi.advanceTimersByTimeAsync(20_000);
    expect([FakeSocket.last.sent, standing(session)]).toEqual([[], { kind: "open" }]);
  });

  it("before the connection is open is said to be so as well", async () => {
    const { session } = begin(ID);
    await vi.advanceTimersByTimeAsync(5500);
    expect(standing(session)).toEqual({ kind: "connecting", silentSince: expect.any(Number) as number });
  });
});

describe("a message", () => {
  it("is sent again with the same id until it is acknowledged", async () => {
    const { session, store } = begin(ID);
    session.send("Hello", "queue");
    expect(FakeSocket.last.sent).toEqual([]);

    FakeSocket.last.open(ready());
    const [first] = FakeSocket.last.sent;
    expect(first).toMatchObject({ type: "send-message", text: "Hello", mode: "queue" });
    await fails(1006);
    await vi.advanceTimersByTimeAsync(1000);
    FakeSocket.last.open(ready());
    expect(FakeSocket.last.sent).toEqual([first]);

    const { messageId = "" } = first as ClientFrame & { messageId?: string };
    FakeSocket.last.say(message(1, messageId, "Hello"));
    expect([session.outbox.all, store.state.timeline.length]).toEqual([[], 1]);
  });

  it("that was taken before is acknowledged and not shown twice", () => {
    const { session, store } = begin(ID);
    FakeSocket.last.open(ready({ lastSeq: 1 }), message(1, "m1", "Hello"));
    session.outbox.add({ messageId: "m1", text: "Hello", mode: "queue", at: "" });
    FakeSocket.last.say(kept(1, "user-message", { messageId: "m1", text: "Hello", mode: "queue", repeated: true }, "m1"));
    expect([session.outbox.all, store.state.timeline.length]).toEqual([[], 1]);
  });

  it("that is refused says why, beside itself, and waits for the user", () => {
    const { session, store } = begin(ID);
    FakeSocket.last.open(ready());
    session.send("Hello", "queue");
    const id = session.outbox.all[0]?.messageId ?? "";
    const said = { text: "The disk is full.", error: "full", code: "storage-full", attemptedTools: [], suggestions: ["Send it again."], retryable: true };
    FakeSocket.last.say(passing("agent-error", said, id));
    expect(session.outbox.all).toMatchObject([{ messageId: id, refused: "The disk is full. Send it again." }]);
    expect(store.state.notices).toEqual([]);
    session.retry(id);
    expect(FakeSocket.last.sent.length).toBe(2);
  });

  it("that is a command is settled by its answer", () => {
    const { session } = begin(ID);
    FakeSocket.last.open(ready());
    session.send("/help", "queue");
    const id = session.outbox.all[0]?.messageId ?? "";
    FakeSocket.last.say(kept(1, "command-response", { command: "help", text: "…" }, id));
    expect(session.outbox.all).toEqual([]);
  });

  it("that is too large is not sent, with words", () => {
    const { session, store } = begin(ID);
    FakeSocket.last.open(ready());
    expect(session.send("ä".repeat(600_000), "queue")).toBe(false);
    expect([FakeSocket.last.sent, session.outbox.all]).toEqual([[], []]);
    expect(store.state.notices[0]?.message).toContain("larger than 1 MB");
  });
});

describe("other commands", () => {
  it("are not kept while there is no connection, and the user hears of it", () => {
    const { session, store } = begin(ID);
    session.cancel();
    expect(FakeSocket.last.sent).toEqual([]);
    expect(store.state.notices[0]?.message).toContain("Not connected");
  });
});

describe("a close", () => {
  it.each([
    [1001, "The server is restarting."],
    [1006, "The connection was lost."],
    [1008, "Too much was sent at once"],
    [1013, "The server is busy."],
    [4005, "Another server has this conversation now."],
    [4013, "This tab fell behind"],
  ])("with %i says so and comes back", async (code, words) => {
    const { session } = begin(ID);
    FakeSocket.last.open(ready());
    await fails(code);
    expect(session.standing).toMatchObject({ kind: "waiting", why: expect.stringContaining(words) as string });
    await vi.advanceTimersByTimeAsync(20_000);
    expect(FakeSocket.all.length).toBe(2);
  });

  it("with 4007 reads the session anew", async () => {
    const { store } = begin(ID);
    FakeSocket.last.open(ready({ lastSeq: 1 }), message(1, "m1", "Hi"));
    await fails(4007);
    await vi.advanceTimersByTimeAsync(1000);
    expect(store.state.timeline).toEqual([]);
    expect(FakeSocket.last.address).toMatch(new RegExp(`session=${ID}&tail=200&messages=6$`));
  });

  it("is come back from with the history that was read", async () => {
    begin(ID);
    FakeSocket.last.open(ready({ lastSeq: 1, generation: "g-1" }), message(1, "m1", "Hi"));
    await fails(1006);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(FakeSocket.last.address).toMatch(new RegExp(`session=${ID}&after=1&generation=g-1$`));
  });

  it("with 4004 stops: the conversation is gone", async () => {
    const { session } = begin(ID);
    await fails(4004);
    expect([session.needs, session.standing.kind]).toEqual(["gone", "stopped"]);
  });

  it("with 4004 of a session in which nothing was written begins a new one, with what was being sent", async () => {
    const { session } = begin();
    FakeSocket.last.open(ready());
    session.send("Hello", "queue");
    await fails(1006);
    await vi.advanceTimersByTimeAsync(1000);
    await fails(4004);
    await vi.advanceTimersByTimeAsync(2000);
    expect(FakeSocket.last.address).toMatch(/\/ws\?viewer=1&list=1$/);
    FakeSocket.last.open(ready({ sessionId: "22222222-4f0e-4a3f-9a51-2f1f0f2f9c11" }));
    expect(FakeSocket.last.sent).toMatchObject([{ text: "Hello" }]);
  });

  it("with 4401 asks for the token, and comes back after it", async () => {
    const { session } = begin(ID);
    FakeSocket.last.open();
    await fails(4401);
    expect([session.needs, session.standing.kind]).toEqual(["login", "stopped"]);
    session.reconnect();
    FakeSocket.last.open(ready());
    expect([session.needs, session.standing.kind]).toEqual([undefined, "open"]);
  });

  it("with 1009 does not send the same large message for ever", async () => {
    const { session } = begin(ID);
    FakeSocket.last.open(ready());
    session.send("x".repeat(900_000), "queue");
    await fails(1009);
    expect([session.outbox.open, session.outbox.all.length]).toEqual([[], 1]);
  });

  it("before it was open asks over HTTP why", async () => {
    const reasons: [{ status: number } | undefined, string][] = [
      [{ status: 401 }, "login"],
      [{ status: 403 }, "forbidden"],
      [{ status: 200 }, "The connection was refused."],
      [undefined, "The server cannot be reached."],
    ];
    for (const [said, expected] of reasons) {
      answer = said;
      const { session } = begin(ID);
      await fails(1006);
      expect(session.needs ?? (session.standing as { why?: string }).why).toBe(expected);
      session.close();
    }
  });
});
