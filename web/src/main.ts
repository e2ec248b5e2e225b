//! The page's beginning: the kept colours, density and language, the login that the address may bring, then the one element that is
//! everything else.

import { acceptInvitation } from "./connection/invitation";
import { useLanguage } from "./i18n/language";
import { keptDensity, useDensity } from "./theme/density";
import { keptScheme, useScheme } from "./theme/scheme";

useScheme(keptScheme());
useDensity(keptDensity());
await useLanguage();
await acceptInvitation();
await import("./components/app/app");
