//! German: the list of conversations and what is done to one of them.

import type { Messages } from "../en";

/** The list. */
export const listing: Messages["listing"] = {
  pinned: "Angeheftet",
  today: "Heute",
  yesterday: "Gestern",
  week: "Vorige 7 Tage",
  month: "Vorige 30 Tage",
  actions: "Aktionen für {title}",
  menu: "Was sich tun lässt",
  pin: "Anheften",
  unpin: "Loslösen",
  rename: "Umbenennen",
  replay: "Ereignis für Ereignis abspielen",
  page: "Als Seite zum Teilen speichern",
  export: "Für einen anderen Server exportieren",
  delete: "Löschen",
  import: "Unterhaltung importieren…",
  importing: "{name} wird importiert…",
  notImported: "{name} wurde nicht importiert: {why}",
  earlier: "Frühere Unterhaltungen",
  deleted: "„{title}“ wurde gelöscht.",
  takeBack: "Löschungen, die sich zurücknehmen lassen",
  undo: "Rückgängig",
};
