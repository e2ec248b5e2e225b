//! The versions of messages that were edited or sent again. They are no part of a log: each is in a conversation of its own.

/** A version of a message: the conversation that shows it, and its event there. */
export interface Version {
  messageId: string;
  sessionId: string;
  seq: number;
}

/** All versions of messages that have more than one, by the id of each. */
export type Versions = ReadonlyMap<string, readonly Version[]>;

/** No message has another version. */
export const NO_VERSIONS: Versions = new Map();
