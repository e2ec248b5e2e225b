//! German: the field, its commands and the first examples.

import type { Messages } from "../en";

/** Writing. */
export const writing: Messages["writing"] = {
  message: "Nachricht",
  placeholder: "Fragen, oder / für Befehle",
  send: "Senden",
  stop: "Anhalten",
  completions: "Vorschläge",
  modes: {
    queue: { words: "danach", hint: "Wartet, bis das Laufende zu Ende ist" },
    steer: { words: "dazu", hint: "Kommt beim nächsten Schritt hinzu" },
    interrupt: { words: "stattdessen", hint: "Das Laufende hält an, und dies beginnt" },
  },
  editing: "Mit dieser Nachricht anstelle der alten beginnt eine neue Unterhaltung.",
  cancelEdit: "Nicht bearbeiten",
  welcome: "Was möchtest du tun?",
  lead: "Frag in einfachen Worten. Switchboard findet das passende Werkzeug, zeigt jeden Schritt und fragt, bevor etwas geändert oder ausgeführt wird.",
  things: "Zum Ausprobieren",
  samples: [
    { text: "Calculate 42 * 37", shows: "Rechnen, auch mit Einheiten" },
    { text: "What files are in the current directory?", shows: "Der Arbeitsordner" },
    { text: "What can you do?", shows: "Was man fragen kann" },
    { text: "Remember that my favorite color is blue", shows: "Variablen" },
    { text: "What time is it?", shows: "Die Uhr" },
  ],
  commands: {
    help: { usage: "/help [command]", does: "Was die Befehle tun" },
    context: { usage: "/context", does: "Die Variablen dieser Unterhaltung" },
    clear: { usage: "/clear", does: "Alle Variablen und Vorgänge löschen" },
    new: { usage: "/new", does: "In dieser Sitzung neu beginnen" },
    tools: { usage: "/tools [query]", does: "Die Werkzeuge, oder die zu einer Anfrage passenden" },
    try: { usage: "/try <tool> [text]", does: "Die letzte Anfrage noch einmal, mit einem Werkzeug nach Wahl" },
    permissions: { usage: "/permissions", does: "Die Regeln, was laufen darf; hinzufügen und entfernen" },
    undo: { usage: "/undo [n]", does: "Dateien zurücksetzen" },
    agents: { usage: "/agents [on|off <id>]", does: "Die Spezialisten; ein- und ausschalten" },
    model: { usage: "/model [name]", does: "Das Sprachmodell in Gebrauch, oder ein anderes" },
    mcp: { usage: "/mcp [server]", does: "Die MCP-Server: Zustand, Neustart, Freigabe" },
    history: { usage: "/history [n]", does: "Die letzten Vorgänge" },
    debug: { usage: "/debug", does: "Der Zustand dieser Sitzung" },
    save: { usage: "/save <name>", does: "Die Variablen unter einem Namen sichern" },
    load: { usage: "/load <name>", does: "Gesicherte Variablen wiederherstellen" },
    export: { usage: "/export", does: "Die Unterhaltung als Datei" },
    fork: { usage: "/fork [seq]", does: "Eine neue Unterhaltung aus dieser" },
    rerun: { usage: "/rerun [messageId] [text]", does: "Die letzte Nachricht noch einmal, in einer neuen Unterhaltung" },
  },
};
