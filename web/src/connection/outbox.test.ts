//! A message is kept until the server has it, also over a reload.

import { describe, expect, it } from "vitest";
import { Outbox, type Outgoing } from "./outbox";

class Shelf {
  readonly held = new Map<string, string>();
  getItem(key: string): string | null {
    return this.held.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    this.held.set(key, value);
  }
  removeItem(key: string): void {
    this.held.delete(key);
  }
}

const item = (messageId: string): Outgoing => ({ messageId, text: messageId, mode: "queue", at: "2026-03-02T09:15:04Z" });

describe("the outbox", () => {
  it("keeps a message over a reload until it is acknowledged", () => {
    const shelf = new Shelf();
    const before = new Outbox(shelf);
    before.attach("s1");
    before.add(item("m1"));

    const after = new Outbox(shelf);
    after.attach("s1");
    expect(after.open).toEqual([item("m1")]);
    expect(after.acknowledge("m1")).toBe(true);
    expect([after.acknowledge("m1"), shelf.held.size]).toEqual([false, 0]);
  });

  it("does not mix sessions", () => {
    const shelf = new Shelf();
    const first = new Outbox(shelf);
    first.attach("s1");
    first.add(item("m1"));
    const second = new Outbox(shelf);
    second.attach("s2");
    expect(second.all).toEqual([]);
  });

  it("takes what was written before the session had an id", () => {
    const shelf = new Shelf();
    const outbox = new Outbox(shelf);
    outbox.add(item("m1"));
    outbox.attach("s1");
    expect([outbox.all, shelf.held.size]).toEqual([[item("m1")], 1]);
  });

  it("a refused message is not sent again by itself", () => {
    const outbox = new Outbox(new Shelf());
    outbox.add(item("m1"));
    expect(outbox.refuse(["m1"], "The disk is full.")).toBe(true);
    expect(outbox.open).toEqual([]);
    expect(outbox.retry("m1")).toEqual(item("m1"));
    expect(outbox.open).toEqual([item("m1")]);
  });

  it("works without storage and with a broken one", () => {
    const shelf = new Shelf();
    shelf.held.set("switchboard-outbox-s1", '[{"messageId":1},"x",null');
    for (const storage of [undefined, shelf]) {
      const outbox = new Outbox(storage);
      outbox.attach("s1");
      outbox.add(item("m1"));
      expect(outbox.all).toEqual([item("m1")]);
    }
  });
});
