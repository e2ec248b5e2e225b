//! English, and the shape that every language has.

import { asking } from "./en/asking";
import { connection } from "./en/connection";
import { keys } from "./en/keys";
import { page } from "./en/page";
import { reply } from "./en/reply";

/** All words of the page. */
export const en = { asking, connection, keys, page, reply };

/** The shape of a language. */
export type Messages = typeof en;
