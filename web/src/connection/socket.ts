//! One WebSocket that comes back by itself: exponential back-off with jitter, at once when the network returns,
//! and a ping that notices a peer which is silent. What to ask for on each connection is the owner's.

import type { ClientFrame, ServerFrame } from "../protocol/generated";
import { ping } from "./commands";

/** How the connection stands. */
export type Status =
  | { kind: "connecting"; silentSince?: number }
  | { kind: "open"; silentSince?: number }
  | { kind: "waiting"; why: string; until: number }
  | { kind: "stopped"; code: number; why: string };

/** What the owner of a socket gives and hears. */
export interface SocketOwner {
  /** The address of the next connection. */
  address(): string;
  frame(frame: ServerFrame): void;
  status(status: Status): void;
  /** Whether something is to come: a reply, or the acknowledgement of a message. */
  waits(): boolean;
  /** The connection closed; `again` says what to do. */
  closed(code: number, opened: boolean): Closing | Promise<Closing>;
}

/** What to do after a close. */
export type Closing = { again: true; why: string; atLeastMs?: number } | { again: false; why: string };

const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 20_000;
const PING_EVERY_MS = 25_000;
/** While something is to come, so much silence is asked about. */
const PING_WAITING_MS = 2_000;
/** So long without an answer is said. */
export const SLOW_MS = 5_000;
/** So long without an answer, and the connection is given up. */
const LOST_MS = 30_000;
const TICK_MS = 500;

/** A WebSocket that comes back by itself. */
export class Socket {
  private socket?: WebSocket;
  private failures = 0;
  private timer?: ReturnType<typeof setTimeout>;
  private ticking?: ReturnType<typeof setInterval>;
  private heardAt = 0;
  /** When the first thing was sent, or the connection begun, that has no answer yet. */
  private askedAt?: number;
  private pinged = false;
  private open = false;
  private slow = false;
  private ended = false;
  private readonly wake = (): void => this.hurry();

  constructor(private readonly owner: SocketOwner) {
    if (typeof window !== "undefined") {
      window.addEventListener("online", this.wake);
      document.addEventListener("visibilitychange", this.wake);
    }
  }

  /** Connects now. */
  connect(): void {
    clearTimeout(this.timer);
    this.drop();
    this.ended = false;
    this.owner.status({ kind: "connecting" });
    this.askedAt = Date.now();
    this.ticking = setInterval(() => this.tick(), TICK_MS);
    let opened = false;
    const socket = new WebSocket(this.owner.address());
    this.socket = socket;
    socket.addEventListener("open", () => {
      opened = true;
      this.heardAt = Date.now();
    });
    socket.addEventListener("message", (event: MessageEvent<unknown>) => {
      this.heard();
      if (typeof event.data === "string") this.owner.frame(JSON.parse(event.data) as ServerFrame);
    });
    socket.addEventListener("close", (event) => {
      if (this.socket === socket) void this.lost(event.code, opened);
    });
  }

  /** The other end has said hello: the next loss starts the back-off anew. */
  ready(): void {
    this.failures = 0;
    this.open = true;
    this.slow = false;
    this.owner.status({ kind: "open" });
  }

  /** Sends if connected; says whether it did. */
  send(frame: ClientFrame): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(frame));
    this.askedAt ??= Date.now();
    return true;
  }

  /** Ends for good. */
  close(): void {
    this.ended = true;
    clearTimeout(this.timer);
    this.drop();
    if (typeof window !== "undefined") {
      window.removeEventListener("online", this.wake);
      document.removeEventListener("visibilitychange", this.wake);
    }
  }

  /** Leaves this connection and comes back on a new one, as after a loss. */
  restart(): void {
    void this.lost(1006, true);
  }

  /** Does not wait any longer for the next try. */
  hurry(): void {
    if (this.timer !== undefined && !this.ended && !document.hidden) this.connect();
  }

  private async lost(code: number, opened: boolean): Promise<void> {
    this.drop();
    const closing = await this.owner.closed(code, opened);
    if (this.ended || this.socket) return;
    if (!closing.again) {
      this.ended = true;
      this.owner.status({ kind: "stopped", code, why: closing.why });
      return;
    }
    const wait = Math.max(closing.atLeastMs ?? 0, backOff(this.failures));
    this.failures += 1;
    this.owner.status({ kind: "waiting", why: closing.why, until: Date.now() + wait });
    this.timer = setTimeout(() => this.connect(), wait);
  }

  /** Asks when it is silent, says so when there is no answer, and gives up when none comes. */
  private tick(): void {
    const now = Date.now();
    const silent = now - this.heardAt;
    const unanswered = this.askedAt === undefined ? 0 : now - this.askedAt;
    const awaited = this.askedAt !== undefined || this.owner.waits();
    if (unanswered >= LOST_MS) void this.lost(1006, this.open);
    else if (unanswered >= SLOW_MS && !this.slow) this.say(true);
    // Not every frame has an answer; a ping has.
    else if (this.open && !this.pinged && silent >= (awaited ? PING_WAITING_MS : PING_EVERY_MS)) this.pinged = this.send(ping());
  }

  private heard(): void {
    this.heardAt = Date.now();
    this.askedAt = undefined;
    this.pinged = false;
    if (this.slow) this.say(false);
  }

  private say(slow: boolean): void {
    this.slow = slow;
    const kind = this.open ? "open" : "connecting";
    this.owner.status(slow ? { kind, silentSince: this.askedAt } : { kind });
  }

  private drop(): void {
    clearInterval(this.ticking);
    clearTimeout(this.timer);
    this.timer = undefined;
    this.askedAt = undefined;
    this.pinged = false;
    this.open = false;
    this.slow = false;
    const { socket } = this;
    this.socket = undefined;
    if (socket && socket.readyState < WebSocket.CLOSING) socket.close(1000);
  }
}

/** How long to wait after so many failures: doubling, with up to a third of chance in it, so that many tabs do not return as one. */
export function backOff(failures: number, chance = Math.random()): number {
  const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures);
  return Math.round(wait * (1 - chance / 3));
}
