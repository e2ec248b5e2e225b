//! Foreign text with a list of payloads in every place that shows it: each frame of the wire, replies, viewers, tools of MCP
//! servers, the page to share. Every page is watched for broken content policy, script errors and `window.__pwned` too.

import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Locator, Page } from "@playwright/test";
import type { Chat } from "../support/chat";
import { EVIL, expectHarmless, HTML, MARKDOWN, watchRequests } from "../support/payloads";
import { startScript, type ScriptedModel } from "../support/script";
import { built } from "../support/server";
import { expect, test } from "../support/test";
import { Wire, type Frame } from "../support/wire";

const FIXTURES = join(dirname(fileURLToPath(import.meta.url)), "../../../protocol/fixtures");
const SCRIPT = HTML[0]!;

/** What is the server's own and never a text: ids, times, and words of which there are only a few. */
const OWN = /^(type|.*Ids?|generation|timestamp|.*At|step|stream|level|kind|mode|risk|decision|errorType|viewerType|handle|mimeType)$/;

/** The same frame with payloads for all its texts. */
function poisoned(value: unknown, key = ""): unknown {
  if (typeof value === "string") return OWN.test(key) ? value : EVIL;
  if (Array.isArray(value)) return value.map((each) => poisoned(each, key));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, each]) => [name, poisoned(each, name)]);
  // Names of arguments and of fields are foreign too.
  return Object.fromEntries(/^(arguments|references|fields)$/.test(key) ? [...entries, [EVIL, EVIL]] : entries);
}

async function fixture(type: string): Promise<Frame> {
  return JSON.parse(await readFile(join(FIXTURES, `${type}.json`), "utf8")) as Frame;
}

/** Opens all that is folded. */
async function unfold(within: Locator): Promise<void> {
  await within.evaluateAll((elements) => {
    const open = (root: Element | ShadowRoot): void => {
      for (const element of root.querySelectorAll("*")) {
        if (element instanceof HTMLDetailsElement) element.open = true;
        if (element.shadowRoot) open(element.shadowRoot);
      }
    };
    for (const element of elements) open(element.shadowRoot ?? element);
  });
}

/** Opens the steps of a turn, each call in them, and what else is folded there. */
async function unfoldTurn(chat: Chat, turn: Locator): Promise<void> {
  await chat.openSteps(turn);
  await expect(turn.locator("sb-tool-call").first()).toBeVisible();
  for (const summary of await turn.locator("sb-tool-call summary").all()) await summary.click();
  await expect(turn.locator("sb-tool-call").first()).toContainText(SCRIPT);
}

test("l02 in every frame that the server sends", async ({ chat, page, server }) => {
  const asked = await watchRequests(page, server.origin);
  const wire = await Wire.of(page);
  await wire.reload(page);
  const sent = new Set<string>();
  const send = async (type: string, more: Record<string, unknown> = {}): Promise<void> => {
    sent.add(type);
    const frame = { ...(poisoned(await fixture(type)) as Frame), ...more };
    if ("seq" in frame) wire.record(frame);
    else wire.tell(frame);
  };
  await send("user-message", { repeated: undefined });
  for (const type of ["session-update", "agent-thinking", "tool-call-start", "tool-output-chunk", "tool-call-end"]) await send(type);
  await send("context-update", { removed: [] });
  await expect(chat.variables).toContainText(SCRIPT);
  await send("tool-call-start", { callId: "call-9c1d", parentCallId: undefined, quiet: false });
  await send("tool-output-chunk", { offset: 0 });
  await send("agent-delta", { offset: 0 });
  for (const level of ["info", "success", "error", "progress"]) await send("notification", { level, notificationId: level });
  for (const type of ["approval-request", "user-query", "display-resource"]) await send(type);
  await expect(page.locator("sb-toasts li")).toHaveCount(4);
  await expect(page.locator("sb-toasts")).toContainText(SCRIPT);
  await expect(chat.approval).toContainText(SCRIPT);
  await expect(page.getByRole("heading", { level: 1 }).first()).toContainText(SCRIPT);
  await expect(chat.pane.getByRole("tab")).toContainText(SCRIPT.slice(0, 20));
  await expectHarmless(page);

  await send("approval-resolved");
  await expect(page.locator("sb-query")).toContainText(SCRIPT);
  await expectHarmless(page);
  await send("user-query", { queryId: "choices", fields: undefined });
  await send("query-resolved");
  // The second one has only choices.
  await expect(page.locator("sb-query").getByRole("textbox")).toHaveCount(0);
  await expect(page.locator("sb-query").getByRole("button", { name: SCRIPT })).toHaveCount(2);
  await expectHarmless(page);
  await send("query-resolved", { queryId: "choices" });

  await send("agent-response");
  await send("user-message", { messageId: "second", turnId: "second", repeated: undefined });
  await send("agent-error", { messageIds: ["second"], turnId: "second" });
  for (const type of ["command-response", "command-error", "conversation-summary", "sessions-update", "context-state", "log-damaged"]) await send(type, { turnId: undefined, more: undefined });
  await expect(chat.turns).toHaveCount(2);
  await expect(chat.turns.last().locator(".failure")).toContainText(SCRIPT);
  await expect(page.getByRole("group", { name: "Answer to a command" }).first()).toContainText(SCRIPT);
  await expect(chat.list).toContainText(SCRIPT.slice(0, 20));
  await unfoldTurn(chat, chat.turns.first());
  await expectHarmless(page);

  await page.keyboard.press("Control+k");
  await page.locator("sb-palette").getByRole("combobox").fill("script");
  await expect(page.locator("sb-palette").getByRole("option").first()).toContainText("<script>");
  await expectHarmless(page);
  expect(asked).toEqual([]);
  // A kind of frame that is new has its place here.
  const shown = (await readdir(FIXTURES)).map((name) => name.replace(".json", "")).filter((type) => !SENT_BY_CLIENTS.has(type) && !WITHOUT_TEXT.has(type));
  expect([...sent].sort()).toEqual(shown.sort());
});

