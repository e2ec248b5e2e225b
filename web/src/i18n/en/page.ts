//! English: the page around the conversation.

/** The page. */
export const page = {
  sessions: "All conversations",
  variables: "Variables of this conversation",
  notifications: "Passing notes",
  conversation: "Conversation",
  commandAnswer: "Answer to a command",
  ofContext: "{percent} % of context",
  tokens: "{used} of {limit} tokens",
  exportThis: "Export this conversation",
  export: "Export",
  justNow: "just now",
  minutesAgo: "{n} min ago",
  hoursAgo: "{n} h ago",
  yesterday: "yesterday",
  untitled: "Untitled conversation",
};
