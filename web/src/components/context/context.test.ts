//! What the list of variables says, and which names it takes. Runs in a DOM: @vitest-environment jsdom

import { html } from "lit";
import { describe, expect, it, vi } from "vitest";
import type { Held } from "../../state/variables";
import { variable } from "../../state/test-frames";
import { all, button, heard, mount, settled, words } from "../test-dom";
import { textOrJson } from "../../text/json";
import { nameProblem, type Context } from "./context";
import "./context";

async function context(variables: Held[]): Promise<Context> {
  return mount<Context>(html`<sb-context .variables=${variables} online></sb-context>`);
}

describe("the list of variables", () => {
  it("says type, size, preview, origin, version and what is outdated", async () => {
    const parsed: Held = {
      name: "parsed_data", version: 3, type: "object", preview: '{"port":3000}', bytes: 2048,
      origin: { callId: "c1", tool: "json_parse", inputs: ["file_content"] }, stale: true,
    };
    const shown = words(await context([variable("color"), parsed]));
    for (const part of ["color text · 5 B", "Set by you", "parsed_data object · 2.0 KB", '{"port":3000}', "From json_parse of @file_content, version 3", "Outdated"]) {
      expect(shown).toContain(part);
    }
  });

  it("opens one by a click", async () => {
    const element = await context([variable("color")]);
    const opened = heard(element, "sb-open-variable");
    all(element, ".open")[0]?.click();
    expect(opened).toEqual([{ name: "color" }]);
  });

  it("has the newest first, by turn, and folds what nobody named", async () => {
    const turn = (n: number) => ({ id: `m${n}`, text: `Request ${n}` });
    const result = (name: string, n: number, defaultName?: boolean): Held => ({
      ...variable(name), turn: turn(n), origin: { callId: name, tool: "calculator", inputs: [], defaultName },
    });
    const element = await context([variable("mine"), result("sum", 1), result("calculator_result", 1, true), result("total", 2)]);

    const groups = all(element, "section").map((group) => (group.textContent ?? "").replace(/\s+/g, " ").trim());
    expect(groups.map((group) => group.split(" text ")[0])).toEqual(["Request 2 total", "Request 1 sum", "Set by you mine"]);
    const folded = all(element, "details") as HTMLDetailsElement[];
    expect(folded.map(({ open, textContent }) => [open, textContent?.includes("1 result without a name") && textContent.includes("calculator_result")])).toEqual([[false, true]]);
  });

  it("finds by name, value and tool, and then folds nothing", async () => {
    const held = Array.from({ length: 8 }, (_, at) => ({ ...variable(`name_${at}`), preview: `value ${at}` }));
    const element = await context([...held, { ...variable("x"), origin: { callId: "c", tool: "grep", inputs: [], defaultName: true } }]);
    const found = async (filter: string): Promise<string[]> => {
      const field = all(element, ".filter")[0] as HTMLInputElement;
      field.value = filter;
      field.dispatchEvent(new InputEvent("input"));
      await settled(element);
      return all(element, ".name").map(({ textContent }) => textContent ?? "");
    };
    expect(await found("NAME_3")).toEqual(["name_3"]);
    expect(await found("value 5")).toEqual(["name_5"]);
    expect(await found("grep")).toEqual(["x"]);
    expect((all(element, "details")[0] as HTMLDetailsElement).open).toBe(true);
    expect(await found("nothing")).toEqual([]);
    expect(words(element)).toContain("No variable has this");
  });

  it("has only some of very many in the page, and more when asked for", async () => {
    const element = await context(Array.from({ length: 2000 }, (_, at) => variable(`v${at}`)));
    expect(all(element, ".variable").length).toBe(60);
    expect(words(element)).toContain("v1999");
    button(element, "Show more (1940)").click();
    await settled(element);
    expect(all(element, ".variable").length).toBe(120);
  });

  it("copies the name as a message takes it", async () => {
    const written: string[] = [];
    vi.stubGlobal("navigator", { clipboard: { writeText: async (text: string) => void written.push(text) } });
    const element = await context([variable("color")]);
    button(element, "Copy @color").click();
    await vi.waitFor(() => expect(button(element, "Copied @color")).toBeDefined());
    expect(written).toEqual(["@color"]);
    vi.unstubAllGlobals();
  });

  it("adds one, as JSON if it is JSON", async () => {
    const element = await context([variable("color")]);
    const set = heard(element, "sb-set-variable");
    button(element, "Add a variable").click();
    await settled(element);
    const add = async (name: string, value: string): Promise<void> => {
      (all(element, "input")[0] as HTMLInputElement).value = name;
      (all(element, "textarea")[0] as HTMLTextAreaElement).value = value;
      (all(element, "form")[0] as HTMLFormElement).requestSubmit();
      await settled(element);
    };
    await add("color", "red");
    expect(words(element)).toContain("There is already a variable color.");
    await add("port", "3000");
    expect(set).toEqual([{ name: "port", value: 3000 }]);
  });
});

describe("names", () => {
  it.each(["a", "_", "file_content", "A9", "a".repeat(64)])("%s is one", (name) => expect(nameProblem(name, [])).toBe(""));
  it.each(["", "9a", "a b", "a-b", "ä", "a".repeat(65), "@a", "a.b"])("%j is none", (name) => expect(nameProblem(name, [])).not.toBe(""));
});

describe("a value that is written", () => {
  it("is JSON where it can be, else text", () => {
    expect(["42", "true", '{"a":1}', '"x"', "blue", "{a"].map(textOrJson)).toEqual([42, true, { a: 1 }, "x", "blue", "{a"]);
  });
});

describe("a file that falls on the list", () => {
  it("is uploaded for the session, and belongs to no message", async () => {
    const urls: string[] = [];
    vi.stubGlobal("XMLHttpRequest", class {
      upload = {};
      open = (_: string, url: string) => urls.push(url);
      setRequestHeader(): void {}
      send(): void {}
      abort(): void {}
    });
    const element = await mount<Context>(html`<sb-context .variables=${[]} .session=${"s1"} online></sb-context>`);
    const elsewhere = vi.fn();
    document.addEventListener("drop", elsewhere);
    const drop = () => {
      const event = new Event("drop", { bubbles: true, cancelable: true });
      Object.assign(event, { dataTransfer: { types: ["Files"], files: [new File(["a"], "a.txt")] } });
      element.dispatchEvent(event);
      return event.defaultPrevented;
    };
    expect([drop(), urls, elsewhere.mock.calls.length]).toEqual([true, ["/api/sessions/s1/uploads?name=a.txt"], 0]);
    await settled(element);
    expect(words(element)).toContain("a.txt");

    element.online = false;
    drop();
    expect([urls.length, elsewhere.mock.calls.length]).toEqual([1, 1]);
    document.removeEventListener("drop", elsewhere);
  });
});
