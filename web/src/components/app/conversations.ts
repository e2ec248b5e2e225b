//! The list of conversations, as the server last told it, and what is done to one of them.

import type { ReactiveControllerHost } from "lit";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import { deleteSession, listSessions, renameSession, type SessionSummary } from "../../connection/api";

/** The list, and what it does to the page around it. */
export class Conversations {
  all: readonly SessionSummary[] = [];
  problem = "";

  constructor(
    private readonly host: ReactiveControllerHost,
    /** Says what went wrong. */
    private readonly say: (message: string) => void,
  ) {}

  find(sessionId: string): SessionSummary | undefined {
    return this.all.find((session) => session.sessionId === sessionId);
  }

  /** Asks for the list again; `quiet` is for when something else says already what is wrong. */
  async refresh(quiet: () => boolean): Promise<void> {
    try {
      this.all = (await listSessions()).filter(({ lastSeq }) => lastSeq > 0);
      this.problem = "";
    } catch (error) {
      this.problem = quiet() ? "" : (error as Error).message;
    }
    this.host.requestUpdate();
  }

  async rename(sessionId: string, title: string): Promise<void> {
    try {
      await renameSession(sessionId, title);
    } catch (error) {
      this.say((error as Error).message);
    }
  }

  /** Says whether it is gone. */
  async delete(sessionId: string): Promise<boolean> {
    try {
      await deleteSession(sessionId);
      return true;
    } catch (error) {
      this.say(fill(t.connection.notDeleted, { why: (error as Error).message }));
      return false;
    }
  }
}
