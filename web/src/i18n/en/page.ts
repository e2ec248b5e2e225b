//! English: the page around the conversation.

/** The page. */
export const page = {
  sessions: "All conversations",
  variables: "Variables of this conversation",
  notifications: "Passing notes",
  conversation: "Conversation",
  commandAnswer: "Answer to a command",
  untitled: "Untitled conversation",
};
