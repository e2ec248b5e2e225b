//! The HTTP side: lists, pages of the log and whole values. Every answer is checked for its status; errors carry
//! words that can be shown.

import type { ServerFrame } from "../protocol/generated";

/** A session in the list. */
export interface SessionSummary {
  id: string;
  title?: string;
  updatedAt?: string;
  lastSeq?: number;
}

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
  ) {
    super(message);
  }
}

/** All sessions, newest first. */
export async function listSessions(): Promise<SessionSummary[]> {
  const body = await json(await request("/api/sessions"));
  const list = Array.isArray(body) ? body : (body as { sessions?: unknown }).sessions;
  if (!Array.isArray(list)) return [];
  return list.map(summary).filter((item): item is SessionSummary => item !== undefined);
}

/** The events before one, oldest first. */
export async function eventsBefore(sessionId: string, before: number, limit: number): Promise<ServerFrame[]> {
  const body = await json(await request(`/api/sessions/${id(sessionId)}/events?before=${before}&limit=${limit}`));
  const list = Array.isArray(body) ? body : (body as { events?: unknown }).events;
  return Array.isArray(list) ? (list as ServerFrame[]).sort((one, other) => (one.seq ?? 0) - (other.seq ?? 0)) : [];
}

/** The whole value of a variable. */
export async function variableValue(sessionId: string, name: string): Promise<FetchedValue> {
  const response = await request(variableUrl(sessionId, name));
  const mimeType = (response.headers.get("content-type") ?? "application/octet-stream").split(";")[0]?.trim() ?? "";
  return { mimeType, bytes: new Uint8Array(await response.arrayBuffer()) };
}

/** Where a variable's value is. */
export function variableUrl(sessionId: string, name: string): string {
  return `/api/sessions/${id(sessionId)}/variables/${encodeURIComponent(name)}`;
}

/** Where a session's export is. */
export function exportUrl(sessionId: string): string {
  return `/api/sessions/${id(sessionId)}/export`;
}

/** Deletes a session for good. */
export async function deleteSession(sessionId: string): Promise<void> {
  await request(`/api/sessions/${id(sessionId)}`, { method: "DELETE" });
}

/** Logs in with the server's token; the server answers with a cookie. */
export async function login(token: string): Promise<void> {
  await request("/api/login", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token }),
  });
}

/** Why a connection could not be opened: asks the server over HTTP, which can say more than a WebSocket. */
export async function reachability(): Promise<"ok" | "login" | "forbidden" | "unreachable"> {
  try {
    const response = await fetch("/api/sessions?limit=1", { credentials: "same-origin" });
    if (response.status === 401) return "login";
    return response.status === 403 ? "forbidden" : "ok";
  } catch {
    return "unreachable";
  }
}

async function request(path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { credentials: "same-origin", ...init });
  } catch {
    throw new ApiError(0, "The server cannot be reached. Check that it runs, then try again.");
  }
  if (response.ok) return response;
  throw new ApiError(response.status, await words(response));
}

async function words(response: Response): Promise<string> {
  try {
    const body = (await response.json()) as { text?: unknown; error?: unknown; message?: unknown; suggestion?: unknown };
    const nested = typeof body.error === "object" && body.error !== null ? (body.error as { message?: unknown }).message : undefined;
    const found = [body.text, body.message, nested, body.error].find((part) => typeof part === "string" && part !== "");
    if (typeof found === "string") return typeof body.suggestion === "string" ? `${found} ${body.suggestion}` : found;
  } catch {
    // No JSON: the status has to do.
  }
  return `The server answered ${response.status}${response.statusText ? ` (${response.statusText})` : ""}.`;
}

async function json(response: Response): Promise<unknown> {
  return (await response.json()) as unknown;
}

function summary(value: unknown): SessionSummary | undefined {
  const item = value as Record<string, unknown> | null;
  const found = item?.sessionId ?? item?.id;
  if (typeof found !== "string") return undefined;
  const title = typeof item?.title === "string" && item.title !== "" ? item.title : undefined;
  const updatedAt = [item?.updatedAt, item?.lastAt, item?.createdAt].find((at) => typeof at === "string") as string | undefined;
  const lastSeq = typeof item?.lastSeq === "number" ? item.lastSeq : undefined;
  return { id: found, title, updatedAt, lastSeq };
}

function id(sessionId: string): string {
  return encodeURIComponent(sessionId);
}
