//! What an empty conversation offers, however long the server takes. Runs in a DOM: @vitest-environment jsdom

import { html } from "lit";
import { afterEach, describe, expect, it, vi } from "vitest";
import { all, heard, mount, settled } from "../test-dom";
import type { Welcome } from "./welcome";
import "./welcome";

afterEach(() => vi.unstubAllGlobals());

async function offers(fetched: () => Promise<Response>): Promise<Welcome> {
  vi.stubGlobal("fetch", fetched);
  const element = await mount<Welcome>(html`<sb-welcome .session=${"s1"}></sb-welcome>`);
  expect(all(element, "li")).toHaveLength(0);
  await vi.waitFor(() => expect(all(element, "li").length).toBeGreaterThan(0), 3000);
  return element;
}

describe("an empty conversation", () => {
  it("offers what is there first, and sends what is clicked", async () => {
    const entries = [{ name: "notes.txt", type: "file", bytes: 3 }];
    const element = await offers(async () => Response.json({ entries, more: false }));
    const sent = heard(element, "sb-send");
    all(element, "button")[0]?.click();
    expect([sent, all(element, "li").length]).toEqual([[{ text: "How many lines are in notes.txt?", mode: "queue" }], 6]);
  });

  it("offers what always works when the server does not say, or not in time", async () => {
    for (const fetched of [async () => new Response("", { status: 500 }), () => new Promise<Response>(() => undefined)]) {
      const element = await offers(fetched);
      await settled(element);
      expect(all(element, "button")[0]?.textContent).toContain("Calculate 42 * 37");
    }
  });
});
