//! English: how the connection stands.

/** The line about the connection. */
export const connection = {
  silent: "The server is not answering.",
  silentKept: "What you write is kept and will be sent.",
  silentFor: "for {seconds} s",
};
