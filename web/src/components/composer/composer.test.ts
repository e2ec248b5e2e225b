//! What Enter does, what is completed, and what sending means while a turn runs. Runs in a DOM: @vitest-environment jsdom

import { html } from "lit";
import { describe, expect, it, vi } from "vitest";
import { COMMANDS } from "../../text/complete";
import { all, button, heard, mount, settled, words } from "../test-dom";
import type { Composer } from "./composer";
import "./composer";

const VARIABLES = [{ name: "answer", preview: "42" }];

async function composer(busy = false): Promise<Composer> {
  return mount<Composer>(html`<sb-composer ?busy=${busy} .variables=${VARIABLES}></sb-composer>`);
}

function field(element: Composer): HTMLTextAreaElement {
  return all(element, "textarea")[0] as HTMLTextAreaElement;
}

async function write(element: Composer, text: string): Promise<void> {
  field(element).value = text;
  field(element).setSelectionRange(text.length, text.length);
  field(element).dispatchEvent(new Event("input", { bubbles: true }));
  await settled(element);
}

async function press(element: Composer, key: string, more: KeyboardEventInit = {}): Promise<boolean> {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
  field(element).dispatchEvent(event);
  await settled(element);
  return event.defaultPrevented;
}

describe("the composer", () => {
  it("sends with Enter, and is empty then", async () => {
    const element = await composer();
    const sent = heard(element, "sb-send");
    await write(element, "  Hello  ");
    await press(element, "Enter");
    expect([sent, field(element).value]).toEqual([[{ text: "Hello", mode: "queue" }], ""]);
  });

  it("does not send with Shift+Enter, while composing, or nothing", async () => {
    const element = await composer();
    const sent = heard(element, "sb-send");
    await press(element, "Enter");
    await write(element, "Hello");
    expect(await press(element, "Enter", { shiftKey: true })).toBe(false);
    await press(element, "Enter", { isComposing: true });
    expect(sent).toEqual([]);
  });

  it("offers the three ways to send while a turn runs, and only then", async () => {
    expect(words(await composer())).not.toContain("into this turn");
    const element = await composer(true);
    const sent = heard(element, "sb-send");
    for (const at of [0, 1, 2]) {
      const choice = all(element, "input[type=radio]")[at] as HTMLInputElement;
      choice.click();
      await write(element, "And this");
      await press(element, "Enter");
    }
    expect(sent.map(({ mode }) => mode)).toEqual(["queue", "steer", "interrupt"]);
  });

  it("falls back to waiting after each message", async () => {
    const element = await composer(true);
    (all(element, "input[type=radio]")[2] as HTMLInputElement).click();
    await write(element, "Now");
    await press(element, "Enter");
    expect((all(element, "input[type=radio]") as HTMLInputElement[]).map(({ checked }) => checked)).toEqual([true, false, false]);
  });

  it("stops", async () => {
    const element = await composer(true);
    const stopped = heard(element, "sb-cancel");
    button(element, "Stop").click();
    expect(stopped).toEqual([{}]);
  });

  it("completes a command with Tab or Enter, and sends it when it is whole", async () => {
    const element = await composer();
    const sent = heard(element, "sb-send");
    await write(element, "/cl");
    expect(await press(element, "Tab")).toBe(true);
    expect(field(element).value).toBe("/clear");
    await write(element, "/clear");
    await press(element, "Enter");
    expect(sent).toEqual([{ text: "/clear", mode: "queue" }]);
  });

  it("goes through the list with the arrows, and tells a screen reader where it is", async () => {
    const element = await composer();
    await write(element, "/");
    await press(element, "ArrowUp");
    const active = field(element).getAttribute("aria-activedescendant");
    expect(all(element, `#${active}`)[0]?.textContent).toContain(COMMANDS.at(-1)?.usage);
    await press(element, "ArrowDown");
    await press(element, "ArrowDown");
    await press(element, "Enter");
    expect(field(element).value).toBe("/context");
    await write(element, "/");
    await press(element, "Escape");
    expect([all(element, "[role=listbox]").length, field(element).hasAttribute("aria-activedescendant")]).toEqual([0, false]);
  });

  it("completes the name of a tool once the server has told them", async () => {
    const tools = [{ name: "file_read", function: { description: "Reads" } }];
    vi.stubGlobal("fetch", async (path: string) => new Response(JSON.stringify(path === "/api/tools" ? { tools } : { servers: [] })));
    const element = await composer();
    const sent = heard(element, "sb-send");
    await write(element, "/try fi");
    await vi.waitFor(() => expect(all(element, "[role=option]").length).toBe(1));
    await press(element, "Enter");
    expect([field(element).value, sent]).toEqual(["/try file_read ", []]);
    await press(element, "Enter");
    expect(sent).toEqual([{ text: "/try file_read", mode: "queue" }]);
  });

  it("completes a variable in the middle of a sentence", async () => {
    const element = await composer();
    await write(element, "Calculate @an");
    await press(element, "Enter");
    expect(field(element).value).toBe("Calculate @answer");
  });
});

