//! What a choice was made from, and taking another tool for the same request. Runs in a DOM: @vitest-environment jsdom

import { html } from "lit";
import { describe, expect, it } from "vitest";
import type { Busy, ServerFrame } from "../../protocol/generated";
import type { Turn } from "../../state/chat";
import { finish, fold, kept, message, ready, reply, start } from "../../state/test-frames";
import { all, button, heard, mount, words } from "../test-dom";
import type { Timeline } from "./timeline";
import "./timeline";

const FOUND = [
  { name: "file_read", confidence: 0.91, reasons: ["read", "file"] },
  { name: "grep", confidence: 0.44, reasons: ["meaning"] },
  { name: "glob", confidence: 0.31, reasons: ["file"] },
];

const searching = (seq: number) => kept(seq, "agent-thinking", { step: "searching", message: "Found 3 tools", candidates: FOUND }, "m1");
const selecting = (seq: number, selected: string[]) =>
  kept(seq, "agent-thinking", { step: "selecting", message: "Using", candidates: FOUND, selected }, "m1");
const work = [message(1, "m1", "Read it"), searching(2), selecting(3, ["file_read"]), start(4, "m1", "c1"), finish(5, "m1", "c1")];

async function shown(frames: readonly ServerFrame[], busy?: Busy): Promise<Timeline> {
  const turn = fold([ready(), ...frames]).timeline[0] as Turn;
  const element = await mount<Timeline>(html`<sb-timeline .turn=${turn} .busy=${busy}></sb-timeline>`);
  const summary = all(element, "summary")[0];
  if (!busy) summary?.click();
  await element.updateComplete;
  return element;
}

describe("the choice of a tool", () => {
  it("shows once what it was made from, with what was chosen", async () => {
    const element = await shown([...work, reply(6, "m1")]);
    expect(all(element, ".found").length).toBe(1);
    expect(words(element)).toContain("2 other tools: grep 44 % · glob 31 %");
    expect(words(element)).toContain("file_read 91 % ✓ chosen read, file");
    expect(all(element, ".try").length).toBe(2);
  });

  it("takes another one for the same request", async () => {
    const element = await shown([...work, reply(6, "m1")]);
    const tried = heard(element, "sb-try");
    button(element, "Try this one: grep").click();
    expect(tried).toEqual([{ tool: "grep", text: "Read it", mode: "queue" }]);
  });

  it("takes the place of a turn that still runs", async () => {
    const element = await shown(work, { messageId: "m1", step: "executing" });
    const tried = heard(element, "sb-try");
    button(element, "Try this one: glob").click();
    expect(tried).toEqual([{ tool: "glob", text: "Read it", mode: "interrupt" }]);
  });

  it("that came to none is shown too, and all can be taken", async () => {
    const element = await shown([message(1, "m1", "Fly"), searching(2), selecting(3, []), reply(4, "m1")]);
    expect(words(element)).toContain("3 tools: file_read 91 %");
    expect(all(element, ".try").length).toBe(3);
  });

  it("is the search's where a model answered without one", async () => {
    const element = await shown([message(1, "m1", "Hm"), searching(2), start(3, "m1", "c1"), finish(4, "m1", "c1"), reply(5, "m1")]);
    expect(all(element, ".try").length).toBe(3);
  });

  it("offers nothing where the request is not held", async () => {
    const element = await shown([...work.slice(1), reply(6, "m1")]);
    expect([all(element, ".found").length, all(element, ".try").length]).toEqual([1, 0]);
  });
});
