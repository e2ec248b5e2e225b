//! English, and the shape that every language has.

import { asking } from "./en/asking";
import { connection } from "./en/connection";
import { dialogs } from "./en/dialogs";
import { editor } from "./en/editor";
import { finding } from "./en/finding";
import { keys } from "./en/keys";
import { listing } from "./en/listing";
import { page } from "./en/page";
import { past } from "./en/past";
import { reply } from "./en/reply";
import { server } from "./en/server";
import { side } from "./en/side";
import { windows } from "./en/windows";
import { work } from "./en/work";
import { writing } from "./en/writing";

/** All words of the page. */
export const en = { locale: "en", asking, connection, dialogs, editor, finding, keys, listing, page, past, reply, server, side, windows, work, writing };

/** The shape of a language. */
export type Messages = typeof en;