const SENT_BY_CLIENTS = new Set(["answer-query", "approve-tool", "call-tool", "cancel", "clear-context", "delete-variable", "get-context", "ping", "rename-variable", "send-message", "set-title", "set-variable", "window-closed"]);
const WITHOUT_TEXT = new Set(["close-window", "context-cleared", "pong", "session-ready"]);

const modelled = test.extend<{ model: ScriptedModel }>({
  model: async ({}, use) => {
    const model = await startScript(() => [...MARKDOWN, ...HTML].join("\n\n"));
    await use(model);
    model.end();
  },
  options: async ({ model }, use) => {
    await use(["--approve", "auto", "--reasoner", "native", "--llm-provider", "compatible", "--llm-base-url", model.url, "--llm-model", "scripted"]);
  },
});

modelled("l02 l03 l05 in a reply, and wherever it is found again", async ({ chat, page, server, browser }) => {
  const asked = await watchRequests(page, server.origin);
  await chat.say(`About ${EVIL}`);
  const turn = chat.turns.last();
  await expect(turn.locator(".reply")).toContainText("two");
  await expect(turn.locator(".katex").first()).toBeVisible();
  await expectHarmless(page);
  // What is left of the links does nothing, and leads nowhere but to other pages of the web.
  const links = await turn.locator(".reply a[href]").evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).protocol));
  expect(links.filter((protocol) => !/^(https?|mailto):$/.test(protocol))).toEqual([]);
  for (const name of ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]) await expect(turn.locator(".reply a", { hasText: new RegExp(`^${name}$`) })).toHaveCount(0);

  await page.getByRole("searchbox", { name: "Search conversations" }).fill("onerror");
  await expect(page.getByRole("region", { name: "What was found" }).getByRole("link").first()).toContainText("<script>");
  await expectHarmless(page);
  await page.getByRole("searchbox", { name: "Search conversations" }).press("Escape");
  await chat.list.getByRole("listitem").hover();
  await chat.list.getByRole("listitem").getByRole("button").click();
  await page.getByRole("menuitem", { name: "Replay event by event" }).click();
  await expect(page.getByRole("slider", { name: "Event" })).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await expectHarmless(page);

  const shared = await fetch(`${server.origin}/api/sessions/${chat.session}/export?format=html`);
  expect(shared.status).toBe(200);
  const context = await browser.newContext();
  const there = await context.newPage();
  const askedThere = await watchRequests(there, server.origin);
  await there.setContent(await shared.text());
  await expect(there.locator("article.user")).toContainText(SCRIPT);
  await unfold(there.locator("html"));
  await expectStill(there);
  expect([...asked, ...askedThere]).toEqual([]);
  await context.close();
});

/** The page to share has no scripts, so that nothing in it may look like one. */
async function expectStill(page: Page): Promise<void> {
  await expect(page.locator("body :is(script, iframe, object, embed, img, svg, base, meta, link, style, form, [onerror], [onload], [onclick], [href^='javascript' i], [href^='data' i])")).toHaveCount(0);
  expect(await page.evaluate(() => (window as { __pwned?: unknown }).__pwned)).toBeUndefined();
}

