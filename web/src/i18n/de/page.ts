//! German: the page around the conversation.

import type { Messages } from "../en";

/** The page. */
export const page: Messages["page"] = {
  sessions: "Alle Unterhaltungen",
  variables: "Variablen dieser Unterhaltung",
  notifications: "Vorübergehende Hinweise",
  conversation: "Unterhaltung",
  commandAnswer: "Antwort auf einen Befehl",
  ofContext: "{percent} % des Kontexts",
  tokens: "{used} von {limit} Tokens",
  exportThis: "Diese Unterhaltung exportieren",
  export: "Exportieren",
  justNow: "gerade eben",
  minutesAgo: "vor {n} min",
  hoursAgo: "vor {n} h",
  yesterday: "gestern",
  untitled: "Unterhaltung ohne Titel",
};
