//! What keeps commands is said, and plainest when nothing does. Runs in a DOM: @vitest-environment jsdom

import { html } from "lit";
import { describe, expect, it } from "vitest";
import type { SandboxState } from "../../protocol/generated";
import { all, heard, mount, words } from "../test-dom";
import { aboutSandbox, type Sandbox } from "./sandbox";

function badge(state?: SandboxState | "of-tomorrow"): Promise<Sandbox> {
  return mount<Sandbox>(html`<sb-sandbox .state=${state}></sb-sandbox>`);
}

describe("the sandbox's badge", () => {
  it("says which of them it is", async () => {
    expect(words(await badge("on")).trim()).toBe("Sandbox on");
    expect(words(await badge("shared-processes")).trim()).toBe("Sandbox weaker");
    expect(words(await badge("landlock-only")).trim()).toBe("Sandbox weaker");
    expect(words(await badge("off")).trim()).toBe("No sandbox");
    expect(words(await badge("unavailable")).trim()).toBe("No commands");
  });

  it("is quiet only while commands are kept in", async () => {
    expect(all(await badge("on"), ".quiet")).toHaveLength(1);
    expect(all(await badge("landlock-only"), ".loud")).toHaveLength(1);
    expect(all(await badge("off"), ".loud")).toHaveLength(1);
    expect(all(await badge("unavailable"), ".loud")).toHaveLength(1);
  });

  it("is not there when the server does not say, or says what is not known here", async () => {
    expect(words(await badge()).trim()).toBe("");
    expect(words(await badge("of-tomorrow")).trim()).toBe("");
    expect(aboutSandbox(undefined)).toBeUndefined();
  });

  it("leads to what it means", async () => {
    const element = await badge("off");
    const asked = heard(element, "sb-settings");
    all(element, "button")[0]?.click();
    expect(asked).toEqual([{ part: "models" }]);
    expect(aboutSandbox("off")).toContain("can do everything it can");
  });
});
