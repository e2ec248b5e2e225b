//! One session as the page uses it: connects, resumes from the last event it has, keeps what is not acknowledged,
//! and turns close codes into words. The store is the only thing it writes to besides its own standing.

import { PROTOCOL_VERSION, type ClientFrame, type Mode, type ServerFrame, type ServerFrameOf } from "../protocol/generated";
import { t } from "../i18n";
import { EMPTY } from "../state/chat";
import { prepend } from "../state/pages";
import { leavesHole, notify } from "../state/reduce";
import type { Store } from "../state/store";
import { byteLength } from "../text/utf8";
import { eventsBefore, reachability } from "./api";
import { cancel, sendMessage } from "./commands";
import { entriesInView, PAGE } from "./opening";
import { Outbox } from "./outbox";
import { Socket, type Closing, type SocketOwner, type Status } from "./socket";

/** The largest message that the server takes. */
const LARGEST_MESSAGE = 1024 * 1024;

/** One session as the page uses it. */
export class Session implements SocketOwner {
  standing: Status = { kind: "connecting" };
  /** What the server wants before anything else. */
  needs?: "login" | "gone" | "forbidden";
  readonly outbox: Outbox;
  private readonly socket: Socket;

  /** Hears of a session that a command of this tab has made. */
  made: (sessionId: string) => void = () => undefined;
  /** Hears of what the server did not take and that was no message; says whether it has told the user. */
  refused: (words: string) => boolean = () => false;
  /** Hears of changes in the list of sessions. */
  listed: (news: ServerFrameOf<"sessions-update">) => void = () => undefined;
  /** The older page that is being read. */
  private earlier?: Promise<void>;
  /** Only the last messages were asked for. */
  private short = false;

  constructor(
    private readonly store: Store,
    private id: string | undefined,
    private readonly changed: () => void,
    storage: Storage | undefined = sessionStorageIfAllowed(),
  ) {
    this.outbox = new Outbox(storage);
    if (id !== undefined) this.outbox.attach(id);
    this.socket = new Socket(this);
    this.socket.connect();
  }

  /** Sends a message, now or as soon as there is a connection. */
  send(text: string, mode: Mode, attachments?: readonly string[]): boolean {
    if (byteLength(text) > LARGEST_MESSAGE) {
      this.say(t.connection.messageTooLarge);
      return false;
    }
    const item = { messageId: randomId(), text, mode, at: new Date().toISOString(), ...(attachments && { attachments }) };
    this.outbox.add(item);
    if (this.standing.kind === "open") this.socket.send(sendMessage(item));
    this.changed();
    return true;
  }

  /** Sends a refused message again. */
  retry(messageId: string): void {
    const item = this.outbox.retry(messageId);
    if (item) this.socket.send(sendMessage(item));
    this.changed();
  }

  /** Forgets a refused message. */
  forget(messageId: string): void {
    this.outbox.acknowledge(messageId);
    this.changed();
  }

  /** Stops one message's turn, or the running turn and all that wait. */
  cancel(messageId?: string): void {
    this.command(cancel(messageId));
  }

  /** Sends anything else; it is not kept when there is no connection, and the user hears of it. */
  command(frame: ClientFrame): boolean {
    const sent = this.standing.kind === "open" && this.socket.send(frame);
    if (!sent) this.say(t.connection.notSent);
    return sent;
  }

  /** Tries at once to connect. */
  reconnect(): void {
    this.needs = undefined;
    this.socket.connect();
  }

  /** Reads what is missing of the page that a conversation opens with: at first only what is seen of its end is asked for. */
  async fill(): Promise<void> {
    const { firstSeq, readySeq } = this.store.state;
    const missing = PAGE - (readySeq - firstSeq + 1);
    if (!this.short || missing <= 0) return;
    this.short = false;
    // What is older comes when the reader asks for it, and then an error is told.
    await this.loadEarlier(missing).catch(() => (this.short = true));
  }

  /** Reads one older page of the log; who asks meanwhile waits for the same one. */
  loadEarlier(count = PAGE): Promise<void> {
    this.earlier ??= this.readEarlier(count).finally(() => (this.earlier = undefined));
    return this.earlier;
  }

  private async readEarlier(count: number): Promise<void> {
    const { sessionId, firstSeq } = this.store.state;
    if (sessionId === undefined || firstSeq <= 1) return;
    const page = await eventsBefore(sessionId, firstSeq, count);
    if (this.store.state.sessionId === sessionId) this.store.update((state) => prepend(state, page));
  }

  close(): void {
    this.socket.close();
  }

  /** Says something to the user in passing. */
  say(message: string, level: "error" | "info" = "error"): void {
    this.store.update((state) => notify(state, { id: `page-${message}`, level, message, durationMs: 8000 }));
  }

