//! German: the replay of a conversation.

import type { Messages } from "../en";

/** The past, and what happened at each event. */
export const past: Messages["past"] = {
  title: "Wiedergabe",
  reading: "Frühere Ereignisse werden gelesen …",
  event: "Ereignis {n} von {all}",
  slider: "Ereignis",
  previous: "Voriges Ereignis",
  next: "Nächstes Ereignis",
  fork: "Ab hier weitermachen",
  forkHint: "In einer neuen Unterhaltung, die weiß, was bis hierher geschah",
  close: "Zurück zum aktuellen Stand",
  events: {
    begins: "{tool} beginnt",
    done: "{tool} ist fertig",
    failed: "{tool} ist fehlgeschlagen",
    notRun: "{tool} lief nicht",
    asks: "Fragt, ob {tool} laufen darf",
    question: "Fragt: {words}",
    answered: "Beantwortet",
    stored: "Gespeichert: {names}",
    removed: "Entfernt: {names}",
    shows: "Zeigt {title}",
    closes: "Ein Fenster wird geschlossen",
    reply: "Antwort",
    error: "Es endet ohne Antwort",
    command: "Antwort auf /{command}",
    title: "Titel: {title}",
    other: "Stand der Unterhaltung",
  },
};
