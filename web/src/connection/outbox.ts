//! Messages that the server has not acknowledged. They are kept over a reload of the page and sent again with the
//! same id on every connection, so that none is lost and none is taken twice.

import type { Mode } from "../protocol/generated";

/** A message on its way. */
export interface Outgoing {
  messageId: string;
  text: string;
  mode: Mode;
  at: string;
  /** The variables that belong to it. */
  attachments?: readonly string[];
  /** The server said no, and why; it is not sent again by itself. */
  refused?: string;
}

/** The messages of one session that are on their way. */
export class Outbox {
  private items: Outgoing[] = [];
  private key?: string;

  constructor(private readonly storage: Pick<Storage, "getItem" | "setItem" | "removeItem"> | undefined) {}

  /** Takes up what was left for this session when the page went away. */
  attach(sessionId: string): void {
    const key = `switchboard-outbox-${sessionId}`;
    if (this.key === key) return;
    const fresh = this.key === undefined ? this.items : [];
    this.key = key;
    this.items = [...this.load(key), ...fresh];
    this.save();
  }

  /** The session is not there any more: its messages wait for the next one. */
  detach(): void {
    if (this.key !== undefined) this.storage?.removeItem(this.key);
    this.key = undefined;
  }

  get all(): readonly Outgoing[] {
    return this.items;
  }

  /** Those to send. */
  get open(): Outgoing[] {
    return this.items.filter((item) => item.refused === undefined);
  }

  add(item: Outgoing): void {
    this.items = [...this.items, item];
    this.save();
  }

  has(messageId: string | undefined): boolean {
    return this.items.some((item) => item.messageId === messageId);
  }

  /** The server has it, or the user does not want it any more; says whether it was here. */
  acknowledge(messageId: string): boolean {
    if (!this.has(messageId)) return false;
    this.items = this.items.filter((item) => item.messageId !== messageId);
    this.save();
    return true;
  }

  /** The server does not take these; says whether any was here. */
  refuse(messageIds: readonly string[], why: string): boolean {
    const known = messageIds.some((id) => this.has(id));
    this.items = this.items.map((item) => (messageIds.includes(item.messageId) ? { ...item, refused: why } : item));
    this.save();
    return known;
  }

  /** Sent again by the user. */
  retry(messageId: string): Outgoing | undefined {
    this.items = this.items.map(({ refused, ...item }) =>
      item.messageId === messageId || refused === undefined ? item : { ...item, refused },
    );
    this.save();
    return this.items.find((item) => item.messageId === messageId);
  }

  private load(key: string): Outgoing[] {
    try {
      const held: unknown = JSON.parse(this.storage?.getItem(key) ?? "[]");
      return Array.isArray(held) ? held.filter(isOutgoing) : [];
    } catch {
      return [];
    }
  }

  private save(): void {
    if (this.key === undefined) return;
    try {
      if (this.items.length === 0) this.storage?.removeItem(this.key);
      else this.storage?.setItem(this.key, JSON.stringify(this.items));
    } catch {
      // A full or forbidden storage costs only what a reload would have kept.
    }
  }
}

function isOutgoing(value: unknown): value is Outgoing {
  const item = value as Partial<Outgoing> | null | undefined;
  return typeof item?.messageId === "string" && typeof item.text === "string" && typeof item.mode === "string";
}
