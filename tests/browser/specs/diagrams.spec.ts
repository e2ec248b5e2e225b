//! Diagrams in replies: drawn in a frame without an origin, shown as pictures, and nothing in them does anything.

import type { Locator, Page } from "@playwright/test";
import { Chat } from "../support/chat";
import { startScript, type ScriptedModel } from "../support/script";
import { expectGoodLooks, LOOKS, picture } from "../support/looks";
import { expect, test as base } from "../support/test";

const block = (source: string): string => `\`\`\`mermaid\n${source}\n\`\`\``;

const FLOW = "flowchart LR\n  A[A message] --> B{Are tools needed?}\n  B -->|yes| C[Find and run them]\n  B -->|no| D[Reply]\n  C --> D";
const TALK = "sequenceDiagram\n  accTitle: How a client attaches\n  participant C as Client\n  participant S as Server\n  C->>S: attach after 12\n  S-->>C: events 13 to 20\n  Note over C,S: then live";
const KINDS: Record<string, string> = {
  flowchart: FLOW,
  sequence: TALK,
  class: "classDiagram\n  Animal <|-- Duck\n  Animal : +int age\n  Duck : +swim()",
  state: "stateDiagram-v2\n  [*] --> Idle\n  Idle --> Busy: message\n  Busy --> Idle: reply",
  er: "erDiagram\n  CUSTOMER ||--o{ ORDER : places\n  ORDER { int id\n string city }",
  gantt: "gantt\n  title A plan\n  dateFormat YYYY-MM-DD\n  section One\n  Build :a, 2026-01-01, 10d\n  Test :after a, 5d",
  pie: 'pie title Pets\n  "Dogs" : 40\n  "Cats" : 60',
  journey: "journey\n  title My day\n  section Work\n    Write: 5: Me\n    Meet: 2: Me, You",
  gitGraph: "gitGraph\n  commit\n  branch feature\n  commit\n  checkout main\n  merge feature",
  timeline: "timeline\n  title History\n  2025 : One\n  2026 : Two : Three",
  mindmap: "mindmap\n  root((Project))\n    Page\n      Windows\n    Server",
  quadrant: "quadrantChart\n  title Reach\n  x-axis Low --> High\n  y-axis Low --> High\n  A: [0.3, 0.6]",
  xychart: 'xychart-beta\n  title "Sales"\n  x-axis [jan, feb, mar]\n  y-axis "Amount" 0 --> 100\n  bar [20, 50, 80]',
  requirement: "requirementDiagram\n  requirement test_req {\n  id: 1\n  text: it works\n  risk: high\n  verifymethod: test\n  }",
  kanban: "kanban\n  Todo\n    [Write it]\n  Done\n    [Read it]",
  sankey: "sankey-beta\n\nA,B,10\nA,C,5",
  block: "block-beta\n  columns 2\n  a b c d",
  c4: 'C4Context\n  Person(a, "User")\n  System(b, "Server")\n  Rel(a, b, "uses")',
};

const REPLIES: Record<string, string> = {
  plain: "Only words.",
  flow: `It goes so:\n\n${block(FLOW)}\n\nAnd attaching:\n\n${block(TALK)}\n\nThat is all.`,
  kinds: Object.values(KINDS).map(block).join("\n\n"),
  broken: [block("flowchart LR\n  A[[[ --> B"), block("wardley-beta\ntitle Tea\ncomponent Cup [0.9, 0.5]"), block("no diagram"), block(`flowchart LR\n${"A --> B\n".repeat(4000)}`), block(FLOW)].join("\n\n"),
  many: Array.from({ length: 22 }, (_, at) => block(`flowchart LR\n  A${at} --> B`)).join("\n\n"),
};

const answering = (replies: (said: string) => string) =>
  base.extend<{ model: ScriptedModel }>({
    model: async ({}, use) => {
      const model = await startScript(replies);
      await use(model);
      model.end();
    },
    options: async ({ model }, use) => {
      await use(["--approve", "auto", "--reasoner", "native", "--llm-provider", "compatible", "--llm-base-url", model.url, "--llm-model", "scripted"]);
    },
  });
const test = answering((said) => Object.entries(REPLIES).find(([word]) => said.includes(word))?.[1] ?? "Nothing.");

