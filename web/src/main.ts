//! The page's beginning: the kept colour scheme, the login that the address may bring, then the one element that is
//! everything else.

import { acceptInvitation } from "./connection/invitation";
import { keptScheme, useScheme } from "./theme/scheme";

useScheme(keptScheme());
await acceptInvitation();
await import("./components/app/app");
