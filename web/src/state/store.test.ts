//! Many frames become one redraw, and what a session had when it was opened is drawn as a whole.

import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { EMPTY } from "./chat";
import { Store } from "./store";
import { message, ready } from "./test-frames";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A store of a session that has so many events, and what is heard of it. */
function opened(lastSeq: number): { store: Store; heard: ReturnType<typeof vi.fn> } {
  const store = new Store();
  const heard = vi.fn();
  store.subscribe(heard);
  store.receive(ready({ lastSeq }));
  return { store, heard };
}

it("tells once of many frames", () => {
  const { store, heard } = opened(0);
  for (const seq of [1, 2, 3]) store.receive(message(seq, `m${seq}`, "Hello"));
  vi.advanceTimersByTime(60);
  expect(heard).toHaveBeenCalledTimes(1);
});

it("waits for what the session had, as long as it is likely to come at once", () => {
  const { store, heard } = opened(3);
  store.receive(message(1, "m1", "Hello"));
  vi.advanceTimersByTime(100);
  expect([store.behind, heard.mock.calls.length]).toEqual([true, 0]);
  for (const seq of [2, 3]) store.receive(message(seq, `m${seq}`, "Hello"));
  // At once: there is nothing more to wait for.
  expect([store.behind, heard.mock.calls.length]).toEqual([false, 1]);
  vi.advanceTimersByTime(100);
  expect([store.behind, heard.mock.calls.length]).toEqual([false, 1]);
});

it("shows what there is when the rest takes long", () => {
  const { store, heard } = opened(3);
  store.receive(message(1, "m1", "Hello"));
  vi.advanceTimersByTime(400);
  expect([store.behind, heard.mock.calls.length]).toEqual([false, 1]);
});

it("does not wait for what a session had that was left", () => {
  const { store, heard } = opened(3);
  store.update(() => EMPTY);
  vi.advanceTimersByTime(60);
  expect([store.behind, heard.mock.calls.length]).toEqual([false, 1]);
});
