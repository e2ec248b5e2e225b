//! German. It has every word that English has; the compiler says so.

import { asking } from "./de/asking";
import { connection } from "./de/connection";
import { dialogs } from "./de/dialogs";
import { editor } from "./de/editor";
import { finding } from "./de/finding";
import { keys } from "./de/keys";
import { listing } from "./de/listing";
import { page } from "./de/page";
import { past } from "./de/past";
import { reply } from "./de/reply";
import { server } from "./de/server";
import { side } from "./de/side";
import { windows } from "./de/windows";
import { work } from "./de/work";
import { writing } from "./de/writing";
import type { Messages } from "./en";

/** All words of the page. */
export const de: Messages = { locale: "de", asking, connection, dialogs, editor, finding, keys, listing, page, past, reply, server, side, windows, work, writing };
