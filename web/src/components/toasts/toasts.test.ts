//! Words that pass wait while a card covers the screen. Runs in a DOM: @vitest-environment jsdom

import { html } from "lit";
import { afterEach, expect, it, vi } from "vitest";
import { all, heard, mount } from "../test-dom";
import type { Toasts } from "./toasts";
import "./toasts";

afterEach(() => vi.useRealTimers());

it("passes after its time, of which none goes while a card covers the screen", async () => {
  vi.useFakeTimers();
  const element = await mount<Toasts>(html`<sb-toasts .notices=${[{ id: "a", level: "info", message: "Saved", durationMs: 1000 }]}></sb-toasts>`);
  const dismissed = heard(element, "sb-dismiss");
  all(element, "ol")[0]?.dispatchEvent(new Event("pointerenter"));
  element.room = "none";
  await element.updateComplete;
  await vi.advanceTimersByTimeAsync(5000);
  expect([all(element, "li").length, dismissed]).toEqual([0, []]);

  element.room = "below";
  await element.updateComplete;
  await vi.advanceTimersByTimeAsync(999);
  expect([all(element, "li").length, dismissed]).toEqual([1, []]);
  await vi.advanceTimersByTimeAsync(1);
  expect(dismissed).toEqual([{ id: "a" }]);
});
