//! The content of a resource as a viewer fetches it: text up to a limit, with a word about what is left out.

import { t } from "../i18n";
import { fill } from "../i18n/fill";

/** How many bytes of a text are shown. */
const TEXT_LIMIT = 1024 * 1024;

/** A text, and whether it is only the beginning. */
export interface TextContent {
  text: string;
  cut: boolean;
}

/** The text at this address; a problem is thrown in words. */
export async function textOf(url: string): Promise<TextContent> {
  const response = await get(url, { range: `bytes=0-${TEXT_LIMIT - 1}` });
  const total = Number(/\/(\d+)$/.exec(response.headers.get("content-range") ?? "")?.[1] ?? 0);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const isText = !bytes.slice(0, 8000).includes(0);
  if (!isText) throw new Error(t.windows.notText);
  return { text: new TextDecoder().decode(bytes), cut: total > bytes.length };
}

/** The JSON at this address. */
export async function jsonOf(url: string): Promise<unknown> {
  return (await get(url)).json() as Promise<unknown>;
}

async function get(url: string, headers: Record<string, string> = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { headers });
  } catch {
    throw new Error(t.connection.checkServer);
  }
  // An empty file has no part.
  if (response.status === 416) return new Response("");
  if (!response.ok) {
    const problem = (await response.json().catch(() => ({}))) as { detail?: string };
    throw new Error(problem.detail ?? fill(t.connection.status, { status: String(response.status) }));
  }
  return response;
}
