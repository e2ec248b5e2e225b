//! The words of the page. `t` is the chosen language's; it is set before the page is drawn and stays as it is until the
//! page is loaded again.

import { en, type Messages } from "./en";

export type { Messages } from "./en";

/** The words, by where they stand. */
export let t: Messages = en;

/** Takes other words. */
export function speak(messages: Messages): void {
  t = messages;
}
