//! The MCP servers in the settings: switched, approved, and asked about while they start. Runs in a DOM: @vitest-environment jsdom

import { html } from "lit";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { McpServer } from "../../connection/api";
import { all, button, mount, settled, words } from "../test-dom";
import type { Tools } from "./tools";
import "./tools";

const READY: McpServer = { name: "test", transport: "stdio", address: "test", state: "ready", tools: [], changed: [], prompts: [] };

const held = (definition: string): McpServer => ({ ...READY, changed: [{ tool: "test__count", before: "Counts.", now: `Counts ${definition}.`, definition }] });

let now: McpServer;
let asked: string[];
let refusal: string | undefined;

beforeEach(() => {
  [now, asked, refusal] = [READY, [], undefined];
  vi.stubGlobal("fetch", async (path: string, { method, body }: RequestInit = {}) => {
    asked.push(method === "POST" ? `${path} ${String(body)}` : path);
    if (method === "POST") return refusal === undefined ? new Response(null, { status: 204 }) : Response.json({ detail: refusal }, { status: 409 });
    return Response.json(path === "/api/mcp" ? { servers: [now] } : { tools: [] });
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function shown(): Promise<Tools> {
  const element = await mount<Tools>(html`<sb-tools></sb-tools>`);
  await vi.waitFor(() => expect(all(element, "[role=switch]")).toHaveLength(1));
  return element;
}

describe("a tool that changed", () => {
  it("is approved as it is shown; the keyboard goes to its server, and it is said", async () => {
    now = held("one");
    const element = await shown();
    now = READY;
    button(element, "Approve test__count as it is now").click();
    await vi.waitFor(() => expect(words(element)).toContain("test__count is approved"));
    await settled(element);
    expect(asked).toContain('/api/mcp/test {"approve":"one"}');
    expect((element.renderRoot as ShadowRoot).activeElement).toBe(all(element, "[role=switch]")[0]);
  });

  it("is shown as it is now when it has changed again, and then that is approved", async () => {
    now = held("one");
    const element = await shown();
    [now, refusal] = [held("two"), "it has changed again"];
    button(element, "Approve test__count as it is now").click();
    await vi.waitFor(() => expect(words(element)).toContain("it has changed again"));
    expect(words(element)).toContain("Counts two.");
    refusal = undefined;
    button(element, "Approve test__count as it is now").click();
    await vi.waitFor(() => expect(words(element)).toContain("test__count is approved"));
    expect([asked.filter((path) => path.includes("approve")).at(-1), words(element).includes("changed again")]).toEqual(['/api/mcp/test {"approve":"two"}', false]);
  });
});

describe("a server that starts", () => {
  it("is asked about alone until it has, and not after the settings were closed", async () => {
    now = { ...READY, state: "starting" };
    const element = await shown();
    vi.useFakeTimers();
    element.requestUpdate();
    await element.updateComplete;
    asked = [];
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked).toEqual(["/api/mcp"]);
    now = READY;
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked).toEqual(["/api/mcp", "/api/mcp", "/api/mcp", "/api/tools", "/api/tools/usage"]);
    await vi.advanceTimersByTimeAsync(5000);
    expect(asked).toHaveLength(5);

    now = { ...READY, state: "starting" };
    element.disconnectedCallback();
    element.connectedCallback();
    await vi.advanceTimersByTimeAsync(0);
    expect(words(element)).toContain("is starting");
    element.remove();
    asked = [];
    element.requestUpdate();
    await vi.advanceTimersByTimeAsync(5000);
    expect(asked).toEqual([]);
  });

  it("is as the newest answer says, however late an older one comes", async () => {
    const element = await shown();
    const late: (() => void)[] = [];
    const fetched = globalThis.fetch;
    vi.stubGlobal("fetch", async (path: string, init?: RequestInit) => {
      const answer = await fetched(path, init);
      if (path === "/api/mcp") await new Promise<void>((go) => late.push(go));
      return answer;
    });
    const [use] = all(element, "[role=switch]") as HTMLInputElement[];
    for (const state of ["off", "ready"] as const) {
      now = { ...READY, state };
      use!.click();
      await vi.waitFor(() => expect(late).toHaveLength(state === "off" ? 1 : 2));
    }
    late[1]!();
    await vi.waitFor(() => expect(words(element)).toContain("is ready"));
    late[0]!();
    await new Promise((done) => setTimeout(done));
    await settled(element);
    expect(words(element)).toContain("is ready");
  });
});
