//! What was dismissed, kept in this browser: the banner of each reasoner, and notices that stay until then.

import type { ReasonerInfo } from "../../protocol/generated";
import type { ChatState } from "../../state/chat";
import { dismiss } from "../../state/reduce";
import type { Store } from "../../state/store";

const BANNER = "switchboard-banner";
const NOTICES = "switchboard-dismissed";
/** How many notices are kept; the oldest go first. */
const MOST_NOTICES = 200;

let dismissed: string | undefined = read(BANNER);

/** Whether the user put the banner of this reasoner away. */
export function bannerDismissed(reasoner: ReasonerInfo): boolean {
  return dismissed === name(reasoner);
}

/** Puts it away. */
export function dismissBanner(reasoner: ReasonerInfo): void {
  dismissed = name(reasoner);
  write(BANNER, dismissed);
}

function name(reasoner: ReasonerInfo): string {
  return `${reasoner.kind} ${reasoner.model ?? ""}`;
}

/** Notices that were dismissed do not come back with the history; said again, they are news. */
export class DismissedNotices {
  /** Those that were looked at. */
  private heard?: ChatState["notices"];
  private kept: readonly string[] = (read(NOTICES) ?? "").split("\n").filter((key) => key !== "");

  constructor(private readonly store: Store) {}

  /** Takes one off the page. */
  add(id: string): void {
    const { sessionId, notices } = this.store.state;
    const stays = notices.some((notice) => notice.id === id && notice.durationMs <= 0);
    if (sessionId !== undefined && stays) this.keep([...this.kept, key(sessionId, id)]);
    this.store.update((state) => dismiss(state, id));
  }

  /** Takes those off that came back, or forgets that they were dismissed. */
  hear({ sessionId, notices, lastSeq, readySeq }: ChatState): void {
    if (sessionId === undefined || notices === this.heard) return;
    this.heard = notices;
    const back = notices.filter(({ id }) => this.kept.includes(key(sessionId, id)));
    if (back.length === 0) return;
    if (lastSeq <= readySeq) this.store.update((state) => back.reduce((rest, { id }) => dismiss(rest, id), state));
    else this.keep(this.kept.filter((kept) => !back.some(({ id }) => key(sessionId, id) === kept)));
  }

  private keep(keys: readonly string[]): void {
    this.kept = [...new Set(keys)].slice(-MOST_NOTICES);
    write(NOTICES, this.kept.join("\n"));
  }
}

/** One line, whatever the id has in it. */
function key(sessionId: string, id: string): string {
  return encodeURIComponent(`${sessionId} ${id}`);
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Not kept, then.
  }
}

function read(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}
