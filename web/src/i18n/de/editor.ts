//! German: the editor of files, and the words that CodeMirror asks for by its own.

import type { Messages } from "../en";

/** The editor. */
export const editor: Messages["editor"] = {
  save: "Speichern",
  saving: "Wird gespeichert …",
  saved: "Gespeichert.",
  unsaved: "Nicht gespeicherte Änderungen",
  unsavedTab: " (nicht gespeichert)",
  tooLarge: "Die Datei hätte {size}. Höchstens {most} lassen sich hier speichern.",
  notKnown: "Ob gespeichert wurde, ist nicht bekannt: Die Unterhaltung wurde währenddessen verlassen.",
  changedWhileRead: "Die Datei hat sich beim Lesen geändert. Schließe das Fenster und öffne es neu.",
  readOnly: {
    value: "Nur zum Lesen: Das ist keine Datei im Arbeitsordner",
    encoding: "Nur zum Lesen: Diese Datei ist nicht in UTF-8, manche Zeichen erscheinen deshalb nicht so, wie sie sind",
    large: "Nur zum Lesen, weil größer als {most}: die ersten {shown} von {all}",
  },
  more: "Mehr zeigen",
  conflict: {
    changed: "Diese Datei hat sich auf der Platte geändert, seit du sie geöffnet hast.",
    gone: "Diese Datei gibt es nicht mehr.",
    unreadable: "Diese Datei lässt sich nicht mehr als Text lesen.",
    compare: "Unterschied zeigen",
    hide: "Unterschied ausblenden",
    legend: "Rot steht auf der Platte, Grün ist von dir.",
    overwrite: "Meine trotzdem speichern",
    create: "Mit meiner neu anlegen",
    take: "Die von der Platte nehmen",
  },
  closing: {
    title: "{title} schließen?",
    says: "Es gibt Änderungen, die nicht gespeichert sind. Beim Schließen gehen sie verloren.",
    discard: "Änderungen verwerfen",
    keep: "Weiter bearbeiten",
  },
  phrases: {
    "Control character": "Steuerzeichen",
    "Selection deleted": "Auswahl gelöscht",
    "Go to line": "Zur Zeile",
    go: "Los",
    Find: "Suchen",
    Replace: "Ersetzen durch",
    next: "Weiter",
    previous: "Zurück",
    all: "Alle",
    "match case": "Groß/klein",
    "by word": "Ganze Wörter",
    regexp: "Regulärer Ausdruck",
    replace: "Ersetzen",
    "replace all": "Alle ersetzen",
    close: "Schließen",
    "current match": "Aktueller Treffer",
    "on line": "in Zeile",
    "replaced match on line $": "In Zeile $ ersetzt",
    "replaced $ matches": "Ersetzt: $",
  },
};
