//! The list of conversations: read once, then kept up to date by what the server tells; and what is done to one of them.
//! What is deleted leaves the list at once and the server a little later, so that it can be taken back.

import { html, nothing, type LitElement } from "lit";
import type { ServerFrameOf, SessionSummary } from "../../protocol/generated";
import { deleteSession, listSessions, changeSession, type SessionChange } from "../../connection/api";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import { withChanges, withNewest } from "../../state/session-list";
import "../undo/undo";

/** How long a deletion can be taken back. */
const UNDO_MS = 8000;
/** How many conversations are read at once. */
const PAGE = 100;

/** What the list needs of the page around it. */
export interface ListHost {
  /** Says what went wrong. */
  say: (message: string) => void;
  /** Something else says already what is wrong. */
  quiet: () => boolean;
  /** The conversation that is open. */
  current: () => string | undefined;
  /** Opens a conversation, or a new one. */
  open: (sessionId: string | undefined) => void;
}

/** A deletion that can be taken back. */
interface Leaving {
  session: SessionSummary;
  timer?: ReturnType<typeof setTimeout>;
  wasOpen: boolean;
}

/** The list, and what it does to the page around it. */
export class Conversations {
  /** All that are listed; the same array until something changes, so that the list is not drawn at every frame. */
  all: readonly SessionSummary[] = [];
  problem = "";
  /** There are older ones on the server. */
  more = false;
  private held: readonly SessionSummary[] = [];
  private readonly leaving = new Map<string, Leaving>();
  private reads = false;

  constructor(
    private readonly host: LitElement,
    private readonly page: ListHost,
  ) {
    host.addEventListener("sb-rename-session", ({ detail: { sessionId, title } }) => void this.change(sessionId, { title }));
    host.addEventListener("sb-pin-session", ({ detail: { sessionId, pinned } }) => void this.change(sessionId, { pinned }));
    host.addEventListener("sb-delete-session", ({ detail }) => this.leave(detail.sessionId));
    host.addEventListener("sb-undelete-session", ({ detail }) => this.takeBack(detail.sessionId));
    host.addEventListener("sb-hold-undo", ({ detail }) => this.hold(detail.held));
    host.addEventListener("sb-list-earlier", () => void this.earlier());
    // Whoever closes the page has made up their mind.
    window.addEventListener("pagehide", () => [...this.leaving.keys()].forEach((sessionId) => void this.delete(sessionId)));
  }

  /** Takes in what changed on the server; when too much changed to be told, the list is read again. */
  hear({ changed, removed, more }: ServerFrameOf<"sessions-update">): void {
    this.set(withChanges(this.held, changed, removed));
    if (more) void this.refresh();
  }

  /** Reads the newest part of the list, and at first the pinned ones. */
  async refresh(): Promise<void> {
    if (this.reads) return;
    this.reads = true;
    try {
      const pinned = this.held.length === 0 ? await listSessions({ pinned: true, limit: PAGE }) : undefined;
      const { sessions, nextOffset } = await listSessions({ limit: PAGE });
      const held = withChanges(this.held, pinned?.sessions ?? [], []);
      if (pinned || nextOffset === undefined) this.more = nextOffset !== undefined;
      this.problem = "";
      this.set(withNewest(held, sessions, nextOffset === undefined));
    } catch (error) {
      this.problem = this.page.quiet() ? "" : (error as Error).message;
      this.host.requestUpdate();
    } finally {
      this.reads = false;
    }
  }

  /** What can be taken back. */
  view() {
    const sessions = [...this.leaving.values()].map(({ session }) => session).slice(-3);
    return this.leaving.size > 0 ? html`<sb-undo role="region" aria-label=${t.listing.takeBack} .sessions=${sessions}></sb-undo>` : nothing;
  }

  /** Reads older ones. A pinned one may be among those that are held already, so a few are read twice. */
  private async earlier(): Promise<void> {
    try {
      const known = this.held.filter(({ pinned }) => !pinned).length;
      const { sessions, nextOffset } = await listSessions({ limit: PAGE, offset: known });
      this.more = nextOffset !== undefined;
      this.set(withChanges(this.held, sessions, []));
    } catch (error) {
      this.page.say((error as Error).message);
    }
  }

  private async change(sessionId: string, change: SessionChange): Promise<void> {
    try {
      this.set(withChanges(this.held, [await changeSession(sessionId, change)], []));
    } catch (error) {
      this.page.say((error as Error).message);
    }
  }

  private leave(sessionId: string): void {
    const session = this.held.find((each) => each.sessionId === sessionId);
    if (!session) return;
    const wasOpen = sessionId === this.page.current();
    this.leaving.set(sessionId, { session, wasOpen, timer: this.later(sessionId) });
    if (wasOpen) this.page.open(undefined);
    this.set(this.held);
  }

  private takeBack(sessionId: string): void {
    const leaving = this.leaving.get(sessionId);
    if (!leaving) return;
    clearTimeout(leaving.timer);
    this.leaving.delete(sessionId);
    if (leaving.wasOpen) this.page.open(sessionId);
    this.set(this.held);
  }

  private hold(held: boolean): void {
    for (const [sessionId, leaving] of this.leaving) {
      clearTimeout(leaving.timer);
      leaving.timer = held ? undefined : this.later(sessionId);
    }
  }

  private later(sessionId: string): ReturnType<typeof setTimeout> {
    return setTimeout(() => void this.delete(sessionId), UNDO_MS);
  }

  private async delete(sessionId: string): Promise<void> {
    try {
      await deleteSession(sessionId);
      this.held = withChanges(this.held, [], [sessionId]);
    } catch (error) {
      this.page.say(fill(t.connection.notDeleted, { why: (error as Error).message }));
    }
    this.leaving.delete(sessionId);
    this.set(this.held);
  }

  private set(list: readonly SessionSummary[]): void {
    this.held = list;
    this.all = list.filter(({ sessionId }) => !this.leaving.has(sessionId));
    this.host.requestUpdate();
  }
}
