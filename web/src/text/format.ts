//! Small words for sizes, durations and times, said the same way everywhere.

import { t } from "../i18n";
import { fill } from "../i18n/fill";

/** `1.2 KB`; a kilobyte has 1024 bytes, as in file listings. */
export function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const units = ["KB", "MB", "GB"];
  let value = bytes;
  let unit = -1;
  do {
    value /= 1024;
    unit += 1;
  } while (value >= 1024 && unit < units.length - 1);
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** `12 ms`, `1.4 s`, `2 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** `9:41` until a moment; never below zero. */
export function countdown(until: number, now: number): string {
  const seconds = Math.max(0, Math.ceil((until - now) / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** How long ago: `just now`, `5 min ago`, `yesterday`, or the date. */
export function ago(at: string, now: number): string {
  const then = Date.parse(at);
  if (Number.isNaN(then)) return "";
  const minutes = Math.floor((now - then) / 60_000);
  if (minutes < 1) return t.page.justNow;
  if (minutes < 60) return fill(t.page.minutesAgo, { n: minutes });
  if (minutes < 24 * 60) return fill(t.page.hoursAgo, { n: Math.floor(minutes / 60) });
  if (minutes < 48 * 60) return t.page.yesterday;
  return new Date(then).toLocaleDateString(t.locale === "en" ? undefined : t.locale, { day: "numeric", month: "short", year: "numeric" });
}

/** When something was: the time, and the day unless it is today. */
export function moment(at: string, now = Date.now()): string {
  const then = new Date(at);
  if (Number.isNaN(then.getTime())) return "";
  const day = then.toDateString() === new Date(now).toDateString() ? {} : ({ day: "numeric", month: "short" } as const);
  return then.toLocaleString(t.locale === "en" ? undefined : t.locale, { ...day, hour: "2-digit", minute: "2-digit", second: "2-digit" });
}

/** `1 tool`, `2 tools`. */
export function count(n: number, { one, many }: { one: string; many: string }): string {
  return fill(n === 1 ? one : many, { n });
}
