//! German: what the server has.

import type { Messages } from "../en";

/** Tools, MCP servers and specialists, as the settings show them. */
export const server: Messages["server"] = {
  filter: "Werkzeug suchen",
  some: "{shown} von {tools}",
  unused: "noch nicht verwendet",
  call: { one: "{n} Aufruf", many: "{n} Aufrufe" },
  restart: "Neu starten",
  restartThis: "{server} neu starten",
  restartHint: "Die Antwort kommt in der Unterhaltung",
  modes: {
    ask: "Wo keine Regel gilt, wird ohne Frage gelesen, und bei allem anderen wird gefragt.",
    auto: "Alles, was keine Regel verbietet, läuft ohne Frage, auch wonach eine Regel fragen würde.",
    deny: "Wo keine Regel gilt, wird gelesen, und alles andere ist verboten, auch wonach eine Regel fragen würde.",
  },
  noRules: "In den Einstellungen stehen keine Regeln.",
  order: "Eine Regel, die verbietet, geht vor einer, die fragt, und diese vor einer, die erlaubt.",
  effect: "Wirkung",
  rule: "Regel",
  place: "Quelle",
  effects: { allow: "Läuft", ask: "Fragt", deny: "Verboten" },
  ownRules: "Regeln dieser Unterhaltung",
  agentsLead: "Ein Spezialist ist ein Agent, den andere wie ein Werkzeug aufrufen. Die Schalter gelten für alle Unterhaltungen, bis der Server beendet wird.",
  primary: "führt die Unterhaltungen",
  switchThis: "{agent} darf aufgerufen werden",
  useServer: "{server} wird verwendet",
  heldBack: "{tool} ist nicht mehr, was du zugelassen hast, und wird zurückgehalten.",
  sameWords: "Die Beschreibung ist dieselbe, aber nicht die Parameter oder Anmerkungen.",
  before: "Zugelassen war",
  now: "Jetzt steht da",
  approve: "Zulassen",
  approveThis: "{tool} zulassen, wie es jetzt ist",
  approved: "{tool} ist zugelassen",
  on: "Ein",
  off: "Aus",
};
