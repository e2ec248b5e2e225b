//! German: how the connection stands.

import type { Messages } from "../en";

/** The line about the connection. */
export const connection: Messages["connection"] = {
  reconnecting: "Verbindung wird wiederhergestellt…",
  nextTry: "nächster Versuch in {seconds} s",
  tryNow: "Jetzt versuchen",
  restarting: "Der Server startet neu.",
  tooMuch: "Es wurde zu viel auf einmal gesendet; einen Moment.",
  tooLarge: "Eine Nachricht war zu groß für den Server.",
  serverBusy: "Der Server ist ausgelastet.",
  logEnds: "Das Protokoll des Servers ist nicht das, was diese Seite zeigt; es wird neu geladen.",
  moved: "Ein anderer Server hat dieses Gespräch jetzt.",
  fellBehind: "Dieser Tab ist zurückgeblieben und holt auf.",
  needsToken: "Dieser Server verlangt ein Zugangs-Token.",
  lost: "Die Verbindung ist abgebrochen.",
  refused: "Die Verbindung wurde abgelehnt.",
  unreachable: "Der Server ist nicht erreichbar.",
  foreign: "Der Server nimmt keine Seiten von dieser Adresse an. Öffne die Seite unter der Adresse, die der Server beim Start ausgegeben hat.",
  gone: "Diese Unterhaltung ist nicht auf dem Server.",
  goneWhy: "Vielleicht wurde sie gelöscht, oder der Server wurde mit einem anderen Datenordner gestartet.",
  damaged: "Diese Unterhaltung ist ab Ereignis {seq} beschädigt.",
  damagedWhy: "Gezeigt wird alles, was sich lesen lässt; es kann nichts hinzukommen.",
  goOn: "In einer neuen Unterhaltung weitermachen",
  beginning: "Eine neue Unterhaltung beginnt.",
  messageTooLarge: "Diese Nachricht ist größer als 1 MB. Lege den Text in eine Datei im Arbeitsordner und frage nach der Datei.",
  messageRefused: "Diese Nachricht ist zu groß. Lege den Text in eine Datei im Arbeitsordner und frage nach der Datei.",
  notSent: "Keine Verbindung, deshalb wurde nichts gesendet. Versuche es wieder, sobald die Verbindung steht.",
  newerServer: "Der Server ist neuer als diese Seite. Lade die Seite neu.",
  notDeleted: "Es wurde nicht gelöscht. {why}",
  checkServer: "Der Server ist nicht erreichbar. Prüfe, ob er läuft, und versuche es noch einmal.",
  status: "Der Server antwortete mit {status}.",
  noVariable: "Die Variable {name} gibt es nicht mehr.",
  silent: "Der Server antwortet nicht.",
  silentKept: "Was du schreibst, bleibt erhalten und wird gesendet.",
  silentFor: "seit {seconds} s",
};
