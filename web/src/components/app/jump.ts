//! Goes to a found place in a conversation: waits for its log, reads older pages until the place is held, and has it shown.

import type { ChatState } from "../../state/chat";
import { placeOf, type Place } from "../../state/places";
import type { FoundWords } from "../events";

/** How many older pages are read for one jump. */
const PAGES = 200;

/** What the jump needs of the page. */
export interface JumpHost {
  /** Reads an older page; whether it could be read. */
  earlier: () => Promise<boolean>;
  /** Shows the place. */
  show: (place: Place, at: FoundWords) => void;
  /** Says that the place is not there. */
  missed: () => void;
}

/** A jump, from when it is asked for until the place is seen. */
export class Jump {
  private wanted?: { sessionId: string; at: FoundWords; pages: number };
  private reading = false;

  constructor(private readonly host: JumpHost) {}

  /** Goes there as soon as it can; another jump, or none, takes its place. */
  to(sessionId: string | undefined, at: FoundWords | undefined): void {
    this.wanted = sessionId !== undefined && at ? { sessionId, at, pages: 0 } : undefined;
  }

  /** Looks whether the place can be shown now. */
  hear(chat: ChatState): void {
    const { wanted } = this;
    if (!wanted || this.reading || chat.sessionId !== wanted.sessionId || chat.lastSeq < chat.readySeq) return;
    const { seq } = wanted.at;
    const place = placeOf(chat, seq);
    const readAll = chat.firstSeq <= 1 || wanted.pages >= PAGES;
    // The turn may begin in a page before the reply.
    if (chat.firstSeq > seq || (!place && !readAll)) {
      if (readAll) return this.end(() => this.host.missed());
      wanted.pages += 1;
      this.reading = true;
      void this.host.earlier().then((read) => {
        this.reading = false;
        // The page has said why. Trying again is the user's.
        if (!read && this.wanted === wanted) this.wanted = undefined;
      });
    } else if (place) this.end(() => this.host.show(place, wanted.at));
    else this.end(() => this.host.missed());
  }

  private end(with_: () => void): void {
    this.wanted = undefined;
    with_();
  }
}
