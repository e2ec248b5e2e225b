//! Holds the picture and tells the page when it changed. Many frames become one redraw: listeners hear of a change
//! at the next animation frame, or soon after where the tab is hidden and has none; and of what a session had when it was
//! opened as soon as all of that is there.

import type { ServerFrame } from "../protocol/generated";
import { EMPTY, type ChatState } from "./chat";
import { reduce } from "./reduce";

/** How long the page waits for the rest of what a session had: what comes first would be drawn in vain. */
const PATIENCE_MS = 250;

/** The picture and who looks at it. */
export class Store {
  state: ChatState = EMPTY;
  private readonly listeners = new Set<() => void>();
  private told = true;
  /** The last event that the session had when it was opened, and until when it is waited for. */
  private whole = { seq: 0, until: 0 };

  /** Takes a frame in. */
  receive(frame: ServerFrame): void {
    if (frame.type === "session-ready") this.whole = { seq: frame.lastSeq, until: performance.now() + PATIENCE_MS };
    const { behind } = this;
    this.update((state) => reduce(state, frame));
    // There is nothing more to gather.
    if (behind && !this.behind) this.tell();
  }

  /** Changes the picture by a pure function. */
  update(change: (state: ChatState) => ChatState): void {
    const next = change(this.state);
    if (next === this.state) return;
    this.state = next;
    if (!this.told) return;
    this.told = false;
    this.schedule(() => this.tell());
  }

  /** Whether more of what the session had when it was opened is about to come. */
  get behind(): boolean {
    const { sessionId, lastSeq } = this.state;
    return sessionId !== undefined && lastSeq < this.whole.seq && performance.now() < this.whole.until;
  }

  private tell(): void {
    if (this.told) return;
    if (this.behind) return this.schedule(() => this.tell());
    this.told = true;
    for (const listener of this.listeners) listener();
  }

  /** Calls back after changes; the answer ends it. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private schedule(tell: () => void): void {
    if (typeof document === "undefined" || document.hidden) setTimeout(tell, 50);
    else {
      // A tab that is hidden meanwhile gets no animation frame; whichever comes first tells.
      let done = false;
      const once = (): void => {
        if (!done) tell();
        done = true;
      };
      requestAnimationFrame(once);
      setTimeout(once, 250);
    }
  }
}
