//! Replies with more than words: each part looks as it should, is loaded when it is needed, and breaks no policy.

import { startScript, type ScriptedModel } from "../support/script";
import { expectGoodLooks, LOOKS, picture } from "../support/looks";
import { expect, test as base } from "../support/test";

const RICH = `Here is **all** of it, with @colour.

\`\`\`python
def area(radius: float) -> float:
    """The area of a circle."""
    return 3.14159 * radius ** 2  # roughly
\`\`\`

| city | population | founded | note |
|:-----|---:|---:|:-:|
| Lisbon | 567,131 | 1147 | a |
| Porto | 231,800 | 868 | b |

The sum $\\sum_{i=1}^{n} i = \\frac{n(n+1)}{2}$ costs $5, not $10.

$$\\int_0^\\infty e^{-x^2}\\,dx = \\frac{\\sqrt{\\pi}}{2}$$

- [x] read the file
- [ ] write the report

It is known[^1] and disputed[^why].

[^1]: Since *Gauss*.
[^why]: By few.

Ask "what can you do" for more.
`;

const test = base.extend<{ model: ScriptedModel }>({
  model: async ({}, use) => {
    const model = await startScript((said) => (said.includes("plain") ? "Only words." : RICH));
    await use(model);
    model.end();
  },
  options: async ({ model }, use) => {
    await use(["--approve", "auto", "--reasoner", "native", "--llm-provider", "compatible", "--llm-base-url", model.url, "--llm-model", "scripted"]);
  },
});

for (const look of LOOKS) {
  test(`a rich reply: ${look.name}`, async ({ another }) => {
    const chat = await another(look.options);
    const { page } = chat;
    const loaded: string[] = [];
    page.on("request", (request) => loaded.push(new URL(request.url()).pathname));
    await chat.send("plain");
    await expect(chat.turns.last().locator(".reply")).toContainText("Only words.");
    expect(loaded.filter((path) => /highlight|maths|KaTeX/.test(path))).toEqual([]);

    await chat.send("rich");
    const reply = chat.turns.last().locator(".reply");
    await expect(reply.locator(".hljs-keyword").first()).toHaveText("def");
    await expect(reply.locator(".head span")).toHaveText("python");
    await expect(reply.locator(".maths.drawn")).toHaveCount(2);
    await expect(reply).toContainText("costs $5, not $10");
    await expect.poll(() => page.evaluate(() => [...document.fonts].filter(({ status }) => status === "loaded").length)).toBeGreaterThan(0);
    await expect(reply.locator("td", { hasText: "567,131" })).toHaveCSS("text-align", /right|end/);
    await expect(reply.locator("td", { hasText: "Lisbon" })).toHaveCSS("text-align", /left|start/);
    await expect(reply.getByRole("img", { name: "done" })).toHaveCount(1);
    await chat.idle();
    await picture(page, `rich ${look.name}`);
    await reply.locator(".maths.block").scrollIntoViewIfNeeded();
    await picture(page, `rich end ${look.name}`);
    await expectGoodLooks(page);
  });
}

test("footnotes are reached and left by keyboard", async ({ chat, page }) => {
  await chat.ask("rich");
  const reply = chat.turns.last().locator(".reply");
  const mark = reply.getByRole("button", { name: "Footnote 2" });
  await mark.focus();
  await page.keyboard.press("Enter");
  await expect(reply.locator(".note").nth(1)).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(mark).toBeFocused();
  expect(new URL(page.url()).hash.slice(1)).toBe(chat.session);
});

test("names open their variable, example requests are taken over and not sent", async ({ chat, page }) => {
  await chat.variables.getByRole("button", { name: "Add a variable" }).click();
  await chat.variables.getByRole("textbox", { name: "Name" }).fill("colour");
  await chat.variables.getByRole("textbox", { name: /Value/ }).fill("green");
  await chat.variables.getByRole("button", { name: "Add", exact: true }).click();
  await expect(chat.variables).toContainText("green");
  await chat.ask("rich");
  const reply = chat.turns.last().locator(".reply");
  await reply.getByRole("button", { name: "@colour" }).click();
  await expect(page.getByRole("dialog", { name: "@colour" })).toBeVisible();
  await page.keyboard.press("Escape");

  await reply.getByRole("button", { name: "what can you do" }).click();
  await expect(chat.field).toHaveValue("what can you do");
  await expect(chat.field).toBeFocused();
  await expect(chat.turns).toHaveCount(1);
});

