//! The list of conversations: changes that are told are put into it, and it is shown in groups by date. Pure.

import type { SessionSummary } from "../protocol/generated";
import { t } from "../i18n";

/** Conversations under a heading. */
export interface Group {
  heading: string;
  sessions: readonly SessionSummary[];
}

/** When it changed last, in milliseconds. */
export function changedAt({ updatedAt }: SessionSummary): number {
  return Date.parse(updatedAt);
}

/** The list with what changed and without what is gone; what nothing was ever written in is not listed. */
export function withChanges(list: readonly SessionSummary[], changed: readonly SessionSummary[], removed: readonly string[]): SessionSummary[] {
  const gone = new Set([...removed, ...changed.map(({ sessionId }) => sessionId)]);
  return newestFirst([...changed.filter(({ lastSeq }) => lastSeq > 0), ...list.filter(({ sessionId }) => !gone.has(sessionId))]);
}

/** Pinned ones first, then by the day of their last change. */
export function grouped(list: readonly SessionSummary[], now: Date): Group[] {
  const groups = new Map<string, SessionSummary[]>();
  for (const session of [...list.filter(({ pinned }) => pinned), ...list.filter(({ pinned }) => !pinned)]) {
    const heading = session.pinned ? t.listing.pinned : dateHeading(changedAt(session), now);
    const group = groups.get(heading);
    if (group) group.push(session);
    else groups.set(heading, [session]);
  }
  return [...groups].map(([heading, sessions]) => ({ heading, sessions }));
}

function dateHeading(at: number, now: Date): string {
  // Not by hours: some days have 23 or 25.
  const begin = (daysAgo: number): number => new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo).getTime();
  if (!(at < begin(0))) return t.listing.today;
  if (at >= begin(1)) return t.listing.yesterday;
  if (at >= begin(7)) return t.listing.week;
  if (at >= begin(30)) return t.listing.month;
  return new Date(at).toLocaleDateString(t.locale === "en" ? undefined : t.locale, { month: "long", year: "numeric" });
}

function newestFirst(list: SessionSummary[]): SessionSummary[] {
  return list.sort((one, other) => changedAt(other) - changedAt(one));
}
