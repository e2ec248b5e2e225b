//! The list in its groups, and what is done to one of it by its menu. Runs in a DOM: @vitest-environment jsdom

import { html } from "lit";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SessionSummary } from "../../protocol/generated";
import { all, button, heard, mount, settled, words } from "../test-dom";
import "./sessions";
import type { Sessions } from "./sessions";

const NOW = new Date().toISOString();
const session = (sessionId: string, more: Partial<SessionSummary> = {}): SessionSummary => ({ sessionId, title: `The ${sessionId}`, createdAt: NOW, updatedAt: NOW, lastSeq: 3, ...more });
const LIST = [session("one"), session("two", { pinned: true }), session("old", { updatedAt: "2020-05-05T12:00:00Z" })];

beforeEach(() => {
  // jsdom has no popovers.
  HTMLElement.prototype.showPopover = vi.fn();
  HTMLElement.prototype.hidePopover = vi.fn();
});

async function list(more = false): Promise<Sessions> {
  return mount<Sessions>(html`<sb-sessions .sessions=${LIST} current="one" ?more=${more}></sb-sessions>`);
}

async function menuOf(element: Sessions, title: string): Promise<void> {
  button(element, `Actions for ${title}`).click();
  await settled(element);
}

function type(element: Sessions, text: string): HTMLInputElement {
  const field = all(element, "form input")[0] as HTMLInputElement;
  field.value = text;
  field.dispatchEvent(new Event("input"));
  return field;
}

function focused(element: Sessions): Element | null {
  return (element.renderRoot as ShadowRoot).activeElement;
}

describe("the list", () => {
  it("stands in groups, with pinned ones first", async () => {
    const element = await list();
    expect(all(element, "h2, nav a").map((each) => each.textContent?.trim())).toEqual(["Pinned", "The two", "Today", "The one", "May 2020", "The old"]);
    expect(all(element, "a[aria-current=page]").map((each) => each.textContent?.trim())).toEqual(["The one"]);
    expect(words(element)).not.toContain("Earlier conversations");
  });

  it("opens one, and leaves clicks that want a tab of their own to the browser", async () => {
    const element = await list();
    const opened = heard(element, "sb-open-session");
    const row = all(element, "nav a")[1]!;
    const click = (more: MouseEventInit): boolean => row.dispatchEvent(new MouseEvent("click", { cancelable: true, ...more }));
    expect([click({ ctrlKey: true }), click({ metaKey: true }), click({ shiftKey: true }), click({ altKey: true })]).toEqual([true, true, true, true]);
    expect(opened).toEqual([]);
    expect(click({})).toBe(false);
    expect(opened).toEqual([{ sessionId: "one" }]);
  });

  it("is of another day after midnight", async () => {
    vi.useFakeTimers({ now: new Date(2026, 10, 25, 23, 50) });
    const element = await mount<Sessions>(html`<sb-sessions .sessions=${[session("late", { updatedAt: new Date(2026, 10, 25, 22).toISOString() })]}></sb-sessions>`);
    expect(words(element)).toContain("Today");
    await vi.advanceTimersByTimeAsync(15 * 60_000);
    expect(words(element)).toContain("Yesterday");
    vi.useRealTimers();
  });

  it("says that there are none only when it knows", async () => {
    const element = await mount<Sessions>(html`<sb-sessions></sb-sessions>`);
    expect(words(element)).not.toContain("No conversations yet");
    element.known = true;
    await settled(element);
    expect(words(element)).toContain("No conversations yet");
  });

  it("asks for older ones", async () => {
    const element = await list(true);
    const asked = heard(element, "sb-list-earlier");
    button(element, "Earlier conversations").click();
    expect(asked).toEqual([{}]);
  });
});

describe("the menu", () => {
  it("pins, unpins and deletes", async () => {
    const element = await list();
    const [pinned, deleted] = [heard(element, "sb-pin-session"), heard(element, "sb-delete-session")];
    await menuOf(element, "The one");
    button(element, "Pin").click();
    await menuOf(element, "The two");
    button(element, "Unpin").click();
    button(element, "Delete").click();
    expect(pinned).toEqual([{ sessionId: "one", pinned: true }, { sessionId: "two", pinned: false }]);
    expect(deleted).toEqual([{ sessionId: "two" }]);
  });

  it("renames in place", async () => {
    const element = await list();
    const renamed = heard(element, "sb-rename-session");
    await menuOf(element, "The one");
    button(element, "Rename").click();
    await settled(element);
    const field = type(element, " Better ");
    field.form?.dispatchEvent(new Event("submit", { cancelable: true }));
    await settled(element);
    expect(renamed).toEqual([{ sessionId: "one", title: "Better" }]);
  });

  it("keeps what was typed by whoever goes elsewhere, and not after Escape", async () => {
    const element = await list();
    const renamed = heard(element, "sb-rename-session");
    await menuOf(element, "The one");
    button(element, "Rename").click();
    await settled(element);
    type(element, "Better").blur();
    await settled(element);
    expect(renamed).toEqual([{ sessionId: "one", title: "Better" }]);
    await menuOf(element, "The one");
    button(element, "Rename").click();
    await settled(element);
    type(element, "Worse").dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
    await settled(element);
    expect(renamed).toHaveLength(1);
  });

  it("goes on renaming while rows move, and gives the keyboard back to the row", async () => {
    const element = await list();
    const renamed = heard(element, "sb-rename-session");
    await menuOf(element, "The old");
    button(element, "Rename").click();
    await settled(element);
    type(element, "Old but");
    element.sessions = [session("old", { title: "The old" }), ...LIST.slice(0, 2)];
    await settled(element);
    const [field] = all(element, "form input") as HTMLInputElement[];
    expect([field?.value, focused(element), renamed]).toEqual(["Old but", field, []]);
    field!.form?.dispatchEvent(new Event("submit", { cancelable: true }));
    await settled(element);
    expect(focused(element)?.textContent?.trim()).toBe("The old");
  });
});

describe("the keyboard", () => {
  beforeEach(() => {
    // jsdom does not know who goes by keyboard.
    const { matches } = Element.prototype;
    vi.spyOn(Element.prototype, "matches").mockImplementation(function (this: Element, selector) {
      return selector === ":focus-visible" || matches.call(this, selector);
    });
  });
  afterEach(() => vi.restoreAllMocks());

  it("stays on its row when that moves, and goes to the next one when it is gone", async () => {
    const element = await list();
    const link = (title: string): HTMLElement => all(element, "nav a").find((each) => each.textContent?.trim() === title)!;
    link("The old").focus();
    element.sessions = [session("old", { title: "The old" }), ...LIST.slice(0, 2)];
    await settled(element);
    expect(focused(element)).toBe(link("The old"));
    element.sessions = LIST.slice(0, 2);
    await settled(element);
    expect(focused(element)).toBe(link("The one"));
  });

  it("goes to the first of the older ones when the button for them is gone", async () => {
    const element = await list(true);
    button(element, "Earlier conversations").focus();
    element.sessions = [...LIST, session("older", { updatedAt: "2019-05-05T12:00:00Z" })];
    element.more = false;
    await settled(element);
    expect(focused(element)?.textContent?.trim()).toBe("The older");
  });
});
