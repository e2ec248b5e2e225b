//! English: the replay of a conversation.

/** The past, and what happened at each event. */
export const past = {
  title: "Replay",
  reading: "Reading earlier events…",
  event: "Event {n} of {all}",
  slider: "Event",
  previous: "Previous event",
  next: "Next event",
  fork: "Go on from here",
  forkHint: "In a new conversation that knows what came until here",
  close: "Back to now",
  events: {
    begins: "{tool} begins",
    done: "{tool} is done",
    failed: "{tool} failed",
    notRun: "{tool} did not run",
    asks: "Asks whether {tool} may run",
    question: "Asks: {words}",
    answered: "Answered",
    stored: "Stored: {names}",
    removed: "Removed: {names}",
    shows: "Shows {title}",
    closes: "A window is closed",
    reply: "Reply",
    error: "It ends without a reply",
    command: "Answer to /{command}",
    title: "Title: {title}",
    other: "State of the conversation",
  },
};
