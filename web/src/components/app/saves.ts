//! The saves of files: each is a call of `file_write` by the user's own hand. One whose answer a cut connection kept is
//! sent again with the same id, which the server runs once.

import type { LitElement } from "lit";
import { callTool } from "../../connection/commands";
import { randomId } from "../../connection/session";
import { t } from "../../i18n";
import type { ClientFrame } from "../../protocol/generated";
import type { ChatState } from "../../state/chat";
import type { SaveOutcome } from "../../viewers/saving";

interface Waiting {
  frame: ClientFrame;
  heard: (outcome: SaveOutcome) => void;
}

/** The saves that are under way. */
export class Saves {
  private readonly waiting = new Map<string, Waiting>();

  constructor(
    host: LitElement,
    /** Sends to the server; whether it was sent. */
    private readonly send: (frame: ClientFrame) => boolean,
  ) {
    host.addEventListener("sb-save", ({ detail: { values, heard } }) => {
      const callId = randomId();
      const frame = callTool(callId, "file_write", values);
      if (this.send(frame)) this.waiting.set(callId, { frame, heard });
      else heard({ saved: false });
    });
  }

  /** Takes note of the calls that have ended. */
  hear({ timeline }: ChatState): void {
    for (const callId of this.waiting.keys()) {
      const entry = timeline.findLast(({ kind, id }) => kind === "loose-call" && id === callId);
      if (entry?.kind !== "loose-call" || !entry.call.result) continue;
      const { status, result } = entry.call;
      this.end(callId, status === "done" ? { saved: true, callId } : { saved: false, words: result.error });
    }
  }

  /** The server did not take what was sent; whether that was a save. */
  refused(words: string): boolean {
    const [callId] = this.waiting.keys();
    if (callId !== undefined) this.end(callId, { saved: false, words });
    return callId !== undefined;
  }

  /** There is a connection again. */
  again(): void {
    for (const { frame } of this.waiting.values()) this.send(frame);
  }

  /** The conversation is left, and nothing more is heard of it. */
  leave(): void {
    for (const callId of this.waiting.keys()) this.end(callId, { saved: false, words: t.editor.notKnown });
  }

  private end(callId: string, outcome: SaveOutcome): void {
    const ended = this.waiting.get(callId);
    this.waiting.delete(callId);
    ended?.heard(outcome);
  }
}
