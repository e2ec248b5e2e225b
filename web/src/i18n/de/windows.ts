//! German: the windows beside the conversation.

import type { Messages } from "../en";

/** Windows and what they show. */
export const windows: Messages["windows"] = {
  pane: "Fenster",
  tabs: "Offene Fenster",
  close: "{title} schließen",
  hide: "Fenster ausblenden",
  open: "{title} in einem Fenster öffnen",
  show: "Zeigen",
  isOpen: "Offen",
  download: "Herunterladen",
  version: "Version {n} von {m}",
  before: "Vorige Version",
  after: "Nächste Version",
  kinds: { editor: "Text", image: "Bild", directory: "Ordner", table: "Tabelle", markdown: "Dokument", pdf: "PDF", diff: "Änderungen", chart: "Diagramm" },
  notText: "Das ist kein Text und lässt sich hier nicht zeigen. Lade es herunter, um es mit einem anderen Programm zu öffnen.",
  noPicture: "Das ist kein Bild, das der Browser zeigen kann.",
  noTable: "Darin ist keine Tabelle.",
  smaller: "Kleiner",
  larger: "Größer",
  fit: "Einpassen",
  pixels: "{width} × {height} Pixel, {percent} %",
  up: "Nach oben",
  workspace: "Arbeitsordner",
  files: "Dateien und Ordner",
  emptyFolder: "Dieser Ordner ist leer.",
  moreFiles: "Es gibt mehr; nur die ersten 10.000 sind aufgeführt.",
  filter: "Zeilen filtern",
  rows: "{shown} von {all} Zeilen",
  moreRows: "Weitere Zeilen",
};
