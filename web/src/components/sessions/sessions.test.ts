//! The list in its groups, and what is done to one of it by its menu. Runs in a DOM: @vitest-environment jsdom

import { html } from "lit";
import { beforeEach, describe, expect, it, vi } from "vitest";
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

describe("the list", () => {
  it("stands in groups, with pinned ones first", async () => {
    const element = await list();
    expect(all(element, "h2, nav a").map((each) => each.textContent?.trim())).toEqual(["Pinned", "The two", "Today", "The one", "May 2020", "The old"]);
    expect(all(element, "li[aria-current]").length).toBe(1);
    expect(words(element)).not.toContain("Earlier conversations");
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
    const [field] = all(element, "form input") as HTMLInputElement[];
    field!.value = " Better ";
    field!.form?.dispatchEvent(new Event("submit", { cancelable: true }));
    expect(renamed).toEqual([{ sessionId: "one", title: "Better" }]);
  });
});