test("a reply and its code are copied, and a reply is asked for again", async ({ chat, page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  const turn = await chat.ask("rich");
  await turn.getByRole("button", { name: "Copy this reply" }).click();
  await expect(turn.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await clipboard()).toBe(RICH.trim());
  await turn.locator(".reply").getByRole("button", { name: "Copy", exact: true }).first().click();
  await expect.poll(clipboard).toMatch(/^def area[^]*roughly$/);

  const before = chat.session;
  await turn.getByRole("button", { name: "Answer again" }).click();
  await expect.poll(() => chat.session).not.toBe(before);
  await expect(chat.turns).toHaveCount(1);
  await expect(chat.turns.last().locator(".bubble")).toHaveText("You: rich");
  await expect(chat.turns.last().locator(".reply")).toContainText("Here is all of it");
});

const PWN = "window.__pwned=1";
const HOSTILE = [
  `$\\href{javascript:${PWN}}{x}$`,
  `$\\htmlData{x=1}{y} \\htmlStyle{position:fixed}{z} \\htmlClass{a}{b} \\url{javascript:${PWN}}$`,
  "$\\includegraphics[width=1px]{https://evil.example/x.png}$",
  `$<img src=x onerror=${PWN}>$`,
  `$$\\text{<script>${PWN}</script>}$$`,
  "$\\def\\x{\\x\\x}\\x$",
  "$\\rule{100000em}{100000em}$",
  `\`\`\`python"><img src=x onerror=${PWN}>\n<script>${PWN}</script>\n\`\`\``,
  `\`\`\`html\n<img src=x onerror="${PWN}"><script>${PWN}</script>\n\`\`\``,
  `\`\`\`json\n{"<img src=x onerror=${PWN}>": "</code></pre><script>${PWN}</script>"}\n\`\`\``,
  `[^<img src=x onerror=${PWN}>] and [^a"onmouseover="${PWN}] and [^evil]`,
  `[^evil]: <img src=x onerror=${PWN}> [x](javascript:${PWN})`,
  `- [x] <img src=x onerror=${PWN}>\n- [ ] [x](javascript:${PWN})`,
  `| 1 | <img src=x onerror=${PWN}> |\n|--:|---|\n| 2 | $\\href{javascript:${PWN}}{3}$ |`,
  `Ask "<img src=x onerror=${PWN}>" and @constructor and @__proto__`,
].join("\n\n");

const hostile = base.extend<{ model: ScriptedModel }>({
  model: async ({}, use) => {
    const model = await startScript(() => HOSTILE);
    await use(model);
    model.end();
  },
  options: async ({ model }, use) => {
    await use(["--approve", "auto", "--reasoner", "native", "--llm-provider", "compatible", "--llm-base-url", model.url, "--llm-model", "scripted"]);
  },
});

hostile("formulas, code, notes and tables that are hostile do nothing", async ({ chat, page, server }) => {
  await page.route((url) => url.origin !== server.origin && url.protocol.startsWith("http"), (route) => {
    throw new Error(`the page asked for ${route.request().url()}`);
  });
  const turn = await chat.ask("go");
  const reply = turn.locator(".reply");
  await expect(reply.locator(".hljs-tag, .hljs-attr").first()).toBeVisible();
  await expect(reply.locator(".maths.drawn").first()).toBeVisible();
  await expect(reply.locator("img, script, iframe, a[href^='javascript'], [onerror], [onmouseover]")).toHaveCount(0);
  await expect(reply.getByRole("button", { name: "@constructor" })).toHaveCount(0);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  expect(wide).toBe(true);
});
