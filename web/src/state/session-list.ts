//! The list of conversations: changes that are told are put into it, and it is shown in groups by date. Pure.

import type { SessionSummary } from "../protocol/generated";
import { t } from "../i18n";

/** Conversations under a heading. */
export interface Group {
  heading: string;
  sessions: readonly SessionSummary[];
}

const DAY = 24 * 60 * 60 * 1000;

/** The list with what changed and without what is gone; what nothing was ever written in is not listed. */
export function withChanges(list: readonly SessionSummary[], changed: readonly SessionSummary[], removed: readonly string[]): SessionSummary[] {
  const gone = new Set([...removed, ...changed.map(({ sessionId }) => sessionId)]);
  return newestFirst([...changed.filter(({ lastSeq }) => lastSeq > 0), ...list.filter(({ sessionId }) => !gone.has(sessionId))]);
}

/** The list with its newest part as it was just read: what should be in that part and is not is gone. */
export function withNewest(list: readonly SessionSummary[], read: readonly SessionSummary[], whole: boolean): SessionSummary[] {
  const last = read.at(-1);
  const held = new Set(read.map(({ sessionId }) => sessionId));
  const older = whole || !last ? [] : list.filter((session) => session.pinned || time(session) < time(last));
  return newestFirst([...read.filter(({ lastSeq }) => lastSeq > 0), ...older.filter(({ sessionId }) => !held.has(sessionId))]);
}

/** Pinned ones first, then by the day of their last change. */
export function grouped(list: readonly SessionSummary[], now: Date): Group[] {
  const groups = new Map<string, SessionSummary[]>();
  for (const session of [...list.filter(({ pinned }) => pinned), ...list.filter(({ pinned }) => !pinned)]) {
    const heading = session.pinned ? t.listing.pinned : dateHeading(time(session), now);
    groups.set(heading, [...(groups.get(heading) ?? []), session]);
  }
  return [...groups].map(([heading, sessions]) => ({ heading, sessions }));
}

function dateHeading(at: number, now: Date): string {
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  if (!(at < today)) return t.listing.today;
  // Noon of the day before, so that a day of 23 hours is one too.
  if (at >= new Date(today - DAY / 2).setHours(0, 0, 0, 0)) return t.listing.yesterday;
  if (at >= today - 7 * DAY) return t.listing.week;
  if (at >= today - 30 * DAY) return t.listing.month;
  return new Date(at).toLocaleDateString(t.locale === "en" ? undefined : t.locale, { month: "long", year: "numeric" });
}

function newestFirst(list: SessionSummary[]): SessionSummary[] {
  return list.sort((one, other) => time(other) - time(one));
}

function time({ updatedAt }: SessionSummary): number {
  return Date.parse(updatedAt);
}
