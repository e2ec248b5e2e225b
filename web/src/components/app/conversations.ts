//! The list of conversations, as the server last told it, and what is done to one of them.

import type { LitElement } from "lit";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import { deleteSession, listSessions, renameSession, type SessionSummary } from "../../connection/api";

/** What the list needs of the page around it. */
export interface ListHost {
  /** Says what went wrong. */
  say: (message: string) => void;
  /** Something else says already what is wrong. */
  quiet: () => boolean;
  /** The conversation that is open. */
  current: () => string | undefined;
  /** Leaves it for a new one. */
  leave: () => void;
  confirm: (session: SessionSummary, confirmed: () => void) => void;
}

/** The list, and what it does to the page around it. */
export class Conversations {
  all: readonly SessionSummary[] = [];
  problem = "";

  constructor(
    private readonly host: LitElement,
    private readonly page: ListHost,
  ) {
    host.addEventListener("sb-rename-session", ({ detail }) => void this.rename(detail.sessionId, detail.title));
    host.addEventListener("sb-delete-session", ({ detail }) => {
      const session = this.all.find(({ sessionId }) => sessionId === detail.sessionId);
      if (session) page.confirm(session, () => void this.delete(session.sessionId));
    });
  }

  /** Asks for the list again. */
  async refresh(): Promise<void> {
    try {
      this.all = (await listSessions()).filter(({ lastSeq }) => lastSeq > 0);
      this.problem = "";
    } catch (error) {
      this.problem = this.page.quiet() ? "" : (error as Error).message;
    }
    this.host.requestUpdate();
  }

  private async rename(sessionId: string, title: string): Promise<void> {
    try {
      await renameSession(sessionId, title);
    } catch (error) {
      this.page.say((error as Error).message);
    }
    await this.refresh();
  }

  private async delete(sessionId: string): Promise<void> {
    try {
      await deleteSession(sessionId);
      if (sessionId === this.page.current()) this.page.leave();
    } catch (error) {
      this.page.say(fill(t.connection.notDeleted, { why: (error as Error).message }));
    }
    await this.refresh();
  }
}
