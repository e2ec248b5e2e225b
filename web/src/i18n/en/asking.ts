//! English: what is asked before something runs, and what is said when it was not allowed.

/** Approvals and refusals. */
export const asking = {
  title: "May {tool} run?",
  review: "Review",
  setAside: "Show the conversation",
  more: "There is more below: scroll on",
  unseen: "You can allow it when you have seen everything that will run.",
  refused: {
    short: { user: "Not allowed", time: "Not allowed in time", rule: "Not allowed by a rule" },
    user: "You did not allow {tool}, so it did not run.",
    time: "Nobody allowed {tool} in time, so it did not run.",
    rule: "A rule does not allow {tool}, so it did not run.",
    reason: "Your reason: {words}",
    untouched: "Nothing was tried in its place. Say what to do instead, or send the request again.",
    rules: "Type /permissions to see the rules.",
    done: "Done before that: {tools}",
  },
  stopped: "Stopped",
};
