//! A question is answered by a choice, by words, or not at all. Runs in a DOM: @vitest-environment jsdom

import { html } from "lit";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ServerFrameOf } from "../../protocol/generated";
import { ARMING_MS } from "../card/card";
import { all, button, heard, mount, settled, words } from "../test-dom";
import type { Query } from "./query";
import "./query";

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse("2026-03-02T09:15:00Z") });
});

afterEach(() => {
  vi.useRealTimers();
});

async function card(more: Partial<ServerFrameOf<"user-query">> = {}): Promise<Query> {
  const request = { type: "user-query", queryId: "q1", kind: "query", message: "Which file?", expiresAt: "2026-03-02T09:25:00Z", timestamp: "", ...more };
  return mount<Query>(html`<sb-query .request=${request} online></sb-query>`);
}

async function arm(element: Query): Promise<void> {
  await vi.advanceTimersByTimeAsync(ARMING_MS);
  await settled(element);
}

describe("a question", () => {
  it("is answered by one of its choices, with the value that belongs to it", async () => {
    const choices = [{ value: { path: "a" }, label: "The first" }, { value: "b", label: "The second" }];
    const element = await card({ choices, kind: "outcome" });
    const answered = heard(element, "sb-answer");
    button(element, "The first").click();
    await arm(element);
    button(element, "The first").click();
    button(element, "The second").click();
    expect(words(element)).toContain("Did this happen?");
    expect(answered).toEqual([{ queryId: "q1", answer: { path: "a" } }]);
  });

  it("is answered in words, but not by none", async () => {
    const element = await card();
    const answered = heard(element, "sb-answer");
    await arm(element);
    const form = all(element, "form")[0] as HTMLFormElement;
    form.requestSubmit();
    (all(element, "input")[0] as HTMLInputElement).value = " a.txt ";
    form.requestSubmit();
    expect(answered).toEqual([{ queryId: "q1", answer: "a.txt" }]);
  });

  it("can be dismissed", async () => {
    const element = await card();
    const answered = heard(element, "sb-answer");
    await arm(element);
    button(element, "Dismiss").click();
    expect(answered).toEqual([{ queryId: "q1", answer: undefined }]);
  });
});
