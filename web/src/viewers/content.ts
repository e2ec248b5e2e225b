//! The content of a resource as a viewer fetches it: text up to a limit, with a word about what is left out.

import { ApiError, request, resourceUrl } from "../connection/api";
import { t } from "../i18n";

/** How many bytes of a text are shown, unless a viewer takes more. */
const TEXT_LIMIT = 1024 * 1024;

/** How much of a file is shown at most, in bytes. */
export const MOST_SHOWN = 50 * 1024 * 1024;

/** A resource of a session. */
export interface Source {
  session: string;
  handle: string;
}

/** A text, and whether it is only the beginning. */
export interface TextContent {
  text: string;
  cut: boolean;
}

/** The resource as a text; a problem is thrown in words. */
export async function textOf(source: Source, limit = TEXT_LIMIT): Promise<TextContent> {
  const { bytes, total } = await part(source, 0, limit);
  if (bytes.slice(0, 8000).includes(0)) throw new Error(t.windows.notText);
  return { text: new TextDecoder().decode(bytes), cut: total > bytes.length };
}

/** The resource as JSON. */
export async function jsonOf({ session, handle }: Source): Promise<unknown> {
  return (await request(resourceUrl(session, handle))).json() as Promise<unknown>;
}

/** A part of the resource, as it is now, and how large it is as a whole. */
export async function part({ session, handle }: Source, start: number, length: number, signal?: AbortSignal): Promise<{ bytes: Uint8Array; total: number }> {
  const headers = { range: `bytes=${start}-${start + length - 1}` };
  const response = await request(resourceUrl(session, handle), { headers, cache: "no-store", signal }).catch(emptyFile);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const total = Number(/\/(\d+)$/.exec(response.headers.get("content-range") ?? "")?.[1] ?? bytes.length);
  return { bytes, total };
}

/** An empty file has no part, so the server refuses to give one. */
function emptyFile(error: unknown): Response {
  if (error instanceof ApiError && error.status === 416) return new Response("");
  throw error;
}
