//! Shows the conversation and its variables as they stood at one of its events. The log goes on meanwhile; only what is
//! shown stands still.

import { html, nothing, type LitElement } from "lit";
import type { ChatState } from "../../state/chat";
import { Past } from "../../state/past";
import { nowhere } from "../focus";
import type { Replay } from "../replay/replay";

/** How many events are read at once; a conversation is shown from its first one on. */
const PAGE = 1000;

/** What it needs of the page around it. */
export interface ReplayHost {
  /** The picture as it is. */
  now: () => ChatState;
  /** Opens a conversation. */
  open: (sessionId: string) => void;
  /** Reads an older page; whether it could be read. */
  earlier: (count: number) => Promise<boolean>;
  /** Goes on in a new conversation that ends at this event. */
  fork: (seq: number) => void;
  /** Says that the page could not load what it needs. */
  failed: () => void;
  /** Another time is shown. */
  moved: () => void;
  /** The keyboard goes back to where it is when nothing else has it. */
  rest: () => void;
}

/** The replay, from when it is asked for until the page is back at now. */
export class Replaying {
  /** The conversation that is wanted, until all of its log is there. */
  private wanted?: string;
  /** What is shown until then: older pages do not fill the page with turns. */
  private held?: ChatState;
  /** The conversation whose older page is being read. */
  private reading?: string;
  private past?: Past;
  private at = 0;

  constructor(
    private readonly host: LitElement,
    private readonly page: ReplayHost,
  ) {
    host.addEventListener("sb-replay", ({ detail: { sessionId } }) => void this.begin(sessionId));
    host.addEventListener("sb-replay-at", ({ detail }) => this.go(detail.seq));
    host.addEventListener("sb-replay-end", () => this.end());
    host.addEventListener("sb-fork", ({ detail }) => page.fork(detail.seq));
  }

  /** Whether the page is not at now, or is on its way back. */
  get active(): boolean {
    return this.past !== undefined || this.wanted !== undefined;
  }

  /** The event that is shown, unless it is now. */
  get seq(): number | undefined {
    return this.past && this.at;
  }

  /** What is to be shown instead of this. */
  shown(now: ChatState): ChatState {
    return this.past?.at(this.at) ?? this.held ?? now;
  }

  view(online: boolean, covered: boolean) {
    if (!this.active) return nothing;
    return html`<sb-replay ?inert=${covered} .log=${this.past?.log} .at=${this.at} ?online=${online}></sb-replay>`;
  }

  /** Puts the keyboard on the slider. */
  async focus(): Promise<void> {
    await this.host.updateComplete;
    const { bar } = this;
    await bar?.updateComplete;
    bar?.focus();
  }

  /** Takes note of the log, and reads what is missing at its beginning. */
  hear(now: ChatState): void {
    if (this.past && !this.past.follow(now)) this.leave();
    if (this.wanted === undefined || now.sessionId !== this.wanted || now.lastSeq < now.readySeq) return;
    this.held ??= now;
    if (now.firstSeq > 1) return this.read(this.wanted);
    this.wanted = this.held = undefined;
    if (now.lastSeq === 0) return void this.end();
    this.past = new Past(now);
    this.go(now.lastSeq);
    // Somebody may have begun to type elsewhere meanwhile.
    if (nowhere() || this.bar?.matches(":focus-within")) void this.focus();
  }

  /** Goes back to now; whether it was elsewhere. */
  end(): boolean {
    const { active } = this;
    this.leave();
    if (active) {
      this.page.moved();
      void this.host.updateComplete.then(() => this.page.rest());
    }
    return active;
  }

  /** Another conversation is opened. */
  leave(): void {
    this.past = this.wanted = this.held = undefined;
    this.host.requestUpdate();
  }

  private async begin(sessionId: string): Promise<void> {
    try {
      await import("../replay/replay");
    } catch {
      return this.page.failed();
    }
    this.page.open(sessionId);
    this.wanted = sessionId;
    this.host.requestUpdate();
    this.hear(this.page.now());
    await this.focus();
  }

  private get bar(): Replay | null {
    return this.host.renderRoot.querySelector("sb-replay");
  }

  private read(wanted: string): void {
    if (this.reading === wanted) return;
    this.reading = wanted;
    void this.page.earlier(PAGE).then((read) => {
      if (this.reading === wanted) this.reading = undefined;
      if (this.wanted !== wanted) return;
      // The page has said why. Trying again is the user's.
      if (read) this.hear(this.page.now());
      else this.end();
    });
  }

  private go(seq: number): void {
    this.at = Math.max(1, Math.min(seq, this.past?.log.length ?? 1));
    this.host.requestUpdate();
    void this.host.updateComplete.then(() => this.page.moved());
  }
}
