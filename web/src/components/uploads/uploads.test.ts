//! Files that were sent: how many, and that they are deleted only on purpose. Runs in a DOM: @vitest-environment jsdom

import type { ReactiveControllerHost } from "lit";
import { render } from "lit";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Uploads, type UploadHost } from "./uploads";

/** What the server makes of the files, in their order; without an answer they stay on their way. */
let answers: (() => void)[] = [];

beforeEach(() => {
  answers = [];
  vi.stubGlobal(
    "XMLHttpRequest",
    class {
      upload = {};
      status = 201;
      responseText = "";
      onload?: () => void;
      open(_: string, url: string): void {
        const name = new URL(url, "http://x").searchParams.get("name");
        answers.push(() => {
          this.responseText = JSON.stringify({ path: `uploads/${name}`, variable: name });
          this.onload?.();
        });
      }
      setRequestHeader(): void {}
      send(): void {}
      abort(): void {}
    },
  );
});

afterEach(() => vi.unstubAllGlobals());

class Panel {
  session = "s1";
  readonly removed = vi.fn();
  readonly uploads: Uploads;

  constructor(hears: UploadHost = {}) {
    const host = { addController: () => undefined, requestUpdate: () => undefined } as unknown as ReactiveControllerHost;
    this.uploads = new Uploads(host, () => this.session, { removed: this.removed, ...hears });
  }

  add(...names: string[]): void {
    this.uploads.add(names.map((name) => new File(["x"], name)));
  }

  /** All that are on their way arrive. */
  async arrive(): Promise<void> {
    for (const answer of answers.splice(0)) answer();
    await vi.waitFor(() => expect(this.uploads.busy).toBe(false));
  }

  private draw(): HTMLElement {
    const box = document.createElement("div");
    render(this.uploads.view("Files"), box);
    return box;
  }

  get shown(): string[] {
    return [...this.draw().querySelectorAll("li")].map(({ textContent }) => textContent!.trim().replace(/\s+/g, " "));
  }

  click(at: number): void {
    this.draw().querySelectorAll("button")[at]?.click();
  }
}

describe("files that belong to no message", () => {
  it("are taken however many have arrived, ten at a time", async () => {
    const panel = new Panel();
    const names = Array.from({ length: 11 }, (_, at) => `note-${at}`);
    panel.add(...names);
    expect(panel.shown.at(-1)).toBe("note-10 was not accepted: at most 10 files at a time.");
    await panel.arrive();
    panel.add("more");
    expect(panel.shown.at(-1)).toBe("more");
  });

  it("are forgotten with their variables", async () => {
    const panel = new Panel();
    panel.add("a", "b");
    await panel.arrive();
    panel.uploads.forget((variable) => variable === "a");
    expect(panel.shown).toEqual(["b"]);
  });

  it("are deleted by a second click", async () => {
    const fetched = vi.fn(async () => new Response(null, { status: 204 }));
    vi.stubGlobal("fetch", fetched);
    const panel = new Panel();
    panel.add("a");
    await panel.arrive();
    panel.click(0);
    expect([panel.shown, fetched.mock.calls.length]).toEqual([["a Delete permanently?"], 0]);
    panel.click(0);
    expect([panel.shown, fetched.mock.calls.length, panel.removed.mock.calls]).toEqual([[], 1, [["uploads/a"]]]);
  });

  it("say what went wrong in their own conversation only", async () => {
    let refuse!: () => void;
    vi.stubGlobal("fetch", () => new Promise<Response>((done) => (refuse = () => done(Response.json({ detail: "it is in use" }, { status: 409 })))));
    const fails = async (leave: boolean): Promise<string[]> => {
      const panel = new Panel({ attaches: true });
      panel.add("a");
      await panel.arrive();
      panel.click(0);
      if (leave) panel.session = "s2";
      refuse();
      await new Promise((done) => setTimeout(done));
      return panel.shown;
    };
    expect([await fails(false), await fails(true)]).toEqual([["a is still in the workspace: it is in use"], []]);
  });
});

describe("files for a message", () => {
  it("are ten at most, and deleted by one click", async () => {
    vi.stubGlobal("fetch", async () => new Response(null, { status: 204 }));
    const panel = new Panel({ attaches: true });
    panel.add(...Array.from({ length: 10 }, (_, at) => `note-${at}`));
    await panel.arrive();
    panel.add("more");
    expect(panel.shown.at(-1)).toBe("more was not accepted: at most 10 files at a time.");
    panel.click(0);
    expect(panel.removed.mock.calls).toEqual([["uploads/note-0"]]);
  });
});