/** Whether the picture is there, and the share of its points that differ from the one at its corner. */
async function drawnPart(image: Locator): Promise<number> {
  await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.complete && element.naturalWidth > 20)).toBe(true);
  return image.evaluate((element: HTMLImageElement) => {
    const canvas = document.createElement("canvas");
    canvas.width = element.naturalWidth;
    canvas.height = element.naturalHeight;
    const context = canvas.getContext("2d")!;
    context.drawImage(element, 0, 0);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    let other = 0;
    for (let at = 0; at < data.length; at += 4) if (data.slice(at, at + 4).some((value, part) => value !== data[part])) other += 1;
    return other / (data.length / 4);
  });
}

/** The SVGs that the page shows, as they came from the frame. */
async function keepDrawings(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const texts: Promise<string>[] = ((window as unknown as { drawings: unknown }).drawings = []);
    const make = URL.createObjectURL.bind(URL);
    URL.createObjectURL = (blob: Blob) => {
      texts.push(blob.text());
      return make(blob);
    };
  });
  return () => page.evaluate(() => Promise.all((window as unknown as { drawings: Promise<string>[] }).drawings));
}

for (const { name, options } of LOOKS) {
  test(`a diagram stands in the reply: ${name}`, async ({ another }) => {
    const chat = await another(options);
    const { page } = chat;
    const loaded: string[] = [];
    page.on("request", (request) => loaded.push(new URL(request.url()).pathname));
    await chat.send("plain");
    await expect(chat.turns.last().locator(".reply")).toContainText("Only words.");
    expect(loaded.filter((path) => path.startsWith("/frame/") || path.includes("diagram"))).toEqual([]);
    await expect(page.locator("iframe")).toHaveCount(0);

    await chat.send("flow");
    const reply = chat.turns.last().locator(".reply");
    await expect(reply.getByRole("img", { name: "Diagram: flowchart" })).toBeVisible();
    const attaching = reply.getByRole("img", { name: "How a client attaches" });
    await expect(attaching).toBeVisible();
    expect(await drawnPart(attaching)).toBeGreaterThan(0.02);
    await expect(reply.getByText("A -->")).toBeHidden();
    await chat.idle();
    await attaching.scrollIntoViewIfNeeded();
    await picture(page, `diagram ${name}`);
    await expectGoodLooks(page);

    const asText = reply.getByRole("button", { name: "As text" }).first();
    await asText.click();
    await expect(asText).toHaveAttribute("aria-pressed", "true");
    await expect(reply.getByText("A[A message]")).toBeVisible();
    await expect(reply.getByRole("img", { name: "Diagram: flowchart" })).toBeHidden();
    await asText.click();
    await expect(reply.getByRole("img", { name: "Diagram: flowchart" })).toBeVisible();
    await expect(page.locator("iframe")).toHaveCount(1);
  });
}

