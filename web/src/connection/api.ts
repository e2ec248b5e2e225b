//! The HTTP side: lists, pages of the log and whole values. Every answer is checked for its status; errors carry
//! words that can be shown.

import type { Risk, ServerFrame, SessionSummary } from "../protocol/generated";
import type { Version } from "../state/versions";
import { t } from "../i18n";
import { fill } from "../i18n/fill";

/** A value as it was fetched. */
export interface FetchedValue {
  mimeType: string;
  bytes: Uint8Array;
}

/** A request that was answered with an error. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** The field of the request that is wrong, if it is one. */
    readonly field?: string,
  ) {
    super(message);
  }
}

/** A part of the list of sessions, and where the next part begins, if there is one. */
export interface SessionPage {
  sessions: readonly SessionSummary[];
  nextCursor?: number;
}

/** Reads a part of the list of sessions, the one that changed last first. */
export async function listSessions(part: { limit: number; cursor?: number; pinned?: boolean }, signal: AbortSignal): Promise<SessionPage> {
  const query = new URLSearchParams(Object.entries(part).map(([name, value]) => [name, String(value)]));
  return fetchJson(`/api/sessions?${query}`, { signal });
}

/** The events before one, oldest first. */
export async function eventsBefore(sessionId: string, before: number, limit: number): Promise<ServerFrame[]> {
  return (await fetchJson<{ events: ServerFrame[] }>(`/api/sessions/${id(sessionId)}/events?before=${before}&limit=${limit}`)).events;
}

/** The messages of a session that have other versions, each with all of them. */
export async function branches(sessionId: string): Promise<(readonly Version[])[]> {
  const found = await fetchJson<{ branches: { versions: Version[] }[] }>(`/api/sessions/${id(sessionId)}/branches`);
  return found.branches.map(({ versions }) => versions);
}

/** The whole value of a variable, as it is or as it was at an event. */
export async function variableValue(sessionId: string, name: string, at?: number): Promise<FetchedValue> {
  const response = await request(valueUrl(sessionId, name, at));
  const mimeType = (response.headers.get("content-type") ?? "application/octet-stream").split(";")[0]?.trim() ?? "";
  return { mimeType, bytes: new Uint8Array(await response.arrayBuffer()) };
}

/** Where a variable's value is, or was at an event. */
export function valueUrl(sessionId: string, name: string, at?: number): string {
  return `/api/sessions/${id(sessionId)}/variables/${encodeURIComponent(name)}${at === undefined ? "" : `?at=${at}`}`;
}

/** Where a resource's content is. */
export function resourceUrl(sessionId: string, handle: string): string {
  return `/api/sessions/${id(sessionId)}/resources/${encodeURIComponent(handle)}`;
}

/** A file that was uploaded: where it is, and the variable that holds it. */
export interface Uploaded {
  path: string;
  variable: string;
}

