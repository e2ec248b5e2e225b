//! The versions of messages that were edited or sent again: which there are, and the way from one to another.

import type { LitElement } from "lit";
import { branches } from "../../connection/api";
import type { SessionSummary } from "../../protocol/generated";
import { NO_VERSIONS, type Version, type Versions } from "../../state/versions";
import type { FoundWords } from "../events";

/** What branches need of the page around them. */
export interface BranchHost {
  /** The conversation that is open. */
  current: () => string | undefined;
  /** Opens a conversation at a place. */
  open: (sessionId: string, at: FoundWords) => void;
}

/** The branches of the conversation that is open. */
export class Branches {
  /** By the message; the same map until it changes. What was known before stays until more is: versions of a message are the same from each of them. */
  known: Versions = NO_VERSIONS;
  private all: readonly (readonly Version[])[] = [];
  private gone: ReadonlySet<string> = new Set();
  /** The forks that were told of before what is known was read. */
  private readonly forks = new Set<string>();
  private reading?: string;
  private again = false;

  constructor(
    private readonly host: LitElement,
    private readonly page: BranchHost,
  ) {
    host.addEventListener("sb-branch", ({ detail: { sessionId, seq, ...from } }) => page.open(sessionId, { seq, words: [], from }));
  }

  /** Takes note of what changed among the conversations. */
  hear(changed: readonly SessionSummary[], removed: readonly string[]): void {
    const fresh = changed.filter(({ sessionId, forkedFrom }) => forkedFrom && !this.forks.has(sessionId));
    fresh.forEach(({ sessionId }) => this.forks.add(sessionId));
    if (fresh.length > 0 || removed.length > 0) void this.read();
  }

  /** These conversations are not to be seen. */
  hide(gone: ReadonlySet<string>): void {
    this.gone = gone;
    if (this.all.length > 0) this.set(this.all);
  }

  /** Asks the server which there are. */
  async read(): Promise<void> {
    const sessionId = this.page.current();
    this.again = this.reading !== undefined;
    if (sessionId === undefined || this.again) return;
    this.reading = sessionId;
    try {
      const found = await branches(sessionId);
      if (this.page.current() === sessionId) this.set(found);
    } catch {
      // What is known stays. If the server cannot be reached, the page says so.
    } finally {
      this.reading = undefined;
      if (this.again) void this.read();
    }
  }

  private set(all: readonly (readonly Version[])[]): void {
    this.all = all;
    const known = new Map<string, readonly Version[]>();
    for (const versions of all) {
      const there = versions.filter(({ sessionId }) => !this.gone.has(sessionId));
      if (there.length > 1) there.forEach(({ messageId }) => known.set(messageId, there));
    }
    if (isSame(known, this.known)) return;
    this.known = known;
    this.host.requestUpdate();
  }
}

function isSame(one: Versions, other: Versions): boolean {
  return one.size === other.size && [...one].every(([messageId, versions]) => {
    const known = other.get(messageId);
    return known?.length === versions.length && versions.every(({ sessionId, seq }, at) => sessionId === known[at]?.sessionId && seq === known[at].seq);
  });
}
