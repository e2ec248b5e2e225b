//! Nothing is allowed by accident, and what is allowed is what was shown. Runs in a DOM: @vitest-environment jsdom

import { html } from "lit";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { JsonValue, ServerFrameOf } from "../../protocol/generated";
import { all, button, heard, mount, settled, words } from "../test-dom";
import { ARMING_MS } from "../card/card";
import type { Approval } from "./approval";
import "./approval";

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse("2026-03-02T09:15:00Z") });
});

afterEach(() => {
  vi.useRealTimers();
});

function request(values: { [key in string]: JsonValue } = { command: "ls -la", timeout: 5 }): ServerFrameOf<"approval-request"> {
  return {
    type: "approval-request", callId: "c1", tool: "bash", module: "shell", arguments: values, risk: "execute",
    reason: "The policy asks before programs.", undoable: false, expiresAt: "2026-03-02T09:25:00Z", timestamp: "2026-03-02T09:15:00Z",
  };
}

async function card(asked = request(), online = true): Promise<Approval> {
  return mount<Approval>(html`<sb-approval .request=${asked} ?online=${online}></sb-approval>`);
}

async function arm(element: Approval): Promise<void> {
  await vi.advanceTimersByTimeAsync(ARMING_MS);
  await settled(element);
}

describe("an approval", () => {
  it("shows exactly what will run, what that means, and how long it waits", async () => {
    const element = await card(request({ command: "echo \u202Eoops && rm x", lines: ["a", 1] }));
    expect(words(element)).toContain("May bash run?");
    expect(words(element)).toContain("echo [U+202E]oops && rm x");
    expect(words(element)).toContain("It runs a program. This cannot be undone. The policy asks before programs.");
    expect(words(element)).toContain("Denied automatically in 10:00");
  });

  it("says what an allowance for the session covers", async () => {
    const element = await card({ ...request(), covers: "exactly this call in this session: bash(command=\"ls\")" });
    expect(words(element)).toContain("“For this session” allows exactly this call in this session");
    expect(button(element, "Allow for this session").getAttribute("aria-describedby")).toBe("covers");
  });

  it("is deaf for its first half second", async () => {
    const element = await card();
    const asked = heard(element, "sb-approve");
    button(element, "Allow once").click();
    await vi.advanceTimersByTimeAsync(ARMING_MS - 1);
    button(element, "Allow for this session").click();
    button(element, "Deny").click();
    expect(asked).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    button(element, "Allow once").click();
    expect(asked).toEqual([{ callId: "c1", decision: "allow-once", edited: undefined, reason: undefined }]);
  });

  it("is deaf again when another question takes its place", async () => {
    const element = await card();
    await arm(element);
    element.request = { ...request(), callId: "c2" };
    await settled(element);
    const asked = heard(element, "sb-approve");
    button(element, "Allow once").click();
    expect(asked).toEqual([]);
  });

  it("answers once", async () => {
    const element = await card();
    await arm(element);
    const asked = heard(element, "sb-approve");
    button(element, "Deny").click();
    button(element, "Deny").click();
    expect(asked).toMatchObject([{ decision: "deny" }]);
  });

  it("does nothing without a connection", async () => {
    const element = await card(request(), false);
    await arm(element);
    const asked = heard(element, "sb-approve");
    button(element, "Allow once").click();
    expect(asked).toEqual([]);
  });

  it("gives the keyboard to the card, where Enter allows nothing", async () => {
    const element = await card();
    await arm(element);
    const asked = heard(element, "sb-approve");
    element.focus();
    expect(element.shadowRoot?.activeElement?.localName).toBe("section");
    element.shadowRoot?.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
    expect(asked).toEqual([]);
  });

  it("runs what was edited, with the types that were there", async () => {
    const element = await card(request({ command: "ls", timeout: 5, __proto__x: true }));
    await arm(element);
    const asked = heard(element, "sb-approve");
    button(element, "Edit").click();
    await settled(element);
    const [command, timeout] = all(element, "textarea") as HTMLTextAreaElement[];
    write(command, "ls /tmp");
    write(timeout, "9");
    await settled(element);
    button(element, "Allow edited, once").click();
    expect(asked).toMatchObject([{ decision: "allow-once", edited: { command: "ls /tmp", timeout: 9, __proto__x: true } }]);
  });

  it("runs with an argument that was added", async () => {
    const element = await card();
    await arm(element);
    const asked = heard(element, "sb-approve");
    button(element, "Edit").click();
    await settled(element);
    button(element, "Add an argument").click();
    await settled(element);
    const [name, value] = all(element, ".added input") as HTMLInputElement[];
    write(name, "timeout");
    write(value, "60");
    button(element, "Allow edited, once").click();
    expect(asked).toMatchObject([{ edited: { command: "ls -la", timeout: 60 } }]);
  });

  it("says what is wrong with an edit, and does not run it", async () => {
    const element = await card();
    await arm(element);
    const asked = heard(element, "sb-approve");
    button(element, "Edit").click();
    await settled(element);
    write((all(element, "textarea") as HTMLTextAreaElement[])[1], "{five");
    await settled(element);
    button(element, "Allow edited, once").click();
    await settled(element);
    expect(asked).toEqual([]);
    expect(words(element)).toContain("This is not valid JSON.");
  });

  it("carries the reason", async () => {
    const element = await card();
    await arm(element);
    const asked = heard(element, "sb-approve");
    write(all(element, "#reason")[0] as HTMLInputElement, "Not on this machine");
    button(element, "Deny").click();
    expect(asked).toMatchObject([{ decision: "deny", reason: "Not on this machine" }]);
  });
});

function write(field: HTMLTextAreaElement | HTMLInputElement | undefined, text: string): void {
  if (!field) throw new Error("there is no such field");
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
