//! How fast the page is, and how much it takes: measured on the built binary, written into docs/performance.md. A timing decides no
//! test; what the targets are stands beside each figure.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { cpus } from "node:os";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import type { Browser, Page } from "@playwright/test";
import { Chat } from "../support/chat";
import { Server } from "../support/server";
import { expect, test } from "../support/test";
import { jumps } from "../support/jumps";
import { longSession } from "../support/sessions";

const ROOT = new URL("../../../", import.meta.url);
const ASSETS = new URL("web/dist/assets/", ROOT);
const MARKS = ["<!-- page -->", "<!-- /page -->"] as const;
const rows: string[][] = [];

function row(what: string, figure: string, target: string): void {
  rows.push([what, figure, target]);
  console.log(`${what}: ${figure} (${target})`);
}

/** The middle one. */
function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Notes when the field has the keyboard, when this turn, the last one, is in view, and each long task. */
function watch(last?: string): void {
  const seen = window as unknown as { figures: { field?: number; turn?: number; long: number[] } };
  seen.figures = { long: [] };
  new PerformanceObserver((list) => seen.figures.long.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: "longtask" });
  const look = (): void => {
    const app = document.querySelector("sb-app")?.shadowRoot;
    if (app?.activeElement?.localName === "sb-composer") seen.figures.field ??= performance.now();
    const turn = [...(app?.querySelector("sb-conversation")?.shadowRoot?.querySelectorAll("sb-turn") ?? [])].at(-1);
    const there = turn && turn.turn.id === last && turn.turn.end !== undefined && turn.shadowRoot?.querySelector("sb-markdown");
    if (there && turn.getBoundingClientRect().bottom <= window.innerHeight) seen.figures.turn ??= performance.now();
    requestAnimationFrame(look);
  };
  look();
}

const figures = (page: Page) => page.evaluate(() => (window as unknown as { figures: { field?: number; turn?: number; long: number[] } }).figures);

async function imported(server: Server, file: string): Promise<string> {
  const answer = await fetch(`${server.origin}/api/sessions/import`, { method: "POST", headers: { "content-type": "application/x-ndjson" }, body: file });
  if (!answer.ok) throw new Error(await answer.text());
  return ((await answer.json()) as { sessionId: string }).sessionId;
}

/** Opens it in a browser that has nothing of the page, so many times; when its last turn is there, in milliseconds. */
async function opened(another: (options?: object, address?: string) => Promise<Chat>, address: string, last: string, times = 5): Promise<number> {
  const took: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const { page } = await another({}, "about:blank");
    await page.addInitScript(watch, last);
    await page.goto(address);
    await expect.poll(async () => (await figures(page)).turn).toBeDefined();
    took.push((await figures(page)).turn ?? Number.NaN);
    await page.close();
  }
  return median(took);
}

/** Opens a session from a page that shows none and has come to rest; when its last turn is there, in milliseconds. */
async function clickedOn(browser: Browser, server: Server, last: string, file: string): Promise<{ page: Page; took: number }> {
  const session = await imported(server, file);
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
  await page.addInitScript(watch, last);
  await page.goto(server.origin);
  await expect(new Chat(page).field).toBeFocused();
  // Whoever clicks has seen the list: what the page and the server do after their start is no part of this.
  await page.waitForLoadState("networkidle");
  const took = await page.evaluate(async (id) => {
    const seen = (window as unknown as { figures: { turn?: number } }).figures;
    seen.turn = undefined;
    const began = performance.now();
    location.hash = id;
    while (seen.turn === undefined) await new Promise((done) => requestAnimationFrame(done));
    return seen.turn - began;
  }, session);
  return { page, took };
}

test("the first load", async ({ another, server }) => {
  const took: number[] = [];
  let bytes = 0;
  for (let time = 0; time < 5; time += 1) {
    const { page } = await another({}, "about:blank");
    const network = await page.context().newCDPSession(page);
    await network.send("Network.enable");
    bytes = 0;
    network.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
    await page.addInitScript(watch);
    await page.goto(server.origin);
    await expect.poll(async () => (await figures(page)).field).toBeDefined();
    took.push((await figures(page)).field ?? Number.NaN);
    await page.close();
  }
  row("first load, over the wire, with headers and the first answers", `${(bytes / 1024).toFixed(1)} KiB`, "120 KiB");
  row("from the address until the field takes keys", `${Math.round(median(took))} ms`, "1 s");
});

/** The scripts that a part of the page brings along, with all that these import, and are not there from the beginning. */
async function scriptsOf(file: string, there: Set<string>): Promise<Set<string>> {
  if (there.has(file)) return new Set();
  const text = gunzipSync(await readFile(new URL(`${file}.gz`, ASSETS))).toString();
  const imported = [...text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)].map(([, name]) => name ?? "");
  const found = new Set([file]);
  for (const each of imported) for (const inner of await scriptsOf(each, new Set([...there, ...found]))) found.add(inner);
  return found;
}

