//! Deletions that can be taken back: the conversation leaves the list at once and the server a little later. From then on
//! nothing takes it back, so nothing offers to.

import type { SessionSummary } from "../../protocol/generated";
import { ApiError, deleteSession } from "../../connection/api";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import type { FoundWords } from "../events";

/** How long a deletion can be taken back. */
const UNDO_MS = 8000;

/** What deletions need of the page around them. */
export interface DeletionHost {
  /** Says what went wrong. */
  say: (message: string, level?: "error" | "info") => void;
  /** The conversation that is open. */
  current: () => string | undefined;
  /** The conversation that is open is a new one, and nothing was said in it. */
  blank: () => boolean;
  /** Opens a conversation, or a new one. */
  open: (sessionId: string | undefined, at?: FoundWords) => void;
}

/** A deletion that can be taken back. */
interface Pending {
  session: SessionSummary;
  wasOpen: boolean;
  timer?: ReturnType<typeof setTimeout>;
}

/** The deletions of this tab. */
export class Deletions {
  private readonly pending = new Map<string, Pending>();
  /** The server is told; it has not answered yet. */
  private readonly running = new Set<string>();
  private held = false;

  constructor(
    private readonly page: DeletionHost,
    /** Hears when other conversations are hidden than before, and which are gone for good. */
    private readonly changed: (gone?: string) => void,
  ) {
    // Whoever closes the page has made up their mind.
    window.addEventListener("pagehide", () => [...this.pending.keys()].forEach((sessionId) => void this.delete(sessionId)));
  }

  /** Those that can be taken back, the latest last. */
  get sessions(): SessionSummary[] {
    return [...this.pending.values()].map(({ session }) => session);
  }

  /** Those that are not to be seen. */
  get hidden(): string[] {
    return [...this.pending.keys(), ...this.running];
  }

  /** Deletes, unless it is taken back in time. */
  begin(session: SessionSummary): void {
    const pending: Pending = { session, wasOpen: session.sessionId === this.page.current() };
    this.pending.set(session.sessionId, pending);
    this.time(pending);
    if (pending.wasOpen) this.page.open(undefined);
    this.changed();
  }

  /** Takes a deletion back; what it closed is opened again, unless something else was begun since. */
  takeBack(sessionId: string): void {
    const taken = this.drop(sessionId);
    if (taken?.wasOpen && this.page.blank()) this.page.open(sessionId);
    if (taken) this.changed();
  }

  /** The conversation was opened, by the Back button say: it is wanted after all. */
  keep(sessionId: string): void {
    if (this.drop(sessionId)) this.changed();
  }

  /** These are gone already: somebody else deleted them. */
  forget(sessions: readonly string[]): void {
    sessions.forEach((sessionId) => this.drop(sessionId));
  }

  /** Stops the time, or lets all of it run anew. */
  hold(held: boolean): void {
    this.held = held;
    this.pending.forEach((pending) => this.time(pending));
  }

  private time(pending: Pending): void {
    clearTimeout(pending.timer);
    pending.timer = this.held ? undefined : setTimeout(() => void this.delete(pending.session.sessionId), UNDO_MS);
  }

  private drop(sessionId: string): Pending | undefined {
    const dropped = this.pending.get(sessionId);
    clearTimeout(dropped?.timer);
    this.pending.delete(sessionId);
    if (this.pending.size === 0) this.held = false;
    return dropped;
  }

  private async delete(sessionId: string): Promise<void> {
    if (!this.drop(sessionId)) return;
    this.running.add(sessionId);
    this.changed();
    let gone = true;
    try {
      await deleteSession(sessionId);
    } catch (error) {
      gone = error instanceof ApiError && error.status === 404;
      if (!gone) this.page.say(fill(t.connection.notDeleted, { why: (error as Error).message }));
    }
    this.running.delete(sessionId);
    this.changed(gone ? sessionId : undefined);
  }
}
