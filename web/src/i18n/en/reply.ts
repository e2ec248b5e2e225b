//! English: replies and what can be done with them.

/** Replies. */
export const reply = {
  code: "Code",
  codeIn: "Code, {language}",
  table: "Table",
  formula: "Formula",
  image: "Image",
  imageOf: "Image: {words}",
  notLoaded: "{words} (not loaded)",
  done: "done",
  open: "open",
  footnotes: "Footnotes",
  footnote: "Footnote {number}",
  back: "Back to the text",
  copy: "Copy",
  copied: "Copied",
  notCopied: "Not allowed",
  copyReply: "Copy this reply",
  again: "Answer again",
  againHint: "Sends the message once more, in a new conversation that knows only what came before it",
  writeRequest: "Write this request: {text}",
  theRest: "The rest",
  showRest: "Show the rest ({size} more)",
  asChart: "Draw as a chart",
};
