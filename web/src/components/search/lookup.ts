//! Looks for words in all conversations while somebody types them: after a pause, for the last words only, and again while
//! the server cannot answer or has not read everything yet.

import type { ReactiveController, ReactiveControllerHost } from "lit";
import { ApiError } from "../../connection/api";
import { searchSessions, type FoundPlace, type SearchResults } from "../../connection/search";
import type { FoundWords } from "../events";

/** How long nothing is asked after a letter: the next one comes soon. */
const PAUSE_MS = 120;
/** How soon it is asked again at first, and at last. */
const AGAIN_MS = 1500;
const LAST_AGAIN_MS = 24_000;

/** A field's search. */
export class Lookup implements ReactiveController {
  found?: SearchResults;
  /** Why nothing was found. */
  problem = "";
  /** It is to be asked, or was, and there is no answer yet. */
  looking = false;
  private timer?: ReturnType<typeof setTimeout>;
  private asked?: AbortController;

  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  hostDisconnected(): void {
    this.end();
  }

  /** Looks for these words from now on, if they are enough to look for; says whether they are. What was found for others stays until then. */
  begin(words: string): boolean {
    this.stop();
    this.problem = "";
    const enough = [...words.matchAll(/[\p{L}\p{N}]/gu)].length > 1;
    this.looking = enough;
    if (enough) this.timer = setTimeout(() => void this.look(words, AGAIN_MS), PAUSE_MS);
    return enough;
  }

  /** Looks for nothing, and forgets what was found. */
  end(): void {
    this.stop();
    this.found = undefined;
    this.problem = "";
    this.looking = false;
  }

  private async look(words: string, wait: number): Promise<void> {
    const asked = new AbortController();
    this.asked = asked;
    let again: boolean;
    try {
      const found = await searchSessions(words, asked.signal);
      if (asked.signal.aborted) return;
      this.found = found;
      this.problem = "";
      again = found.indexing;
    } catch (error) {
      if (asked.signal.aborted) return;
      this.found = undefined;
      this.problem = (error as Error).message;
      again = error instanceof ApiError && (error.status === 0 || error.status >= 500);
    }
    this.looking = false;
    if (again) this.timer = setTimeout(() => void this.look(words, Math.min(2 * wait, LAST_AGAIN_MS)), wait);
    this.host.requestUpdate();
  }

  private stop(): void {
    clearTimeout(this.timer);
    this.asked?.abort();
  }
}

/** A place to go to, with the words as they stand there. */
export function wordsAt({ seq, pieces }: FoundPlace): FoundWords {
  return { seq, words: pieces.filter(({ found }) => found).map(({ text }) => text) };
}
