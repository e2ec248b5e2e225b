//! How much of a conversation is read, and drawn, when it is opened: first what is seen of its end, then the rest of a page.

/** How many events a page of the log has. */
export const PAGE = 200;

/** The least height of a turn, a line for the message and a line for the reply, in pixels. */
const LOWEST = 140;

/** How many turns fill the view, however low they are; one where it has no height. */
export function entriesInView(): number {
  return Math.max(1, Math.ceil(window.innerHeight / LOWEST));
}
