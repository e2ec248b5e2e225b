//! What was typed is kept, and the browser asks before it would be lost. Runs in a DOM: @vitest-environment jsdom

import { afterEach, describe, expect, it, vi } from "vitest";
import { discard, isUnsaved, kept, note, unsaved } from "./unsaved";

type Editor = Parameters<typeof note>[0];

function editor(handle: string): Editor {
  return Object.assign(document.createElement("div"), { shows: { session: "s", handle, name: handle } }) as unknown as Editor;
}

/** Whether the browser would ask. */
function asks(): boolean {
  const event = new Event("beforeunload", { cancelable: true });
  window.dispatchEvent(event);
  return event.defaultPrevented;
}

const FILE = { session: "s", handle: "file:a" };

afterEach(() => discard(FILE));

describe("an editor with unsaved changes", () => {
  it("is kept until its changes are given up, wherever it stands", () => {
    const [one, other] = [editor("file:a"), editor("file:b")];
    note(one, true);
    expect([kept(FILE), kept({ session: "s", handle: "file:b" }), kept({ session: "t", handle: "file:a" })]).toEqual([one, undefined, undefined]);
    document.body.append(one);
    expect([kept(FILE), isUnsaved(FILE)]).toEqual([one, true]);
    note(other, false);
    discard(FILE);
    expect([kept(FILE), isUnsaved(FILE)]).toEqual([undefined, false]);
  });

  it("makes the browser ask before the page is left", () => {
    const one = editor("file:a");
    expect(asks()).toBe(false);
    note(one, true);
    expect(asks()).toBe(true);
    note(one, false);
    expect(asks()).toBe(false);
  });

  it("is told of once", () => {
    const heard = vi.fn();
    unsaved.addEventListener("change", heard);
    const one = editor("file:a");
    note(one, true);
    note(one, true);
    note(one, false);
    unsaved.removeEventListener("change", heard);
    expect(heard).toHaveBeenCalledTimes(2);
  });
});
