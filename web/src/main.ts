//! The page's beginning: the kept colour scheme, then the one element that is everything else.

import "./components/app/app";
import { keptScheme, useScheme } from "./theme/scheme";

useScheme(keptScheme());