  address(): string {
    // This page shows windows and the list.
    const base = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws?viewer=1&list=1`;
    const { sessionId, lastSeq, generation } = this.store.state;
    const history = generation === undefined ? "" : `&generation=${encodeURIComponent(generation)}`;
    if (sessionId !== undefined) return `${base}&session=${sessionId}&after=${lastSeq}${history}`;
    return this.id === undefined ? base : `${base}&session=${encodeURIComponent(this.id)}&tail=${PAGE}&messages=${entriesInView()}`;
  }

  frame(frame: ServerFrame): void {
    if (frame.type === "sessions-update") return this.listed(frame);
    if (leavesHole(this.store.state, frame)) {
      this.socket.restart();
      return;
    }
    if (this.settles(frame)) this.changed();
    if (!this.isMine(frame)) this.store.receive(frame);
    if (frame.type === "session-ready") this.ready(frame);
  }

  status(status: Status): void {
    this.standing = status;
    this.changed();
  }

  waits(): boolean {
    const { busy, approvals, queries } = this.store.state;
    const working = busy !== undefined && approvals.length + queries.length === 0;
    return working || this.outbox.open.length > 0;
  }

  async closed(code: number, opened: boolean): Promise<Closing> {
    switch (code) {
      case 1001:
        return { again: true, why: t.connection.restarting };
      case 1008:
        return { again: true, why: t.connection.tooMuch, atLeastMs: 10_000 };
      case 1009:
        this.refuseLargest();
        return { again: true, why: t.connection.tooLarge };
      case 1013:
        return { again: true, why: t.connection.serverBusy, atLeastMs: 5_000 };
      case 4004:
        return this.unknownSession();
      case 4005:
        return { again: true, why: t.connection.moved };
      case 4007:
        this.id = this.store.state.sessionId ?? this.id;
        this.store.update(() => EMPTY);
        return { again: true, why: t.connection.logEnds };
      case 4013:
        return { again: true, why: t.connection.fellBehind };
      case 4401:
        return this.stop("login", t.connection.needsToken);
      default:
        return opened ? { again: true, why: t.connection.lost } : this.notOpened();
    }
  }

  private ready({ sessionId, protocolVersion, snapshot }: ServerFrameOf<"session-ready">): void {
    this.id = sessionId;
    this.short = snapshot !== undefined;
    this.needs = undefined;
    this.outbox.attach(sessionId);
    this.socket.ready();
    for (const item of this.outbox.open) {
      this.socket.send(sendMessage(item));
    }
    if (protocolVersion > PROTOCOL_VERSION) this.say(t.connection.newerServer, "info");
    this.changed();
  }

  /** Takes from the frame what it says about messages on their way; says whether it did. */
  private settles(frame: ServerFrame): boolean {
    if (frame.type === "user-message") return this.outbox.acknowledge(frame.messageId);
    if (frame.type === "command-response" || frame.type === "command-error") {
      const mine = frame.turnId !== undefined && this.outbox.acknowledge(frame.turnId);
      if (mine && frame.type === "command-response" && frame.sessionId) this.made(frame.sessionId);
      return mine;
    }
    const refused = frame.type === "agent-error" && frame.seq === undefined ? frame.turnId : undefined;
    if (frame.type !== "agent-error" || refused === undefined) return false;
    return this.outbox.refuse([refused], [frame.text, ...frame.suggestions].join(" "));
  }

  /** What only concerns this tab: a repeated acknowledgement, a refusal that stands beside what was refused. */
  private isMine(frame: ServerFrame): boolean {
    if (frame.type === "user-message") return frame.repeated ?? false;
    if (frame.type !== "agent-error" || frame.seq !== undefined) return false;
    return frame.turnId === undefined ? this.refused([frame.text, ...frame.suggestions].join(" ")) : this.outbox.has(frame.turnId);
  }

  private refuseLargest(): void {
    const large = this.outbox.open.filter((item) => byteLength(item.text) > LARGEST_MESSAGE / 2);
    this.outbox.refuse(
      large.map((item) => item.messageId),
      t.connection.messageRefused,
    );
  }

  /** A session in which nothing was ever written is not kept by the server: a new one is as good. */
  private unknownSession(): Closing {
    const { sessionId, lastSeq } = this.store.state;
    if (sessionId === undefined || lastSeq > 0) {
      return this.stop("gone", t.connection.gone);
    }
    this.id = undefined;
    this.outbox.detach();
    this.store.update(() => EMPTY);
    return { again: true, why: t.connection.beginning };
  }

  private async notOpened(): Promise<Closing> {
    switch (await reachability()) {
      case "login":
        return this.stop("login", t.connection.needsToken);
      case "forbidden":
        return this.stop("forbidden", t.connection.foreign);
      case "ok":
        return { again: true, why: t.connection.refused };
      default:
        return { again: true, why: t.connection.unreachable };
    }
  }

  private stop(needs: "login" | "gone" | "forbidden", why: string): Closing {
    this.needs = needs;
    return { again: false, why };
  }
}

/** A random UUID, also on pages that are not a secure context. */
export function randomId(): string {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** What this tab keeps over a reload, where the browser lets it. */
export function sessionStorageIfAllowed(): Storage | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}
