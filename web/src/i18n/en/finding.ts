//! English: finding what was said.

/** The search. */
export const finding = {
  search: "Search conversations",
  found: "What was found",
  searching: "Searching…",
  nothing: "Nothing was found. Every word must stand in one message, or in the title.",
  conversations: { one: "{n} conversation", many: "{n} conversations" },
  more: "There are more: more words find fewer.",
  indexing: "The server is still reading conversations; some may be missing.",
  you: "You:",
  agent: "Agent:",
  shown: "The message that was found is shown in the conversation.",
  missed: "That message is no longer in this conversation.",
};
