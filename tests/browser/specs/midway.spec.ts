//! In the middle of things: a reload with windows and a progress open, a second tab, and a connection that is lost while a
//! reply streams.

import type { Call, ScriptedModel } from "../support/script";
import { startScript } from "../support/script";
import { expect, test as base } from "../support/test";
import { Wire } from "../support/wire";

/** The fourth workflow of seed 003, with two windows before it. */
const WORK: readonly Call[] = [
  { tool: "display_resource", arguments: { resource_handle: "notes.txt" } },
  { tool: "display_resource", arguments: { resource_handle: "sales.csv" } },
  { tool: "notify_user", arguments: { message: "Processing 1 of 2", type: "progress", progress: 0.25 } },
  { tool: "bash", arguments: { command: "until [ -e go ]; do sleep 0.05; done", timeout: 60 } },
  { tool: "notify_user", arguments: { message: "Processing 2 of 2", type: "progress", progress: 0.75 } },
  { tool: "bash", arguments: { command: "until [ -e end ]; do sleep 0.05; done", timeout: 60 } },
  { tool: "notify_user", arguments: { message: "Complete!", type: "success", duration: 0 } },
];

const PIECES = Array.from({ length: 60 }, (_, at) => `Word ${at} äß😀. `);
const REPLY = PIECES.join("").trim();

interface Fixtures {
  model: ScriptedModel;
  /** Lets the reply go on, so many pieces far. */
  reply: { upTo: (count: number) => void };
}

const test = base.extend<Fixtures>({
  reply: async ({}, use) => {
    await use({ upTo: () => undefined });
  },
  model: async ({ reply }, use) => {
    let allowed = 0;
    let wake = (): void => undefined;
    reply.upTo = (count) => {
      allowed = count;
      wake();
    };
    async function* pieces(): AsyncGenerator<string> {
      for (const [at, piece] of PIECES.entries()) {
        while (at >= allowed) await new Promise<void>((go) => (wake = go));
        yield piece;
      }
    }
    let at = 0;
    const model = await startScript((said) => (said.includes("Stream") ? pieces() : (WORK[at++] ?? "Done.")));
    await use(model);
    model.end();
  },
  options: async ({ model }, use) => {
    await use(["--approve", "auto", "--reasoner", "native", "--llm-provider", "compatible", "--llm-base-url", model.url, "--llm-model", "scripted"]);
  },
});

test("windows and a progress come back after a reload, stand in a second tab, and go on", async ({ chat, page, another, server }) => {
  await server.file("notes.txt", "milk\nbread\n");
  await server.file("sales.csv", "region,amount\nnorth,120\nsouth,45\n");
  const toasts = page.locator("sb-toasts li");
  await chat.say("Process it and tell me");
  await expect(toasts).toContainText("Processing 1 of 2");
  await expect(toasts.getByRole("progressbar", { name: "Progress" })).toHaveAttribute("value", "0.25");
  await chat.pane.getByRole("tab", { name: "notes.txt" }).click();
  await chat.pane.getByRole("button", { name: "Make it a floating window" }).click();
  const float = page.getByRole("dialog", { name: "notes.txt", exact: true });
  await expect(float).toContainText("bread");
  const place = await float.boundingBox();

  await page.reload();
  const second = await another({}, page.url());
  await expect(toasts).toHaveCount(1);
  await expect(toasts.getByRole("progressbar")).toHaveAttribute("value", "0.25");
  await expect(chat.stop).toBeVisible();
  await expect(float).toContainText("bread");
  await expect.poll(() => float.boundingBox()).toEqual(place);
  await expect(chat.pane.getByText("2 of 2 rows")).toBeVisible();
  await expect(second.page.locator("sb-toasts li")).toContainText("Processing 1 of 2");
  await expect(second.pane.getByText("2 of 2 rows")).toBeVisible();

  await server.file("go", "");
  for (const each of [page, second.page]) {
    await expect(each.locator("sb-toasts li")).toHaveCount(1);
    await expect(each.locator("sb-toasts li")).toContainText("Processing 2 of 2");
    await expect(each.locator("sb-toasts li").getByRole("progressbar")).toHaveAttribute("value", "0.75");
  }
  await server.file("end", "");
  for (const each of [page, second.page]) {
    await expect(each.locator("sb-turn .reply")).toContainText("Done.");
    // The progress ends with its turn.
    await expect(each.locator("sb-toasts li")).toHaveText([/Complete!/]);
  }
});

test("a reply that streams is whole after lost connections and a reload, with nothing twice", async ({ chat, page, another, reply }) => {
  const wire = await Wire.of(page);
  await wire.reload(page);
  const shown = page.locator("sb-turn sb-markdown");
  const upTo = (count: number) => PIECES.slice(0, count).join("").trim();
  await chat.say("Stream");
  reply.upTo(10);
  await expect(shown).toHaveText(upTo(10));
  await wire.lose();
  // It goes on while nobody listens.
  reply.upTo(20);
  await expect(shown).toHaveText(upTo(20));
  const second = await another({}, page.url());
  await expect(second.page.locator("sb-turn sb-markdown")).toHaveText(upTo(20));
  await wire.lose();
  reply.upTo(35);
  await expect(shown).toHaveText(upTo(35));
  await page.reload();
  await expect(shown).toHaveText(upTo(35));
  reply.upTo(PIECES.length);
  for (const each of [page, second.page]) {
    await expect(each.locator("sb-turn sb-markdown")).toHaveText(REPLY);
    await expect(each.locator("sb-turn")).toHaveCount(1);
  }
  await chat.idle();
  await page.reload();
  await expect(shown).toHaveText(REPLY);
});
