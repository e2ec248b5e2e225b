//! What was said in all conversations, as the server finds it.

import type { SessionSummary } from "../protocol/generated";
import { fetchJson } from "./api";

/** A piece of text: what was looked for, or what stands around it. */
export interface TextPiece {
  text: string;
  found?: boolean;
}

/** A message with what was found. */
export interface FoundPlace {
  seq: number;
  by: "user" | "agent";
  at: string;
  pieces: readonly TextPiece[];
}

/** A conversation in which something was found. */
export interface FoundSession {
  session: SessionSummary;
  /** The title in pieces, if the words stand in it. */
  title?: readonly TextPiece[];
  places: readonly FoundPlace[];
}

/** What was found. */
export interface SearchResults {
  results: readonly FoundSession[];
  more: boolean;
  /** Conversations may be missing: the server is still reading them. */
  indexing: boolean;
}

/** The longest text that the server looks for. */
export const LONGEST_QUERY = 200;

/** Looks for words. */
export async function searchSessions(words: string, signal: AbortSignal): Promise<SearchResults> {
  return fetchJson(`/api/sessions/search?query=${encodeURIComponent(words)}`, { signal });
}
