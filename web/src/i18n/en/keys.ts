//! English: the keyboard, the palette and what can be done from it.

/** Keys, and what they do. */
export const keys = {
  skip: "Skip to the message field",
  title: "Keyboard",
  palette: "Find a command or a conversation",
  help: "Show this list",
  stop: "Stop what runs",
  edit: "Edit the last message (in an empty field)",
  send: "Send",
  line: "A new line",
  complete: "Complete a command or a @name",
  undo: "Bring back the conversation that was deleted last",
  save: "Save the file in its window",
  search: "Find and replace in the file",
  close: "Close a window or a side",
  find: "Type a command, a conversation or a @name",
  none: "Nothing fits",
  found: "Found",
  actions: {
    new: "New chat",
    settings: "Settings",
    keys: "Keyboard help",
    conversations: "Show or hide the conversations",
    variables: "Show or hide the variables",
    replay: "Replay this conversation event by event",
    export: "Export this conversation",
    stop: "Stop what runs",
    model: "Language model and sandbox",
  },
  kinds: { action: "Action", conversation: "Conversation", command: "Command", variable: "Variable" },
};
