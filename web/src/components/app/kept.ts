//! Whether the banner was dismissed, kept in this browser for each reasoner.

import type { ReasonerInfo } from "../../protocol/generated";

const KEY = "switchboard-banner";
let dismissed: string | undefined = read();

/** Whether the user put the banner of this reasoner away. */
export function bannerDismissed(reasoner: ReasonerInfo): boolean {
  return dismissed === name(reasoner);
}

/** Puts it away. */
export function dismissBanner(reasoner: ReasonerInfo): void {
  write(name(reasoner));
}

function name(reasoner: ReasonerInfo): string {
  return `${reasoner.kind} ${reasoner.model ?? ""}`;
}

function write(value: string): void {
  dismissed = value;
  try {
    localStorage.setItem(KEY, value);
  } catch {
    // Not kept, then.
  }
}

function read(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}