test("every kind is drawn, with letters that are text", async ({ chat, page }) => {
  const drawings = await keepDrawings(page);
  await page.reload();
  const turn = await chat.ask("kinds");
  const images = turn.locator(".drawing img");
  await expect(images).toHaveCount(Object.keys(KINDS).length);
  await expect(turn.locator(".not-drawn")).toHaveCount(0);
  const svgs = await drawings();
  expect(svgs).toHaveLength(Object.keys(KINDS).length);
  expect(Object.keys(KINDS).filter((_, at) => svgs[at]!.includes("foreignObject"))).toEqual([]);
  for (const [at, kind] of Object.keys(KINDS).entries()) expect(await drawnPart(images.nth(at)), kind).toBeGreaterThan(0.002);
  expect(svgs[0]!.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ")).toContain("Are tools needed?");
  for (const at of [0, 4, 7, 10, 14, 17]) {
    await images.nth(at).scrollIntoViewIfNeeded();
    await picture(page, `diagram kinds ${"abcdefghijklmnopqr"[at]}`);
  }
});

test("what cannot be drawn stays as it was written, with the reason", async ({ chat, page }) => {
  const turn = await chat.ask("broken");
  const lines = turn.locator(".not-drawn");
  await expect(lines).toHaveText([
    "This diagram cannot be drawn: Parse error on line 2.",
    "Diagrams of this kind are not drawn here.",
    /^This diagram cannot be drawn: No diagram type detected/,
    "This diagram is too large to be drawn.",
  ]);
  await expect(turn.getByText("A[[[")).toBeVisible();
  await expect(turn.getByText("title Tea")).toBeVisible();
  await expect(turn.locator(".drawing img")).toHaveCount(1);
  await lines.first().scrollIntoViewIfNeeded();
  await picture(page, "diagram broken");

  await chat.ask("many");
  const many = chat.turns.last();
  await expect(many.locator(".drawing img")).toHaveCount(20);
  await expect(many.locator(".not-drawn")).toHaveText(["Only the first 20 diagrams of a reply are drawn.", "Only the first 20 diagrams of a reply are drawn."]);
});

test("a drawing follows the colors of the page", async ({ chat, page }) => {
  const drawings = await keepDrawings(page);
  await page.emulateMedia({ colorScheme: "light" });
  await page.reload();
  await chat.ask("flow");
  await expect.poll(async () => (await drawings()).length).toBe(2);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(async () => (await drawings()).length).toBe(4);
  await page.evaluate(() => (document.documentElement.dataset.theme = "light"));
  await expect.poll(async () => (await drawings()).length).toBe(6);
  const [light, , dark, , again] = await drawings();
  expect(light).toMatch(/fill:\s*(?:#e4f0ed|rgb\(228, ?240, ?237\))/);
  expect(dark).toMatch(/fill:\s*(?:#1d302d|rgb\(29, ?48, ?45\))/);
  expect(again).toBe(light);
});

base("one in a document is drawn too", async ({ chat, server }) => {
  await server.file("notes.md", `# Notes\n\n${block(FLOW)}\n`);
  await chat.ask("Show notes.md");
  await expect(chat.pane.getByRole("img", { name: "Diagram: flowchart" })).toBeVisible();
});

test("a diagram that never ends is given up, and the next one is drawn", async ({ chat, page }) => {
  // The library is replaced by one that is silent for the first diagram.
  let first = true;
  await page.route("**/frame/mermaid-*.js", (route) => {
    if (!first) return route.fallback();
    first = false;
    return route.fulfill({ contentType: "text/javascript", headers: { "access-control-allow-origin": "*" }, body: "parent.postMessage({ ready: true }, '*')" });
  });
  const turn = await chat.ask("flow");
  await expect(turn.locator(".not-drawn")).toHaveText("This diagram was not drawn: it took too long.");
  await expect(turn.getByRole("img", { name: "How a client attaches" })).toBeVisible();
});

const PWN = "top.__pwned=1;parent.__pwned=1;window.__pwned=1";
const EVIL = "https://evil.example/x.png";
const LOOSE = `%%{init: {"securityLevel": "loose", "htmlLabels": true, "flowchart": {"htmlLabels": true}, "secure": [], "themeCSS": "*{background:url(${EVIL})}", "themeVariables": {"primaryColor": "red;} *{background:url(${EVIL})} x{"}, "dompurifyConfig": {"ALLOWED_TAGS": ["script", "img", "iframe"]}}}%%`;
const HOSTILE = [
  `${LOOSE}\nflowchart LR\n  A["<img src=x onerror='${PWN}'>"] --> B["<script>${PWN}</script>"]\n  C["<iframe srcdoc='<script>${PWN}</script>'></iframe>"] --> D["<svg onload='${PWN}'>"]`,
  `flowchart LR\n  A --> B\n  click A call eval("${PWN}")\n  click B href "javascript:${PWN}" "tip" _top`,
  `flowchart LR\n  A --> B\n  click A "${EVIL}" _top\n  style A fill:url(${EVIL})\n  linkStyle 0 stroke:url(${EVIL})\n  classDef x background:url(${EVIL});`,
  `---\nconfig:\n  securityLevel: loose\n  htmlLabels: true\n  themeCSS: "@import url(${EVIL});"\n---\nflowchart LR\n  A["<b onclick='${PWN}'>bold</b>"] --> B`,
  `sequenceDiagram\n  participant A\n  link A: x @ javascript:parent.__pwned=1\n  links A: {"y": "javascript:parent.__pwned=1"}\n  A->>B: <img src=x onerror=parent.__pwned=1>`,
  `classDiagram\n  class A["<img src=x onerror='${PWN}'>"]\n  click A call eval("${PWN}")\n  link A "javascript:${PWN}"`,
  `gantt\n  dateFormat YYYY-MM-DD\n  section <img src=x onerror='${PWN}'>\n  One :a, 2026-01-01, 3d\n  click a call eval("${PWN}")\n  click a href "javascript:${PWN}"`,
  `flowchart LR\n  accTitle: " onload="${PWN}" <script>${PWN}</script>\n  A["\`**x** ![y](${EVIL}) [z](javascript:${PWN})\`"] --> B`,
  `flowchart LR\n  constructor --> __proto__`,
];
const hostile = answering((said) => (said.includes("picture") ? block(`flowchart LR\n  A@{ img: "${EVIL}", label: "x", w: 60, h: 60 } --> B`) : HOSTILE.map(block).join("\n\n")));

// What the frame refuses its diagrams stands in the console, so these two pages are not watched as others are.
hostile("l01 a hostile diagram does nothing, in its frame and in the page", async ({ page, server }) => {
  const drawings = await keepDrawings(page);
  await page.addInitScript(() => {
    if (self === top) document.addEventListener("securitypolicyviolation", () => Object.assign(window, { __violated: 1 }));
  });
  await page.route((url) => url.origin !== server.origin && url.protocol.startsWith("http"), (route) => {
    throw new Error(`the page asked for ${route.request().url()}`);
  });
  page.on("dialog", (dialog) => {
    throw new Error(dialog.message());
  });
  await page.goto(server.origin);
  const chat = new Chat(page);
  const turn = await chat.ask("go");
  await expect(turn.locator(".drawing img, .not-drawn")).toHaveCount(HOSTILE.length);
  // Most are drawn, without what is hostile in them.
  expect(await turn.locator(".drawing img").count()).toBeGreaterThanOrEqual(6);
  for (const image of await turn.locator(".drawing img").all()) await image.click();
  const frame = page.frames().find((each) => each.url().endsWith("/frame/mermaid.html"))!;
  const left = await frame.evaluate((svgs) => {
    const all = svgs.flatMap((svg) => [...new DOMParser().parseFromString(svg, "image/svg+xml").querySelectorAll("*")]);
    const bad = (element: Element) =>
      /^(script|iframe|foreignObject|parsererror|object|embed)$/i.test(element.localName) ||
      [...element.attributes].some(({ name, value }) => /^on/i.test(name) || /^\s*javascript:/i.test(value) || /url\(\s*["']?http/i.test(value)) ||
      (element.localName === "style" && /@import|url\(\s*["']?http/i.test(element.textContent ?? ""));
    return all.filter(bad).map((element) => element.outerHTML.slice(0, 300));
  }, await drawings());
  expect(left).toEqual([]);
  for (const each of [frame, page.mainFrame()]) {
    expect(await each.evaluate(() => [(window as { __pwned?: unknown }).__pwned, (window as { __violated?: unknown }).__violated])).toEqual([undefined, undefined]);
  }
  await expect(page.locator("sb-turn iframe, sb-turn script, sb-turn a[href^='javascript']")).toHaveCount(0);
  await picture(page, "diagram hostile");
});

hostile("the frame reaches nothing: no page, no server, no other place", async ({ browser, server }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const asked: string[] = [];
  await context.route(/evil\.example/, (route) => {
    asked.push(route.request().url());
    return route.fulfill({ contentType: "image/png", body: "" });
  });
  await page.goto(server.origin);
  await page.getByRole("textbox", { name: "Message" }).fill("picture");
  await page.keyboard.press("Enter");
  await expect(page.locator(".drawing img, .not-drawn")).toHaveCount(1);
  const frame = page.frames().find((each) => each.url().endsWith("/frame/mermaid.html"))!;
  const asset = await page.evaluate(() => document.querySelector<HTMLScriptElement>("script[type='module']")!.src);
  // The page itself may have it.
  expect(await page.evaluate((address) => import(address).then(() => "read"), asset)).toBe("read");
  const reached = await frame.evaluate(async ({ origin, asset }) => {
    const tried = async (act: () => unknown) => {
      try {
        return String(await act());
      } catch {
        return "refused";
      }
    };
    return {
      origin: self.origin,
      page: await tried(() => parent.document.title),
      kept: await tried(() => localStorage.length),
      cookie: await tried(() => document.cookie),
      server: await tried(() => fetch(`${origin}/api/sessions`).then(({ status }) => status)),
      away: await tried(() => fetch("https://evil.example/x").then(({ status }) => status)),
      asset: await tried(() => import(asset).then(() => "read")),
      code: await tried(() => new Function("return 1")()),
      opened: await tried(() => String(open("https://evil.example/"))),
    };
  }, { origin: server.origin, asset });
  expect(reached).toEqual({ origin: "null", page: "refused", kept: "refused", cookie: "refused", server: "refused", away: "refused", asset: "refused", code: "refused", opened: "null" });
  expect(asked).toEqual([]);
  await context.close();
});
