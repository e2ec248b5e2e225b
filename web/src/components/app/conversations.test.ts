//! The list is read once and then told; what is deleted can be taken back for a while. Runs in a DOM: @vitest-environment jsdom

import { LitElement } from "lit";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ServerFrameOf, SessionSummary } from "../../protocol/generated";
import { ask } from "../events";
import { Conversations, type ListHost } from "./conversations";

class Host extends LitElement {}
customElements.define("sb-list-host", Host);

const session = (sessionId: string, minute: number): SessionSummary => {
  const at = new Date(Date.UTC(2026, 10, 25, 12, minute)).toISOString();
  return { sessionId, title: sessionId, createdAt: at, updatedAt: at, lastSeq: 3 };
};
const news = (changed: SessionSummary[], removed: string[] = [], more?: boolean): ServerFrameOf<"sessions-update"> => ({ type: "sessions-update", changed, removed, more, timestamp: "" });

let requests: string[] = [];
let page: { [name in keyof ListHost]: ListHost[name] };
let host: Host;
let list: Conversations;

beforeEach(async () => {
  vi.useFakeTimers();
  requests = [];
  vi.stubGlobal("fetch", (path: string, init: RequestInit = {}) => {
    requests.push(`${init.method ?? "GET"} ${path}`);
    if (init.method === "DELETE") return Promise.resolve(new Response(null, { status: 204 }));
    if (init.method === "PATCH") return Promise.resolve(Response.json({ ...session("b", 1), ...(JSON.parse(String(init.body)) as object) }));
    const pinned = path.includes("pinned");
    return Promise.resolve(Response.json({ sessions: pinned ? [{ ...session("p", 0), pinned: true }] : [session("c", 3), session("b", 1)] }));
  });
  page = { say: vi.fn(), open: vi.fn(), current: () => "b", quiet: () => false };
  host = new Host();
  list = new Conversations(host, page);
  await list.refresh();
  requests = [];
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const ids = (): string[] => list.all.map(({ sessionId }) => sessionId);

describe("the list", () => {
  it("is changed by what the server tells, without reading it again", () => {
    expect(ids()).toEqual(["c", "b"]);
    list.hear(news([session("new", 9), session("b", 8)], ["c"]));
    expect(ids()).toEqual(["new", "b"]);
    expect(requests).toEqual([]);
  });

  it("is read again when more changed than was told", async () => {
    list.hear(news([], [], true));
    await vi.advanceTimersByTimeAsync(0);
    expect(requests).toEqual(["GET /api/sessions?limit=100"]);
  });

  it("pins and names by one request", async () => {
    ask(host, "sb-pin-session", { sessionId: "b", pinned: true });
    await vi.advanceTimersByTimeAsync(0);
    expect(requests).toEqual(["PATCH /api/sessions/b"]);
    expect(list.all.find(({ sessionId }) => sessionId === "b")?.pinned).toBe(true);
  });
});

describe("the array of the list", () => {
  it("stays the same until something changes", () => {
    const { all } = list;
    list.view();
    expect(list.all).toBe(all);
    list.hear(news([session("new", 9)]));
    expect(list.all).not.toBe(all);
  });
});

describe("a deletion", () => {
  it("leaves the list at once, and the server when it was not taken back", async () => {
    ask(host, "sb-delete-session", { sessionId: "b" });
    expect([ids(), requests]).toEqual([["c"], []]);
    expect(page.open).toHaveBeenCalledWith(undefined);
    await vi.advanceTimersByTimeAsync(9000);
    expect(requests).toEqual(["DELETE /api/sessions/b"]);
    expect(ids()).toEqual(["c"]);
  });

  it("that is taken back never reaches the server, and opens the conversation again", async () => {
    ask(host, "sb-delete-session", { sessionId: "b" });
    await vi.advanceTimersByTimeAsync(5000);
    ask(host, "sb-undelete-session", { sessionId: "b" });
    await vi.advanceTimersByTimeAsync(20_000);
    expect([ids(), requests]).toEqual([["c", "b"], []]);
    expect(page.open).toHaveBeenLastCalledWith("b");
  });

  it("waits while the pointer or the keyboard is on the way to take it back", async () => {
    ask(host, "sb-delete-session", { sessionId: "c" });
    ask(host, "sb-hold-undo", { held: true });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(requests).toEqual([]);
    ask(host, "sb-hold-undo", { held: false });
    await vi.advanceTimersByTimeAsync(9000);
    expect(requests).toEqual(["DELETE /api/sessions/c"]);
  });

  it("is made when the page is closed", async () => {
    ask(host, "sb-delete-session", { sessionId: "c" });
    window.dispatchEvent(new Event("pagehide"));
    await vi.advanceTimersByTimeAsync(0);
    expect(requests).toEqual(["DELETE /api/sessions/c"]);
  });
});
