//! The list is read once and then told, and what is read never takes the place of what is newer. Runs in a DOM: @vitest-environment jsdom

import { LitElement } from "lit";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ServerFrameOf, SessionSummary } from "../../protocol/generated";
import { changedAt } from "../../state/session-list";
import { ask } from "../events";
import { Conversations, type ListHost } from "./conversations";

class Host extends LitElement {}
customElements.define("sb-list-host", Host);

const session = (sessionId: string, minute: number): SessionSummary => {
  const at = new Date(Date.UTC(2026, 10, 25, 12, minute)).toISOString();
  return { sessionId, title: sessionId, createdAt: at, updatedAt: at, lastSeq: 3 };
};
const news = (changed: SessionSummary[], removed: string[] = [], more?: boolean): ServerFrameOf<"sessions-update"> => ({ type: "sessions-update", changed, removed, more, timestamp: "" });

/** The server's list, the latest first. */
let there: SessionSummary[] = [];
let requests: string[] = [];
/** Waits before each answer to a request for the list. */
let answering: () => Promise<void>;
let page: { [name in keyof ListHost]: ListHost[name] };
let host: Host;
let list: Conversations;

async function answer(path: string, init: RequestInit): Promise<Response> {
  if (path.endsWith("/branches")) return Response.json({ branches: [] });
  requests.push(`${init.method ?? "GET"} ${path}`);
  if (init.method === "PATCH") return Response.json({ ...session("b", 1), ...(JSON.parse(String(init.body)) as object) });
  const query = new URL(path, "http://localhost").searchParams;
  const [limit, cursor] = [Number(query.get("limit")), Number(query.get("cursor") ?? Infinity)];
  const all = there.filter(({ pinned }) => pinned || !query.has("pinned"));
  const behind = all.filter((session) => changedAt(session) < cursor);
  const sessions = behind.slice(0, limit);
  const last = sessions.at(-1);
  const body = { sessions, nextCursor: last && behind.length > limit ? changedAt(last) : undefined };
  await answering();
  init.signal?.throwIfAborted();
  return Response.json(body);
}

beforeEach(async () => {
  vi.useFakeTimers();
  there = [session("c", 3), session("b", 1)];
  requests = [];
  answering = () => Promise.resolve();
  vi.stubGlobal("fetch", (path: string, init: RequestInit = {}) => answer(path, init));
  page = { say: vi.fn(), open: vi.fn(), current: () => "b", blank: () => true, quiet: () => false };
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
    expect(requests).toEqual(["GET /api/sessions?limit=100", "GET /api/sessions?pinned=true&limit=500"]);
  });

  it("that could not be read is read again when something is heard", async () => {
    answering = () => Promise.reject(new Error("away"));
    await list.refresh();
    expect(list.problem).not.toBe("");
    answering = () => Promise.resolve();
    list.hear(news([session("new", 9)]));
    await vi.advanceTimersByTimeAsync(0);
    expect(list.problem).toBe("");
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
    list.undoing();
    expect(list.all).toBe(all);
    list.hear(news([session("new", 9)]));
    expect(list.all).not.toBe(all);
  });
});

describe("what is read", () => {
  /** Reads the list; its answer is made, but on its way until this is called. */
  function slowly(): () => Promise<void> {
    let arrive = (): void => undefined;
    const way = new Promise<void>((done) => (arrive = done));
    answering = () => way;
    const reading = list.refresh();
    return async () => {
      arrive();
      await reading;
      await vi.advanceTimersByTimeAsync(0);
    };
  }

  it("is older than what was told meanwhile", async () => {
    const arrives = slowly();
    list.hear(news([session("new", 9)], ["c"]));
    await arrives();
    expect(ids()).toEqual(["new", "b"]);
  });

  it("is read once more when too much changed meanwhile", async () => {
    const arrives = slowly();
    there = [session("later", 20), ...there];
    list.hear(news([], [], true));
    await arrives();
    expect(ids()).toEqual(["later", "c", "b"]);
  });

  it("says which pinned ones are gone", async () => {
    there = [...there, { ...session("p", 0), pinned: true }];
    await list.refresh();
    expect(ids()).toContain("p");
    there = there.filter(({ sessionId }) => sessionId !== "p");
    await list.refresh();
    expect(ids()).toEqual(["c", "b"]);
  });
});

describe("older ones", () => {
  const many = Array.from({ length: 250 }, (_, at) => session(`s${at}`, 1000 - at));
  const earlier = async (): Promise<void> => {
    ask(host, "sb-list-earlier", {});
    await vi.advanceTimersByTimeAsync(0);
  };

  it("are read without a gap, though one of long ago was just unpinned", async () => {
    there = many;
    await list.refresh();
    list.hear(news([many[220]!, many[230]!]));
    await earlier();
    await earlier();
    expect(ids()).toEqual(many.map(({ sessionId }) => sessionId));
    expect(list.more).toBe(false);
  });

  it("are there without a gap after many were missed", async () => {
    there = many;
    await list.refresh();
    const missed = Array.from({ length: 150 }, (_, at) => session(`m${at}`, 2000 - at));
    there = [...missed, ...many];
    await list.refresh();
    while (list.more) await earlier();
    expect(ids()).toEqual(there.map(({ sessionId }) => sessionId));
  });

  it("are asked for once at a time", async () => {
    there = many;
    await list.refresh();
    requests = [];
    ask(host, "sb-list-earlier", {});
    await earlier();
    expect(requests).toEqual([`GET /api/sessions?limit=100&cursor=${changedAt(many[99]!)}`]);
  });
});
