//! How the conversation stood at one of its events. Pictures are never changed in place, so some of those on the way are
//! kept: going back or forth folds a few events and not the whole log.

import type { ServerFrame } from "../protocol/generated";
import { EMPTY, type ChatState } from "./chat";
import { reduce } from "./reduce";

/** How many events lie between two pictures that are kept. */
const STRIDE = 200;

/** A picture of the past holds no log: it is the one of now, and need not be copied at each event. */
const NO_LOG: readonly ServerFrame[] = [];

/** A whole log and the pictures of it. */
export class Past {
  /** The picture before every `STRIDE`-th event. */
  private readonly kept: ChatState[];
  private last?: ChatState;

  /** Looks back from this picture, which must hold its log from the first event on. */
  constructor(private now: ChatState) {
    const { sessionId, title, reasoner, sandbox, protocolVersion, generation } = now;
    // All its events are news to it, so that it knows what waited for an answer, and what ran.
    this.kept = [{ ...EMPTY, sessionId, title, reasoner, sandbox, protocolVersion, generation }];
  }

  /** Its events, in order: the first has the number 1. */
  get log(): readonly ServerFrame[] {
    return this.now.log;
  }

  /** Takes in what came since; whether it is the same history still. */
  follow(now: ChatState): boolean {
    const same = now.sessionId === this.now.sessionId && now.generation === this.now.generation && now.lastSeq >= this.now.lastSeq;
    if (same) this.now = now;
    return same;
  }

  /** The picture after the event of this number; at the last one it is what is now. */
  at(seq: number): ChatState {
    if (seq === this.now.lastSeq) return this.now;
    if (this.last?.lastSeq === seq) return this.last;
    const from = Math.min(Math.floor(seq / STRIDE), this.kept.length - 1);
    let picture = this.kept[from] as ChatState;
    for (const frame of this.log.slice(from * STRIDE, seq)) {
      if (picture.lastSeq === this.kept.length * STRIDE) this.kept.push(picture);
      picture = { ...reduce(picture, frame), log: NO_LOG, firstSeq: 1 };
    }
    return (this.last = picture);
  }
}