test("l02 l05 l06 l07 l11 in every viewer", async ({ chat, page, server }) => {
  const asked = await watchRequests(page, server.origin);
  const NAME = `<img src=x onerror=window.__pwned=1>\u202Egpj.txt`;
  const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const files: Record<string, string> = {
    "evil.md": [...MARKDOWN, ...HTML].join("\n\n"),
    "evil.csv": [[EVIL, "amount"], ...HTML.map((text, at) => [text, String(at)])].map((row) => row.map(cell).join(",")).join("\n"),
    "evil.json": JSON.stringify({ [EVIL]: EVIL, list: HTML, inner: Object.fromEntries(HTML.map((text) => [text, { [text]: text }])) }),
    "evil.diff": `--- a/${SCRIPT}\n+++ b/${SCRIPT}\n@@ -1,1 +1,${HTML.length} @@ ${EVIL}\n-${EVIL}\n${HTML.map((text) => `+${text}`).join("\n")}\n`,
    "evil.html": `<!doctype html><title>x</title>${EVIL}`,
    "evil.txt": `\u001b]8;;javascript:window.__pwned=1\u0007a link\u001b]8;;\u0007 \u001b[31mred\u001b[0m \u001b]52;c;ZXZpbA==\u0007 ${EVIL}`,
    "evil.svg": `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" onload="parent.__pwned=1"><script>parent.__pwned=1</script><image href="https://evil.example/x.png"/><foreignObject width="40" height="40"><body xmlns="http://www.w3.org/1999/xhtml"><img src="x" onerror="parent.__pwned=1"/></body></foreignObject></svg>`,
    "page.png": `<html><script>parent.__pwned=1</script>${EVIL}`,
    [`dir/${NAME}`]: EVIL,
    [`dir/${"x".repeat(240)}.txt`]: "long",
  };
  for (const [name, content] of Object.entries(files)) await server.file(name, content);
  const shows: readonly (readonly [string, string])[] = [
    ["Show evil.md", "two"],
    ["Show evil.csv", SCRIPT],
    ["Show evil.json", SCRIPT],
    ["Show evil.diff", SCRIPT],
    ["Show evil.html", SCRIPT],
    ["Show evil.txt", SCRIPT],
    ["Show evil.svg", "evil.svg"],
    ["Show evil.svg as text", SCRIPT.replace("window", "parent")],
    ["Show page.png", "not a picture"],
    ["Show page.png as text", SCRIPT],
    ["Open the folder dir", "<img src=x onerror=window.__pwned=1>[U+202E]gpj.txt"],
  ];
  for (const [request, words] of shows) {
    await chat.ask(request);
    await expect(chat.pane, request).toContainText(words);
    if (request === "Show evil.json") await chat.pane.getByRole("tree").press("*");
    await expectHarmless(page);
  }
  await chat.pane.getByRole("button", { name: /gpj\.txt/ }).click();
  await expect(chat.pane.getByRole("tab", { selected: true })).toContainText("<img src=x onerror=window.__pwned=1>");
  await expect(chat.pane).toContainText(SCRIPT);
  await expectHarmless(page);
  await chat.pane.getByRole("button", { name: "Make it a floating window" }).click();
  await expect(page.locator("sb-float")).toContainText("<img src=x onerror=window.__pwned=1>");
  await expectHarmless(page);

  const data = HTML.slice(0, 6).map((text, at) => ({ x: text, amount: at + 1, s: at % 2 ? text : SCRIPT }));
  for (const type of ["bar", "pie"]) {
    await chat.say(`use make_chart ${JSON.stringify({ data, type, x: "x", y: "amount", ...(type === "bar" && { series: "s" }), title: HTML.slice(0, 4).join(" ") })}`);
    await chat.idle();
    const chart = chat.turns.last().locator("sb-chart");
    await expect(chart.locator("svg").first()).toBeVisible();
    await chart.getByRole("button", { name: "As a table" }).click();
    await expect(chart).toContainText(SCRIPT);
    await expectHarmless(page);
  }
  expect(asked).toEqual([]);
});

const served = test.extend<{ folder: string }>({
  folder: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), "switchboard-mcp-"));
    await use(folder);
    await rm(folder, { recursive: true, force: true });
  },
  options: async ({ folder }, use) => {
    // What hides characters is not taken from a server at all.
    const EVIL = HTML.slice(0, -1).join(" ");
    const text = { type: "string", title: EVIL, description: EVIL };
    const tool = { name: "look", title: EVIL, description: EVIL, inputSchema: { type: "object", properties: { what: text, [SCRIPT]: { type: "string", description: EVIL } } }, annotations: { title: EVIL }, _meta: { answers: EVIL } };
    await writeFile(join(folder, "tools.json"), JSON.stringify([tool, { ...tool, name: SCRIPT }]));
    await writeFile(join(folder, "mcp.json"), JSON.stringify({ mcpServers: { evil: { command: built("scripted_mcp"), args: [folder, "catalogue"] } } }));
    await use(["--approve", "ask", "--mcp", join(folder, "mcp.json")]);
  },
});

served("l02 in the tools of an MCP server", async ({ chat, page, server }) => {
  const asked = await watchRequests(page, server.origin);
  await expect(page.locator("sb-mcp li")).toContainText("is ready");
  await page.getByRole("button", { name: "Settings" }).click();
  await chat.window.getByRole("tab", { name: "Tools" }).click();
  await chat.window.getByLabel("Find a tool").fill("evil");
  await expect(chat.window).toContainText(SCRIPT);
  await expectHarmless(page);
  await chat.window.getByRole("button", { name: "Close" }).click();
  for (const command of ["/mcp evil", "/tools evil"]) {
    await chat.say(command);
    await expect(page.getByRole("group", { name: "Answer to a command" }).last()).toContainText("evil");
    await expectHarmless(page);
  }
  await chat.say(`use evil__look ${JSON.stringify({ what: EVIL })}`);
  await expect(chat.approval).toContainText(SCRIPT);
  await expectHarmless(page);
  await chat.decide("Allow once");
  await expect(chat.turns.last().locator(".reply, .failure").first()).toBeVisible();
  await unfoldTurn(chat, chat.turns.last());
  await expectHarmless(page);
  expect(asked).toEqual([]);
});
