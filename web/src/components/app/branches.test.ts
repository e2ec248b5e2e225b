//! Versions are asked for when they may be others, and hidden conversations have none. Runs in a DOM: @vitest-environment jsdom

import { LitElement } from "lit";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SessionSummary } from "../../protocol/generated";
import { ask } from "../events";
import { Branches } from "./branches";

class Host extends LitElement {}
customElements.define("sb-branches-host", Host);

const version = (messageId: string, sessionId: string) => ({ messageId, sessionId, seq: 3 });
const fork = (sessionId: string): SessionSummary => ({ sessionId, createdAt: "", updatedAt: "", lastSeq: 3, forkedFrom: { sessionId: "a", seq: 2 } });

let requests: string[] = [];
let current: string | undefined;
let found: object[];
let host: Host;
let branches: Branches;
const open = vi.fn();

beforeEach(() => {
  requests = [];
  current = "a";
  found = [{ seq: 3, versions: [version("m1", "a"), version("m2", "b"), version("m3", "c")] }];
  vi.stubGlobal("fetch", (path: string) => {
    requests.push(path);
    return Promise.resolve(Response.json({ branches: found }));
  });
  host = new Host();
  branches = new Branches(host, { current: () => current, open });
});
afterEach(() => void vi.unstubAllGlobals());

const known = () => Object.fromEntries([...branches.known].map(([id, versions]) => [id, versions.map(({ sessionId }) => sessionId).join()]));
const done = () => new Promise((next) => setTimeout(next));

describe("the versions of messages", () => {
  it("are known by each of them", async () => {
    await branches.read();
    expect(requests).toEqual(["/api/sessions/a/branches"]);
    expect(known()).toEqual({ m1: "a,b,c", m2: "a,b,c", m3: "a,b,c" });
  });

  it("are asked for again at a new fork and when something is deleted, not at every change", async () => {
    const { forkedFrom, ...plain } = fork("d");
    expect(forkedFrom).toBeDefined();
    branches.hear([plain], []);
    await done();
    expect(requests).toHaveLength(0);
    branches.hear([fork("b")], []);
    await done();
    branches.hear([fork("b")], []);
    await done();
    expect(requests).toHaveLength(1);
    branches.hear([], ["b"]);
    await done();
    expect(requests).toHaveLength(2);
  });

  it("are asked for once more if they may have changed meanwhile, of the conversation that is open then", async () => {
    const first = branches.read();
    current = "z";
    void branches.read();
    void branches.read();
    await first;
    await done();
    expect(requests).toEqual(["/api/sessions/a/branches", "/api/sessions/z/branches"]);
  });

  it("are not in conversations that are being deleted, and one alone is none", async () => {
    await branches.read();
    branches.hide(new Set(["b"]));
    expect(known()).toEqual({ m1: "a,c", m3: "a,c" });
    branches.hide(new Set(["b", "c"]));
    expect(known()).toEqual({});
    branches.hide(new Set());
    expect(Object.keys(known())).toHaveLength(3);
  });

  it("stay as they are when the server cannot be reached", async () => {
    await branches.read();
    vi.stubGlobal("fetch", () => Promise.reject(new Error("away")));
    await branches.read();
    expect(Object.keys(known())).toHaveLength(3);
  });

  it("open where the message stands", () => {
    ask(host, "sb-branch", { sessionId: "b", seq: 3, step: 1, below: 40 });
    expect(open).toHaveBeenCalledWith("b", { seq: 3, words: [], from: { step: 1, below: 40 } });
  });
});
