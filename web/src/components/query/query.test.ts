//! A question is answered by a choice, by words, or not at all. Runs in a DOM: @vitest-environment jsdom

import { html } from "lit";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { FormField, ServerFrameOf } from "../../protocol/generated";
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

  it("about a plan has two buttons, in the page's language", async () => {
    const choices = [{ value: "yes", label: "y" }, { value: "no", label: "n" }];
    const element = await card({ choices, kind: "plan", message: "Do you mean: set the port?" });
    const answered = heard(element, "sb-answer");
    await arm(element);
    button(element, "Yes, do it").click();
    expect(words(element)).toContain("Is this what you mean?");
    expect(answered).toEqual([{ queryId: "q1", answer: "yes" }]);
  });

  it("about what came of a call has its buttons in the page's language", async () => {
    const choices = [{ value: "done", label: "a" }, { value: "not-done", label: "b" }, { value: "unknown", label: "c" }, { value: "retry", label: "d" }];
    const element = await card({ choices, kind: "outcome" });
    const answered = heard(element, "sb-answer");
    await arm(element);
    for (const label of ["It happened", "I don’t know", "Run it again"]) expect(button(element, label)).toBeTruthy();
    button(element, "It did not happen").click();
    expect(answered).toEqual([{ queryId: "q1", answer: "not-done" }]);
  });

  it("about a connection has its buttons in the page's language", async () => {
    const choices = [{ value: "allow-once", label: "a" }, { value: "allow-session", label: "b" }, { value: "deny", label: "c" }];
    const element = await card({ choices, kind: "network", message: "A command wants to connect to example.org (port 443)." });
    const answered = heard(element, "sb-answer");
    await arm(element);
    button(element, "Allow for this session").click();
    expect(words(element)).toContain("A command wants to connect");
    expect(answered).toEqual([{ queryId: "q1", answer: "allow-session" }]);
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

  it("is a form, filled in with its defaults, and sent as it stands or not at all", async () => {
    const colours = ["Red", "Blue"].map((label) => ({ label, value: label.toLowerCase() }));
    const form: FormField[] = [
      { name: "name", label: "Name", hint: "Your full name", kind: "text", required: true },
      { name: "size", label: "Size", kind: "integer", required: false, default: 42 },
      { name: "note", label: "Note", kind: "text", required: false },
      { name: "colour", label: "Colour", kind: "choice", required: false, default: "blue", choices: colours },
      { name: "others", label: "Others", kind: "choices", required: false, default: ["red"], choices: colours },
    ];
    const element = await card({ fields: form, choices: [{ value: { action: "one-by-one" }, label: "Answer one by one" }], kind: "elicitation" });
    const answered = heard(element, "sb-answer");
    await arm(element);
    expect(words(element)).toContain("Name (needed)");
    expect(words(element)).not.toContain("Answer one by one");
    (all(element, "input")[0] as HTMLInputElement).value = "Ada";
    (all(element, "form")[0] as HTMLFormElement).requestSubmit();

    const content = { name: "Ada", size: "42", note: null, colour: "blue", others: ["red"] };
    expect(answered).toEqual([{ queryId: "q1", answer: { action: "accept", content } }]);
  });

  it("is a form that need not be answered", async () => {
    const element = await card({ fields: [{ name: "name", label: "Name", kind: "text", required: true }], kind: "elicitation" });
    const answered = heard(element, "sb-answer");
    await arm(element);
    button(element, "Do not answer").click();
    expect(answered).toEqual([{ queryId: "q1", answer: { action: "decline" } }]);
  });
});
