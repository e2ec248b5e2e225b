//! What the list of variables says, and which names it takes. Runs in a DOM: @vitest-environment jsdom

import { html } from "lit";
import { describe, expect, it } from "vitest";
import type { Variable } from "../../protocol/generated";
import { variable } from "../../state/test-frames";
import { all, button, heard, mount, settled, words } from "../test-dom";
import { textOrJson } from "../../text/json";
import { nameProblem, type Context } from "./context";
import "./context";

async function context(variables: Variable[]): Promise<Context> {
  return mount<Context>(html`<sb-context .variables=${variables} online></sb-context>`);
}

describe("the list of variables", () => {
  it("says type, size, preview, origin, version and what is outdated", async () => {
    const parsed: Variable = {
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
    all(element, ".variable")[0]?.click();
    expect(opened).toEqual([{ name: "color" }]);
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
