//! English: the field, its commands and the first examples.

/** Writing. */
export const writing = {
  message: "Message",
  placeholder: "Ask, or type / for commands",
  send: "Send",
  stop: "Stop",
  completions: "Completions",
  modes: {
    queue: { words: "after this turn", hint: "It waits until the current turn ends" },
    steer: { words: "into this turn", hint: "The current turn takes it up at its next step" },
    interrupt: { words: "instead of it", hint: "The current turn stops and this one begins" },
  },
  editing: "A new conversation begins with this message in the place of the old one.",
  cancelEdit: "Cancel edit",
  welcome: "What would you like to do?",
  lead: "Ask in plain words. Switchboard finds the right tool, shows each step, and asks before anything is changed or run.",
  things: "Things to try",
  /** Requests in the language that is understood without a model. */
  samples: [
    { text: "Calculate 42 * 37", shows: "Arithmetic, with units" },
    { text: "What files are in the current directory?", shows: "The workspace folder" },
    { text: "What can you do?", shows: "What to ask for" },
    { text: "Remember that my favorite color is blue", shows: "Variables" },
    { text: "What time is it?", shows: "The clock" },
  ],
  commands: {
    help: { usage: "/help [command]", does: "What the commands do" },
    context: { usage: "/context", does: "The variables of this conversation" },
    clear: { usage: "/clear", does: "Remove all variables and operations" },
    new: { usage: "/new", does: "Begin a new conversation in this session" },
    tools: { usage: "/tools [query]", does: "The tools, or those that fit a request" },
    try: { usage: "/try <tool> [text]", does: "The last request again, with a tool you choose" },
    permissions: { usage: "/permissions", does: "The rules for what may run; add and remove them" },
    undo: { usage: "/undo [n]", does: "Restore files to how they were" },
    agents: { usage: "/agents [on|off <id>]", does: "The specialists; switch them on and off" },
    model: { usage: "/model [name]", does: "The language model in use, or another one" },
    mcp: { usage: "/mcp [server]", does: "The MCP servers: state, restart, approve" },
    history: { usage: "/history [n]", does: "The latest operations" },
    debug: { usage: "/debug", does: "The state of this session" },
    save: { usage: "/save <name>", does: "Save the current variables under a name" },
    load: { usage: "/load <name>", does: "Restore saved variables" },
    export: { usage: "/export", does: "The conversation as a file" },
    fork: { usage: "/fork [seq]", does: "A new conversation from this one" },
    rerun: { usage: "/rerun [messageId] [text]", does: "The last message again, in a new conversation" },
  },
};
