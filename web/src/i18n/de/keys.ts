//! German: the keyboard, the palette and what can be done from it.

import type { Messages } from "../en";

/** Keys, and what they do. */
export const keys: Messages["keys"] = {
  skip: "Zum Nachrichtenfeld springen",
  title: "Tastatur",
  palette: "Befehl oder Unterhaltung finden",
  help: "Diese Liste zeigen",
  stop: "Anhalten, was läuft",
  edit: "Die letzte Nachricht bearbeiten (im leeren Feld)",
  send: "Senden",
  line: "Neue Zeile",
  complete: "Einen Befehl oder @namen vervollständigen",
  undo: "Die zuletzt gelöschte Unterhaltung zurückholen",
  save: "Die Datei im Fenster speichern",
  search: "In der Datei suchen und ersetzen",
  close: "Ein Fenster oder eine Seitenleiste schließen",
  find: "Befehl, Unterhaltung oder @namen eingeben",
  none: "Nichts passt",
  found: "Gefunden",
  actions: {
    new: "Neue Unterhaltung",
    settings: "Einstellungen",
    keys: "Tastaturhilfe",
    conversations: "Unterhaltungen zeigen oder verbergen",
    variables: "Variablen zeigen oder verbergen",
    start: "Zum Anfang dieser Unterhaltung",
    import: "Unterhaltung importieren",
    replay: "Diese Unterhaltung Ereignis für Ereignis abspielen",
    export: "Diese Unterhaltung exportieren",
    stop: "Anhalten, was läuft",
    model: "Sprachmodell und Sandbox",
  },
  kinds: { action: "Aktion", conversation: "Unterhaltung", command: "Befehl", variable: "Variable" },
};
