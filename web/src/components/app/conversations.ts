//! The list of conversations: read once, then kept up to date by what the server tells; and what is done to one of them.

import { html, type LitElement } from "lit";
import type { ServerFrameOf, SessionSummary } from "../../protocol/generated";
import { changeSession, listSessions, type SessionChange, type SessionPage } from "../../connection/api";
import type { ChatState } from "../../state/chat";
import { changedAt, withChanges } from "../../state/session-list";
import { t } from "../../i18n";
import "../sessions/sessions";
import "../undo/undo";
import { Branches } from "./branches";
import { Deletions, type DeletionHost } from "./deletions";
import { Importing } from "./importing";

/** How many conversations are read at once, at first and at most. */
const PAGE = 100;
const MOST = 500;
/** How many deletions are offered to be taken back. */
const OFFERED = 3;

/** What the list needs of the page around it. */
export interface ListHost extends DeletionHost {
  /** Something else says already what is wrong. */
  quiet: () => boolean;
}

/** Where the list stands. */
export interface ListPlace {
  /** The conversation that is open. */
  current: string | undefined;
  shown: boolean;
  /** It lies over the page and can be put away. */
  drawer: boolean;
}

type Changes = Pick<ServerFrameOf<"sessions-update">, "changed" | "removed">;

/** The list, and what it does to the page around it. */
export class Conversations {
  /** All that are listed; the same array until something changes, so that the list is not drawn at every frame. */
  all: readonly SessionSummary[] = [];
  /** Those that are not to be found any more, though the server may still find them; the same set until it changes. */
  gone: ReadonlySet<string> = new Set();
  problem = "";
  /** The versions of its messages that the open conversation shares with others. */
  readonly branches: Branches;
  /** The list was read. */
  known = false;
  private held: readonly SessionSummary[] = [];
  private readonly removed = new Set<string>();
  private readonly deletions: Deletions;
  private reading?: AbortController;
  /** What was told since the reading began: it is newer than what is read. */
  private meanwhile: Changes[] = [];
  /** Where the older ones on the server begin, if there are any. */
  private next?: number;
  /** When the oldest changed that was read; older ones that are held are there by chance, being pinned or just changed. */
  private readTo = 0;

  constructor(
    private readonly host: LitElement,
    private readonly page: ListHost,
  ) {
    this.branches = new Branches(host, page);
    new Importing(host, page);
    this.deletions = new Deletions(page, (gone) => this.take({ changed: [], removed: gone === undefined ? [] : [gone] }));
    host.addEventListener("sb-rename-session", ({ detail: { sessionId, title } }) => void this.change(sessionId, { title }));
    host.addEventListener("sb-pin-session", ({ detail: { sessionId, pinned } }) => void this.change(sessionId, { pinned }));
    host.addEventListener("sb-delete-session", ({ detail }) => this.delete(detail.sessionId));
    host.addEventListener("sb-undelete-session", ({ detail }) => this.deletions.takeBack(detail.sessionId));
    host.addEventListener("sb-hold-undo", ({ detail }) => this.deletions.hold(detail.held));
    host.addEventListener("sb-list-earlier", () => void this.earlier());
  }

  /** Takes in what changed on the server; when too much changed to be told, the list is read again. */
  hear({ changed, removed, more }: ServerFrameOf<"sessions-update">): void {
    this.deletions.forget(removed);
    this.take({ changed, removed });
    if (more || this.problem) void this.refresh();
  }

  /** There are older ones on the server. */
  get more(): boolean {
    return this.next !== undefined;
  }

  /** Reads the pinned ones, and as many of the newest as are held: what is not among them is gone. */
  async refresh(): Promise<void> {
    void this.branches.read();
    const pinned = (signal: AbortSignal) => listSessions({ pinned: true, limit: MOST }, signal);
    await this.read({ limit: Math.min(MOST, Math.max(PAGE, this.reach)) }, pinned, (message) => {
      this.problem = this.page.quiet() ? "" : message;
      this.host.requestUpdate();
    });
  }