describe("files", () => {
  /** Requests as the page makes them; each is answered by hand. */
  class FakeRequest {
    static made: FakeRequest[] = [];
    url = "";
    status = 0;
    statusText = "";
    responseText = "";
    upload: { onprogress?: (event: { loaded: number }) => void } = {};
    onload?: () => void;
    onerror?: () => void;
    onabort?: () => void;
    constructor() {
      FakeRequest.made.push(this);
    }
    open(_: string, url: string): void {
      this.url = url;
    }
    setRequestHeader(): void {}
    send(): void {}
    abort(): void {
      this.onabort?.();
    }
    answer(status: number, body: unknown): void {
      [this.status, this.responseText] = [status, JSON.stringify(body)];
      this.onload?.();
    }
  }

  async function withFile(file: File): Promise<{ element: Composer; request?: FakeRequest }> {
    FakeRequest.made = [];
    vi.stubGlobal("XMLHttpRequest", FakeRequest);
    const element = await mount<Composer>(html`<sb-composer .session=${"s1"} .variables=${VARIABLES}></sb-composer>`);
    const event = new Event("paste", { bubbles: true, cancelable: true });
    Object.assign(event, { clipboardData: { files: [file] } });
    field(element).dispatchEvent(event);
    await settled(element);
    return { element, request: FakeRequest.made[0] };
  }

  it("are uploaded and named where the user writes", async () => {
    const { element, request } = await withFile(new File(["cat"], "my cat.png"));
    expect(request?.url).toBe("/api/sessions/s1/uploads?name=my%20cat.png");
    request?.upload.onprogress?.({ loaded: 1 });
    await settled(element);
    expect((all(element, "progress")[0] as HTMLProgressElement).value).toBe(33);
    expect((button(element, "Send") as HTMLButtonElement).disabled).toBe(true);
    request?.answer(201, { path: "uploads/my_cat.png", variable: "my_cat", bytes: 3 });
    await vi.waitFor(() => expect(field(element).value).toBe("uploads/my_cat.png "));
    await settled(element);
    expect(all(element, "progress")).toHaveLength(0);
    const sent = heard(element, "sb-send");
    button(element, "Send").click();
    await settled(element);
    expect(sent).toEqual([{ text: "uploads/my_cat.png", mode: "queue", attachments: ["my_cat"] }]);
    expect(all(element, ".uploads")).toHaveLength(0);
  });

  it("that are removed are deleted, not sent and not named", async () => {
    const fetched = vi.fn(async () => new Response(null, { status: 204 }));
    vi.stubGlobal("fetch", fetched);
    const { element, request } = await withFile(new File(["cat"], "cat.png"));
    request?.answer(201, { path: "uploads/cat.png", variable: "cat", bytes: 3 });
    await vi.waitFor(() => expect(field(element).value).toBe("uploads/cat.png "));
    await write(element, "Look at uploads/cat.png please");
    const sent = heard(element, "sb-send");
    button(element, "Remove cat.png and delete the file").click();
    await settled(element);
    button(element, "Send").click();
    expect(sent).toEqual([{ text: "Look at please", mode: "queue" }]);
    expect(fetched.mock.calls.map(([url, { method }]: any) => [method, url])).toEqual([["DELETE", "/api/sessions/s1/uploads?path=uploads%2Fcat.png&variable=cat"]]);
  });

  it("that cannot be deleted are told", async () => {
    vi.stubGlobal("fetch", async () => new Response(JSON.stringify({ detail: "they are not the same any more" }), { status: 409 }));
    const { element, request } = await withFile(new File(["cat"], "cat.png"));
    request?.answer(201, { path: "uploads/cat.png", variable: "cat", bytes: 3 });
    await vi.waitFor(() => expect(field(element).value).toBe("uploads/cat.png "));
    await settled(element);
    button(element, "Remove cat.png and delete the file").click();
    await vi.waitFor(() => expect(words(element)).toContain("cat.png is still in the workspace: they are not the same any more"));
  });

  it("of a message that is edited stay, are removed and are added to", async () => {
    const { element, request } = await withFile(new File(["cat"], "cat.png"));
    button(element, "Remove cat.png").click();
    const sent = heard(element, "sb-send");
    const attachments = ["notes", "logo"].map((name) => ({ name, version: 1, type: "text" as const, bytes: 3 }));
    const edit = async (change: () => void) => {
      element.edit({ id: "m1", text: "Look", attachments });
      await settled(element);
      change();
      await settled(element);
      button(element, "Send").click();
      await settled(element);
    };
    await edit(() => undefined);
    await edit(() => button(element, "Remove notes").click());
    await edit(() => {
      button(element, "Remove notes").click();
      button(element, "Remove logo").click();
    });
    expect(sent).toEqual([
      { text: "/rerun m1 Look", mode: "queue" },
      { text: "/rerun m1 Look", mode: "queue", attachments: ["logo"] },
      { text: "/rerun m1 Look", mode: "queue", attachments: [] },
    ]);

    element.edit({ id: "m1", text: "Look", attachments });
    await settled(element);
    expect(all(element, ".uploads li")).toHaveLength(2);
    await press(element, "Escape");
    expect([all(element, ".uploads li").length, request?.url]).toEqual([0, "/api/sessions/s1/uploads?name=cat.png"]);
  });

  it("are added to a message that is edited", async () => {
    const { element, request } = await withFile(new File(["cat"], "cat.png"));
    element.edit({ id: "m1", text: "Look", attachments: [{ name: "notes", version: 1, type: "text", bytes: 3 }] });
    request?.answer(201, { path: "uploads/cat.png", variable: "cat", bytes: 3 });
    await vi.waitFor(() => expect(field(element).value).toContain("uploads/cat.png"));
    await settled(element);
    const sent = heard(element, "sb-send");
    button(element, "Send").click();
    expect(sent.map(({ attachments }) => attachments)).toEqual([["notes", "cat"]]);
  });

  it("that are refused are told, and can be put away", async () => {
    const { element, request } = await withFile(new File(["cat"], "cat.png"));
    request?.answer(409, { detail: "uploads/ holds 1000 files", suggestion: "remove some" });
    await vi.waitFor(() => expect(words(element)).toContain("cat.png was not uploaded. uploads/ holds 1000 files: remove some"));
    button(element, "Remove cat.png").click();
    await settled(element);
    expect(words(element)).not.toContain("cat.png");
  });

  it("that are empty or too large are not sent", async () => {
    expect(words((await withFile(new File([], "empty.txt"))).element)).toContain("empty.txt is empty.");
    const large = new File(["x"], "large.bin");
    Object.defineProperty(large, "size", { value: 17 * 1024 * 1024 });
    expect(words((await withFile(large)).element)).toContain("large.bin is larger than 16 MB.");
    expect(FakeRequest.made).toHaveLength(0);
  });
});
