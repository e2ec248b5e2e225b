//! What became of a save.

/** Whether a file was written, by which call, or why not; without words the user knows already. */
export type SaveOutcome = { saved: true; callId: string } | { saved: false; words?: string };
