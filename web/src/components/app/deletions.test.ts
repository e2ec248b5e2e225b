//! What is deleted can be taken back for a while, and only then. Runs in a DOM: @vitest-environment jsdom

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SessionSummary } from "../../protocol/generated";
import { Deletions, type DeletionHost } from "./deletions";

const session = (sessionId: string): SessionSummary => ({ sessionId, createdAt: "", updatedAt: "", lastSeq: 3 });

let requests: string[] = [];
let answer: () => Promise<Response>;
let page: { [name in keyof DeletionHost]: DeletionHost[name] };
let gone: string[];
let deletions: Deletions;

beforeEach(() => {
  vi.useFakeTimers();
  [requests, gone] = [[], []];
  answer = () => Promise.resolve(new Response(null, { status: 204 }));
  vi.stubGlobal("fetch", (path: string, init: RequestInit = {}) => {
    requests.push(`${init.method ?? "GET"} ${path}`);
    return answer();
  });
  page = { say: vi.fn(), open: vi.fn(), current: () => "b", blank: () => true };
  deletions = new Deletions(page, (sessionId) => sessionId !== undefined && gone.push(sessionId));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const offered = (): string[] => deletions.sessions.map(({ sessionId }) => sessionId);

describe("a deletion", () => {
  it("is hidden at once, and reaches the server when it was not taken back", async () => {
    deletions.begin(session("b"));
    expect([deletions.hidden, requests]).toEqual([["b"], []]);
    expect(page.open).toHaveBeenCalledWith(undefined);
    await vi.advanceTimersByTimeAsync(9000);
    expect([requests, gone, deletions.hidden]).toEqual([["DELETE /api/sessions/b"], ["b"], []]);
  });

  it("that is taken back never reaches the server, and opens the conversation again", async () => {
    deletions.begin(session("b"));
    await vi.advanceTimersByTimeAsync(5000);
    deletions.takeBack("b");
    await vi.advanceTimersByTimeAsync(20_000);
    expect([deletions.hidden, requests]).toEqual([[], []]);
    expect(page.open).toHaveBeenLastCalledWith("b");
  });

  it("that is taken back leaves the user where something else was begun", () => {
    deletions.begin(session("b"));
    page.blank = () => false;
    deletions.takeBack("b");
    expect(page.open).toHaveBeenCalledTimes(1);
    expect(deletions.hidden).toEqual([]);
  });

  it("is taken back by opening the conversation", async () => {
    deletions.begin(session("c"));
    deletions.keep("c");
    await vi.advanceTimersByTimeAsync(20_000);
    expect([deletions.hidden, requests, offered()]).toEqual([[], [], []]);
  });

  it("is not offered to be taken back once the server is told, and stays hidden", async () => {
    let arrive = (_: Response): void => undefined;
    answer = () => new Promise((done) => (arrive = done));
    deletions.begin(session("b"));
    await vi.advanceTimersByTimeAsync(8000);
    expect([offered(), deletions.hidden]).toEqual([[], ["b"]]);
    deletions.takeBack("b");
    expect(deletions.hidden).toEqual(["b"]);
    arrive(new Response(null, { status: 204 }));
    await vi.advanceTimersByTimeAsync(0);
    expect(gone).toEqual(["b"]);
  });

  it("that fails brings the conversation back, and says why", async () => {
    answer = () => Promise.resolve(Response.json({ detail: "the disk is full" }, { status: 500 }));
    deletions.begin(session("b"));
    await vi.advanceTimersByTimeAsync(9000);
    expect([deletions.hidden, gone]).toEqual([[], []]);
    expect(page.say).toHaveBeenCalledWith(expect.stringContaining("the disk is full"));
  });

  it("of what another tab has deleted is done", async () => {
    answer = () => Promise.resolve(Response.json({ detail: "there is no session b" }, { status: 404 }));
    deletions.begin(session("b"));
    deletions.begin(session("c"));
    deletions.forget(["c"]);
    await vi.advanceTimersByTimeAsync(9000);
    expect([requests, gone]).toEqual([["DELETE /api/sessions/b"], ["b"]]);
    expect(page.say).not.toHaveBeenCalled();
  });

  it("is made when the page is closed, and once", async () => {
    deletions.begin(session("c"));
    window.dispatchEvent(new Event("pagehide"));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(requests).toEqual(["DELETE /api/sessions/c"]);
  });
});

describe("the time", () => {
  it("stands still while the pointer or the keyboard is on the way, also for what is deleted meanwhile", async () => {
    deletions.begin(session("c"));
    deletions.hold(true);
    deletions.begin(session("d"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(requests).toEqual([]);
    deletions.hold(false);
    await vi.advanceTimersByTimeAsync(9000);
    expect(requests).toEqual(["DELETE /api/sessions/c", "DELETE /api/sessions/d"]);
  });

  it("runs for the next one when the last was taken back under the pointer", async () => {
    deletions.begin(session("c"));
    deletions.hold(true);
    deletions.takeBack("c");
    deletions.begin(session("d"));
    await vi.advanceTimersByTimeAsync(9000);
    expect(requests).toEqual(["DELETE /api/sessions/d"]);
  });
});