/** Sends a file into the workspace; `progress` hears how many bytes have gone. Only `XMLHttpRequest` tells that. */
export function uploadFile(sessionId: string, file: File, progress: (sent: number) => void, stop: AbortSignal): Promise<Uploaded> {
  return new Promise((done, failed) => {
    const request = new XMLHttpRequest();
    request.open("POST", `/api/sessions/${id(sessionId)}/uploads?name=${encodeURIComponent(file.name)}`);
    request.setRequestHeader("content-type", "application/octet-stream");
    request.upload.onprogress = ({ loaded }) => progress(loaded);
    request.onerror = request.onabort = () => failed(new ApiError(0, t.connection.checkServer));
    request.onload = () => {
      const answer = new Response(request.responseText, { status: request.status, statusText: request.statusText });
      if (answer.ok) void answer.json().then(done, failed);
      else void refused(answer).then(failed);
    };
    stop.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}

/** Takes an upload back, as long as nothing was made of it. */
export async function discardUpload(sessionId: string, { path, variable }: Uploaded): Promise<void> {
  const query = new URLSearchParams({ path, variable });
  await request(`/api/sessions/${id(sessionId)}/uploads?${query}`, { method: "DELETE" });
}

/** Takes in a conversation that was exported. */
export async function importSession(file: Blob): Promise<SessionSummary> {
  return fetchJson("/api/sessions/import", { method: "POST", headers: { "content-type": "application/x-ndjson" }, body: file });
}

/** Where a session's export is. */
export function exportUrl(sessionId: string): string {
  return `/api/sessions/${id(sessionId)}/export`;
}

/** Where a session is as a page that anybody can read. */
export function pageUrl(sessionId: string): string {
  return `${exportUrl(sessionId)}?format=html`;
}

/** What can be changed of a session in the list. */
export interface SessionChange {
  title?: string;
  pinned?: boolean;
}

/** Names or pins a session; how it is then. */
export async function changeSession(sessionId: string, change: SessionChange): Promise<SessionSummary> {
  return fetchJson(`/api/sessions/${id(sessionId)}`, sending("PATCH", change));
}

/** Deletes a session for good, also while the page is being closed. */
export async function deleteSession(sessionId: string): Promise<void> {
  await request(`/api/sessions/${id(sessionId)}`, { method: "DELETE", keepalive: true });
}

/** A tool of an MCP server that is held back: it is not what was approved. */
export interface ChangedTool {
  tool: string;
  before: string;
  now: string;
  /** Tells what it is now from all else; an approval names it. */
  definition: string;
}

/** An MCP server, as the page shows it. */
export interface McpServer {
  name: string;
  transport: "stdio" | "http";
  address: string;
  /** `off`: the user switched it off; `disabled`: the file does. */
  state: "starting" | "ready" | "failed" | "stopped" | "off" | "disabled";
  tools: string[];
  changed: ChangedTool[];
  prompts: { command: string; usage: string; description: string }[];
  fault?: string;
}

/** The MCP servers and how they are. */
export async function mcpServers(): Promise<McpServer[]> {
  return (await fetchJson<{ servers: McpServer[] }>("/api/mcp")).servers;
}

/** Switches an MCP server on or off, for all conversations and also after a restart, or approves a tool of it as it is now. */
export async function changeMcpServer(server: string, change: { enabled: boolean } | { approve: string }): Promise<void> {
  await request(`/api/mcp/${encodeURIComponent(server)}`, sending("POST", change));
}

/** A tool, as the page shows it. */
export interface Tool {
  name: string;
  module: string;
  risk: Risk;
  function: { description: string };
}

/** The tools that there are, by name. */
export async function tools(): Promise<Tool[]> {
  return (await fetchJson<{ tools: Tool[] }>("/api/tools")).tools;
}

/** How often a tool or a specialist was called; times in milliseconds. */
export interface ToolUsage {
  tool: string;
  calls: number;
  failures: number;
  p50Ms?: number;
}

/** How often each was called, over restarts of the server. */
export async function toolUsage(): Promise<ToolUsage[]> {
  return (await fetchJson<{ tools: ToolUsage[] }>("/api/tools/usage")).tools;
}

/** An agent. A primary one runs the conversations; the others are specialists, which it calls as tools. */
export interface Agent {
  id: string;
  name: string;
  description: string;
  file: string;
  model?: string;
  isPrimary: boolean;
  enabled: boolean;
  available: boolean;
  problem?: string;
  warnings?: string[];
}

/** The agents, and what is wrong with files that were skipped. */
export interface AgentList {
  agents: Agent[];
  problems: string[];
}

/** The agents that there are. */
export async function agents(): Promise<AgentList> {
  return fetchJson("/api/agents");
}

/** Switches a specialist on or off, for all conversations, until the server stops. */
export async function switchAgent(agent: string, enabled: boolean): Promise<AgentList> {
  return fetchJson(`/api/agents/${encodeURIComponent(agent)}`, sending("POST", { enabled }));
}

/** What runs without asking, what asks and what is denied, in every conversation. */
export interface Permissions {
  mode: "ask" | "auto" | "deny";
  rules: { effect: "allow" | "ask" | "deny"; rule: string; place?: string }[];
}

/** The rules of the settings. */
export async function permissions(): Promise<Permissions> {
  return fetchJson("/api/permissions");
}

/** A provider of language models. */
export interface Provider {
  id: string;
  name: string;
  baseUrl?: string;
  needsKey: boolean;
  keyVariable: string;
  keyFrom: "none" | "settings" | "environment" | "stored";
  active: boolean;
  defaultModel?: string;
  models: string[];
}

/** A model in use. */
export interface ActiveModel {
  provider: string;
  model: string;
  tookMs?: number;
}

/** The providers, and the model in use. */
export interface ProviderList {
  active?: ActiveModel;
  why?: string;
  providers: Provider[];
}

/** What the server can use and what it uses; with `look`, what runs on its machine is looked for first, which takes a while. */
export async function providers(look: boolean): Promise<ProviderList> {
  return fetchJson(`/api/providers${look ? "?look=1" : ""}`);
}

/** Tries a provider; the server uses it from then on if it answers. */
export async function chooseProvider(choice: { provider: string; baseUrl?: string; apiKey?: string; model?: string }): Promise<ActiveModel> {
  return fetchJson("/api/providers", sending("POST", choice));
}

/** Forgets the key, the address and the choice of a provider. */
export async function forgetProvider(provider: string): Promise<void> {
  await request(`/api/providers/${encodeURIComponent(provider)}`, { method: "DELETE" });
}

/** Logs in with the server's token; the server answers with a cookie. */
export async function login(token: string): Promise<void> {
  await request("/api/login", sending("POST", { token }));
}

/** Why a connection could not be opened: asks the server over HTTP, which can say more than a WebSocket. */
export async function reachability(): Promise<"ok" | "login" | "forbidden" | "unreachable"> {
  try {
    const response = await fetch("/api/sessions?limit=1", { credentials: "same-origin", signal: AbortSignal.timeout(5000) });
    if (response.status === 401) return "login";
    return response.status === 403 ? "forbidden" : "ok";
  } catch {
    return "unreachable";
  }
}

/** The JSON that a request is answered with, as the server describes it. */
export async function fetchJson<T>(path: string, init?: RequestInit): Promise<T> {
  return (await (await request(path, init)).json()) as T;
}

/** A request to the server; whatever goes wrong is an `ApiError`. */
export async function request(path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { credentials: "same-origin", ...init });
  } catch {
    throw new ApiError(0, t.connection.checkServer);
  }
  if (response.ok) return response;
  throw await refused(response);
}

function sending(method: string, value: object): RequestInit {
  return { method, headers: { "content-type": "application/json" }, body: JSON.stringify(value) };
}

async function refused(response: Response): Promise<ApiError> {
  const { status, statusText } = response;
  try {
    const { detail, suggestion, field } = (await response.json()) as { detail?: unknown; suggestion?: unknown; field?: unknown };
    if (typeof detail === "string") {
      const words = typeof suggestion === "string" ? `${detail}: ${suggestion}` : detail;
      return new ApiError(status, words, typeof field === "string" ? field : undefined);
    }
  } catch {
    // Not one of our own answers: the status has to do.
  }
  return new ApiError(status, fill(t.connection.status, { status: `${status}${statusText ? ` (${statusText})` : ""}` }));
}

function id(sessionId: string): string {
  return encodeURIComponent(sessionId);
}