test("what is loaded when it is first needed", async () => {
  const page = await readFile(new URL("../index.html", ASSETS), "utf8");
  const there = new Set([...page.matchAll(/assets\/([^"]+\.js)/g)].map(([, name]) => name ?? ""));
  const all = await readdir(ASSETS);
  for (const name of ["editor", "code", "image", "directory", "table", "markdown", "json", "diff", "chart", "pdf", "windows", "floats", "highlight", "maths", "diagram", "settings", "providers", "palette", "replay"]) {
    const [file] = all.filter((each) => each.startsWith(`${name}-`) && each.endsWith(".js.gz"));
    if (!file) continue;
    const scripts = await scriptsOf(file.replace(/\.gz$/, ""), there);
    const sizes = await Promise.all([...scripts].map(async (script) => (await stat(new URL(`${script}.gz`, ASSETS))).size));
    row(`part \`${name}\`, compressed, with what it imports`, `${(sizes.reduce((sum, size) => sum + size, 0) / 1024).toFixed(1)} KiB`, "");
  }
});

test("2,000 turns with 2,000 variables", async ({ another, server }) => {
  const session = await imported(server, longSession(2000, true));
  row("2,000 turns and 2,000 variables: until the last turn is there", `${Math.round(await opened(another, `${server.origin}/#${session}`, "m2000"))} ms`, "700 ms");
});

test("5,000 messages", async ({ browser }) => {
  const model = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": request.url?.endsWith("/models") ? "application/json" : "text/event-stream" });
    if (request.url?.endsWith("/models")) return void response.end(JSON.stringify({ data: [{ id: "m" }] }));
    let sent = 0;
    const say = (): void => {
      const end = sent === 1500;
      const delta = end ? {} : { content: `word${sent} ` };
      response.write(`data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: end ? "stop" : null }] })}\n\n`);
      sent += 1;
      if (end) return void response.end("data: [DONE]\n\n");
      setTimeout(say, 2);
    };
    say();
  });
  await new Promise<void>((ready) => model.listen(0, "127.0.0.1", ready));
  const url = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`;
  const server = await Server.start("--reasoner", "native", "--llm-provider", "compatible", "--llm-base-url", url, "--llm-model", "m", "--context-tokens", "8000");
  try {
    const click = () => clickedOn(browser, server, "m2500", longSession(2500, false));
    const took: number[] = [];
    while (took.length < 4) {
      const clicked = await click();
      took.push(clicked.took);
      await clicked.page.close();
    }
    const { page, took: last } = await click();
    row("5,000 messages: from the click until the last turn is there", `${Math.round(median([...took, last]))} ms`, "100 ms");
    const chat = new Chat(page);

    await page.evaluate(() => ((window as unknown as { figures: { long: number[] } }).figures.long.length = 0));
    await chat.ask("Say many words");
    const { long } = await figures(page);
    row("the longest task while a reply of 1,500 pieces comes", long.length > 0 ? `${Math.round(Math.max(...long))} ms` : "under 50 ms", "100 ms");

    const found = await jumps(page, 100);
    row(`the worst jump while ${found.length} older pages come`, `${Math.max(...found).toFixed(1)} px`, "2 px");

    const tools = await page.context().newCDPSession(page);
    await tools.send("HeapProfiler.enable");
    await tools.send("HeapProfiler.collectGarbage");
    const { usedSize } = await tools.send("Runtime.getHeapUsage");
    row("the heap with all of them read", `${(usedSize / 1024 / 1024).toFixed(0)} MB`, "60 MB");
    await page.close();
  } finally {
    await server.remove();
    model.close();
  }
});

test.afterAll(async () => {
  const path = fileURLToPath(new URL("docs/performance.md", ROOT));
  const text = await readFile(path, "utf8");
  const [head, rest] = text.split(MARKS[0]);
  const after = rest?.split(MARKS[1])[1];
  if (head === undefined || after === undefined) throw new Error(`${path} has no place for the figures`);
  const table = ["| what | measured | target |", "|---|---|---|", ...rows.map((cells) => `| ${cells.join(" | ")} |`)].join("\n");
  const built = (await stat(process.env.SWITCHBOARD_BINARY ?? "")).mtime.toISOString().slice(0, 10);
  const where = `Measured on ${new Date().toISOString().slice(0, 10)}, the binary of ${built}: ${cpus().length} cores (${cpus()[0]?.model ?? ""}), headless Chromium.`;
  await writeFile(path, `${head}${MARKS[0]}\n\n${where}\n\n${table}\n\n${MARKS[1]}${after}`);
});
