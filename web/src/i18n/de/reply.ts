//! German: replies and what can be done with them.

import type { Messages } from "../en";

/** Replies. */
export const reply: Messages["reply"] = {
  code: "Code",
  codeIn: "Code, {language}",
  table: "Tabelle",
  formula: "Formel",
  image: "Bild",
  imageOf: "Bild: {words}",
  notLoaded: "{words} (nicht geladen)",
  done: "erledigt",
  open: "offen",
  footnotes: "Fußnoten",
  footnote: "Fußnote {number}",
  back: "Zurück zum Text",
  copy: "Kopieren",
  copied: "Kopiert",
  notCopied: "Nicht erlaubt",
  copyReply: "Diese Antwort kopieren",
  again: "Noch einmal antworten",
  againHint: "Sendet die Nachricht noch einmal, in einer neuen Unterhaltung, die nur kennt, was davor kam",
  writeRequest: "Diese Anfrage übernehmen: {text}",
  theRest: "Der Rest",
  showRest: "Den Rest zeigen (noch {size})",
  asChart: "Als Diagramm zeichnen",
  diagram: "Diagramm",
  diagramOf: "Diagramm: {kind}",
  diagramWrong: "Dieses Diagramm lässt sich nicht zeichnen: {problem}.",
  diagramUnknown: "Diagramme dieser Art werden hier nicht gezeichnet.",
  diagramSlow: "Dieses Diagramm wurde nicht gezeichnet: Es dauerte zu lange.",
  diagramLarge: "Dieses Diagramm ist zu groß zum Zeichnen.",
  diagramStopped: "Dieses Diagramm wurde nicht gezeichnet, weil es die Seite schon einmal angehalten hat.",
  diagramMany: "Nur die ersten {n} Diagramme einer Antwort werden gezeichnet.",
};
