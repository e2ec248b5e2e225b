//! The pictures that a call gave. What shows them is loaded with the first.

import { html, nothing } from "lit";
import type { Call } from "../../state/chat";

/** It is loaded once, unless that fails: then with the next. */
let loaded: Promise<unknown> | undefined;

/** The pictures of a call, if it gave any. */
export function pictures({ tool, result }: Call, session: string) {
  if (!result?.pictures) return nothing;
  loaded ??= import("./pictures").catch(() => (loaded = undefined));
  return html`<sb-pictures .session=${session} .tool=${tool} .all=${result.pictures}></sb-pictures>`;
}
