//! German: finding what was said.

import type { Messages } from "../en";

/** The search. */
export const finding: Messages["finding"] = {
  search: "Unterhaltungen durchsuchen",
  found: "Gefunden",
  searching: "Suche läuft…",
  nothing: "Nichts gefunden. Jedes Wort muss in einer Nachricht oder im Titel stehen.",
  conversations: { one: "{n} Unterhaltung", many: "{n} Unterhaltungen" },
  more: "Es gibt mehr: Weitere Wörter grenzen ein.",
  indexing: "Der Server liest noch Unterhaltungen; einige können fehlen.",
  you: "Du:",
  agent: "Agent:",
  shown: "Die gefundene Nachricht wird in der Unterhaltung gezeigt.",
  missed: "Diese Nachricht steht nicht mehr in der Unterhaltung.",
};
