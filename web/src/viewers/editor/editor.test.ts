//! What is edited, what is only read, and what a save sends. Runs in a DOM: @vitest-environment jsdom

import { html } from "lit";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { all, button, heard, mount, settled, words } from "../../components/test-dom";
import { discard, isUnsaved } from "../unsaved";
import type { EditorViewer } from "./editor";
import "./editor";
import { hashOf } from "./file";

const FILE = { session: "s", handle: "file:notes.txt", name: "notes.txt" };
let disk: string | undefined;

beforeEach(() => {
  // What jsdom leaves out.
  Object.assign(document, { execCommand: () => false });
  disk = "milk\n";
  vi.stubGlobal("fetch", () => Promise.resolve(disk === undefined ? new Response("{}", { status: 404 }) : new Response(disk)));
});
afterEach(() => {
  discard(FILE);
  vi.unstubAllGlobals();
});

async function shown(handle = FILE.handle): Promise<EditorViewer> {
  const viewer = await mount<EditorViewer>(html`<sb-editor-viewer .shows=${{ ...FILE, handle }}></sb-editor-viewer>`);
  await vi.waitFor(() => expect(text(viewer)).not.toBe(""));
  return viewer;
}

const text = (viewer: EditorViewer): string => all(viewer, ".cm-line").map(({ textContent }) => textContent).join("\n");

/** Types at the beginning, as the editor's own commands do. */
async function type(viewer: EditorViewer, insert: string): Promise<void> {
  const { code } = viewer as unknown as { code: { view: { dispatch: (spec: object) => void } } };
  code.view.dispatch({ changes: { from: 0, insert } });
  await settled(viewer);
}

describe("the editor", () => {
  it("edits a file and nothing else", async () => {
    expect(button(await shown(), "Save").getAttribute("aria-disabled")).toBe("true");
    for (const handle of ["var:notes@1", "call:c1/0"]) {
      const viewer = await shown(handle);
      expect([words(viewer).includes("not a file in the workspace"), all(viewer, ".tools .button").length]).toEqual([true, 0]);
    }
  });

  it("saves what stands there over what was opened, and is clean afterwards", async () => {
    const viewer = await shown();
    const saves = heard(viewer, "sb-save");
    await type(viewer, "tea, ");
    expect(isUnsaved(FILE)).toBe(true);
    button(viewer, "Save").click();
    await vi.waitFor(() => expect(saves).toHaveLength(1));
    expect(saves[0]?.values).toEqual({ path: "notes.txt", content: "tea, milk\n", base_sha256: hashOf(new TextEncoder().encode("milk\n")) });

    // What is typed meanwhile is no part of it.
    await type(viewer, "more ");
    saves[0]?.heard({ saved: true, callId: "c1" });
    await settled(viewer);
    expect([words(viewer).includes("Unsaved changes"), isUnsaved(FILE)]).toEqual([true, true]);
    disk = "tea, milk\n";
    button(viewer, "Save").click();
    await vi.waitFor(() => expect(saves).toHaveLength(2));
    saves[1]?.heard({ saved: true, callId: "c2" });
    await vi.waitFor(() => expect(words(viewer)).toContain("Saved."));
    const undone = heard(viewer, "sb-undo");
    button(viewer, "Undo").click();
    expect([undone, isUnsaved(FILE)]).toEqual([[{ callIds: ["c2"] }], false]);
  });

  it("says once why a save failed, and finds out when it was made all the same", async () => {
    const viewer = await shown();
    const saves = heard(viewer, "sb-save");
    await type(viewer, "tea, ");
    button(viewer, "Save").click();
    await vi.waitFor(() => expect(saves).toHaveLength(1));
    saves[0]?.heard({ saved: false, words: "the disk is full" });
    await vi.waitFor(() => expect(all(viewer, "[role=alert]").map(({ textContent }) => textContent)).toEqual(["the disk is full"]));
    expect(text(viewer)).toBe("tea, milk\n");

    button(viewer, "Save").click();
    await vi.waitFor(() => expect(saves).toHaveLength(2));
    disk = "tea, milk\n";
    saves[1]?.heard({ saved: false, words: "not known" });
    await vi.waitFor(() => expect(isUnsaved(FILE)).toBe(false));
    expect(all(viewer, "[role=alert]")).toEqual([]);
  });

  it("never replaces what was typed, and shows what is new where nothing was", async () => {
    const viewer = await shown();
    disk = "tea\n";
    await viewer.look();
    expect(text(viewer)).toBe("tea\n");
    await type(viewer, "my ");
    disk = "water\n";
    await viewer.look();
    await settled(viewer);
    expect([text(viewer), words(viewer).includes("changed on disk")]).toEqual(["my tea\n", true]);
    disk = undefined;
    await viewer.look();
    await settled(viewer);
    expect([text(viewer), words(viewer).includes("no longer there")]).toEqual(["my tea\n", true]);
    const saves = heard(viewer, "sb-save");
    button(viewer, "Create it again with mine").click();
    expect(saves[0]?.values).toEqual({ path: "notes.txt", content: "my tea\n", overwrite: false });
  });
});
