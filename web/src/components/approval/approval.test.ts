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

  it("shows what becomes of files, and the arguments where that is not all", async () => {
    const diff = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n\\ No newline at end of file\n";
    const element = await card({ ...request({ path: "a.txt", content: "two" }), tool: "file_write", diff });
    expect(words(element)).toContain("What will change");
    expect(words(element)).toContain("+two");
    const folded = () => element.renderRoot.querySelector<HTMLDetailsElement>(".arguments details")?.open;
    expect(folded()).toBe(false);
    for (const part of ["Binary or large files a/a.txt and b/a.txt differ (9 bytes, then 3 bytes)\n", `${diff}… 12 more lines\n`]) {
      element.request = { ...element.request, diff: part };
      await settled(element);
      expect(folded()).toBe(true);
    }
  });

  it("does not say twice what the risk says", async () => {
    const element = await card({ ...request(), reason: "bash runs a program." });
    expect(words(element)).toContain("It runs a program. This cannot be undone.");
    expect(words(element)).not.toContain("bash runs a program");
  });

  it("waits without a clock where there is no limit", async () => {
    const element = await card({ ...request(), expiresAt: undefined });
    expect(words(element)).not.toContain("Denied automatically");
    expect(element.renderRoot.querySelector(".timer")).toBeNull();
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

describe("what is not all in view", () => {
  /** A box of 300 px in which so much stands. */
  function fill(element: Approval, height: number): HTMLElement {
    const box = all(element, ".arguments")[0];
    if (!box) throw new Error("there are no arguments");
    Object.defineProperty(box, "clientHeight", { value: 300, configurable: true });
    Object.defineProperty(box, "scrollHeight", { value: height, configurable: true });
    return box;
  }

  /** A card whose arguments stand in such a box from their first drawing on. */
  async function tall(height: number): Promise<Approval> {
    vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(300);
    vi.spyOn(HTMLElement.prototype, "scrollHeight", "get").mockReturnValue(height);
    const element = await card();
    await arm(element);
    vi.restoreAllMocks();
    fill(element, height);
    return element;
  }

  it("n37 cannot be allowed until it was scrolled to its end, and can be denied at any time", async () => {
    const element = await tall(900);
    const asked = heard(element, "sb-approve");
    expect(words(element)).toContain("You can allow it when you have seen everything that will run.");
    const box = fill(element, 900);
    for (const top of [0, 300, 580]) {
      box.scrollTop = top;
      box.dispatchEvent(new Event("scroll"));
      await settled(element);
      button(element, "Allow once").click();
      button(element, "Allow for this session").click();
      expect(button(element, "Allow once").getAttribute("aria-disabled")).toBe("true");
    }
    expect(asked).toEqual([]);
    expect(button(element, "Deny").getAttribute("aria-disabled")).toBe("false");

    box.scrollTop = 600;
    box.dispatchEvent(new Event("scroll"));
    await settled(element);
    box.scrollTop = 0;
    box.dispatchEvent(new Event("scroll"));
    await settled(element);
    button(element, "Allow once").click();
    expect(asked).toMatchObject([{ decision: "allow-once" }]);
  });

  it("must be seen anew when another question takes its place", async () => {
    const element = await tall(900);
    const box = fill(element, 900);
    box.scrollTop = 600;
    box.dispatchEvent(new Event("scroll"));
    await settled(element);
    box.scrollTop = 0;
    element.request = { ...request(), callId: "c2" };
    await settled(element);
    await arm(element);
    const asked = heard(element, "sb-approve");
    button(element, "Allow once").click();
    expect(asked).toEqual([]);
  });

  it("stands first in the sheet of a small screen, which can be put aside", async () => {
    const element = await card();
    element.sheet = true;
    await settled(element);
    const shown = words(element);
    expect(shown.indexOf("ls -la")).toBeLessThan(shown.indexOf("It runs a program."));
    const aside = heard(element, "sb-set-aside");
    button(element, "Show the conversation").click();
    element.sheet = false;
    element.aside = true;
    await settled(element);
    expect(words(element)).toBe("May bash run?Review");
    button(element, "Review").click();
    expect(aside).toEqual([{ callId: "c1", aside: true }, { callId: "c1", aside: false }]);
  });
});

function write(field: HTMLTextAreaElement | HTMLInputElement | undefined, text: string): void {
  if (!field) throw new Error("there is no such field");
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