  /** The conversation was opened. */
  opened(sessionId: string): void {
    this.deletions.keep(sessionId);
  }

  /** Takes back the latest deletion; says whether there was one. */
  undo(): boolean {
    const latest = this.deletions.sessions.at(-1);
    if (latest) this.deletions.takeBack(latest.sessionId);
    return latest !== undefined;
  }

  /** The list, as a side of the page. */
  list({ reasoner, workspace }: ChatState, { current, shown, drawer }: ListPlace) {
    return html`<sb-sessions
      role="complementary"
      aria-label=${t.page.sessions}
      class=${drawer ? "drawer" : ""}
      ?hidden=${!shown}
      ?drawer=${drawer}
      .sessions=${this.all}
      .current=${current}
      .gone=${this.gone}
      .problem=${this.problem}
      ?known=${this.known}
      ?more=${this.more}
      .reasoner=${reasoner}
      .workspace=${workspace}
    ></sb-sessions>`;
  }

  /** What can be taken back. It is always there: what is new in it is only read out if it was there before. */
  undoing() {
    return html`<sb-undo .sessions=${this.deletions.sessions.slice(-OFFERED)}></sb-undo>`;
  }

  /** Reads older ones. */
  private async earlier(): Promise<void> {
    if (this.reading || this.next === undefined) return;
    const held = () => Promise.resolve({ sessions: this.held });
    await this.read({ limit: PAGE, cursor: this.next }, held, (message) => this.page.say(message));
  }

  /** How many are held that stand in the server's list before all that were not read. */
  private get reach(): number {
    return this.held.filter((session) => changedAt(session) >= this.readTo).length;
  }

  /** Reads a part of the list and adds it to others. A later reading ends an earlier one. */
  private async read(
    part: { limit: number; cursor?: number },
    others: (signal: AbortSignal) => Promise<SessionPage>,
    failed: (message: string) => void,
  ): Promise<void> {
    this.reading?.abort();
    const reading = new AbortController();
    this.reading = reading;
    this.meanwhile = [];
    try {
      const [{ sessions, nextCursor }, beside] = await Promise.all([listSessions(part, reading.signal), others(reading.signal)]);
      if (this.reading !== reading) return;
      const list = this.meanwhile.reduce(changedBy, withChanges(beside.sessions, sessions, []));
      const last = sessions.at(-1);
      this.readTo = last ? changedAt(last) : 0;
      this.next = nextCursor;
      this.known = true;
      this.problem = "";
      this.set(list);
    } catch (error) {
      if (this.reading === reading) failed((error as Error).message);
    } finally {
      if (this.reading === reading) this.reading = undefined;
    }
  }

  private async change(sessionId: string, change: SessionChange): Promise<void> {
    try {
      this.take({ changed: [await changeSession(sessionId, change)], removed: [] });
    } catch (error) {
      this.page.say((error as Error).message);
    }
  }

  private delete(sessionId: string): void {
    const session = this.held.find((each) => each.sessionId === sessionId);
    if (session) this.deletions.begin(session);
  }

  private take(changes: Changes): void {
    if (this.reading) this.meanwhile.push(changes);
    changes.removed.forEach((sessionId) => this.removed.add(sessionId));
    changes.changed.forEach(({ sessionId }) => this.removed.delete(sessionId));
    this.set(changedBy(this.held, changes));
    this.branches.hear(changes.changed, changes.removed);
  }

  private set(list: readonly SessionSummary[]): void {
    this.held = list;
    this.gone = new Set([...this.removed, ...this.deletions.hidden]);
    this.all = list.filter(({ sessionId }) => !this.gone.has(sessionId));
    this.branches.hide(this.gone);
    this.host.requestUpdate();
  }
}

function changedBy(list: readonly SessionSummary[], { changed, removed }: Changes): readonly SessionSummary[] {
  return withChanges(list, changed, removed);
}
