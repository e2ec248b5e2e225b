//! Hostile text stays text, wherever it comes from. Every page is watched for broken content policy, script errors
//! and `window.__pwned` by the fixture that opens it.

import { expect, test } from "../support/test";

const EVIL = [
  "<script>window.__pwned=1</script>",
  "<img src=x onerror='window.__pwned=1'>",
  "<svg onload='window.__pwned=1'>",
  "<iframe srcdoc='<script>parent.__pwned=1</script>'></iframe>",
  "<style>body{display:none}</style>",
  "<p style='position:fixed'>over</p>",
  "[link](javascript:window.__pwned=1)",
  "![pixel](https://evil.example/pixel.png)",
  "<base href='https://evil.example/'>",
  "\u202Egnp.exe\u200B",
].join(" ");

test.beforeEach(async ({ page, server }) => {
  // Nothing may be fetched from elsewhere.
  await page.route((url) => url.origin !== server.origin && url.protocol.startsWith("http"), (route) => {
    throw new Error(`the page asked for ${route.request().url()}`);
  });
});

test("in a message", async ({ chat, page }) => {
  await chat.say(EVIL);
  await expect(chat.turns.last().locator(".reply, .failure").first()).toBeVisible();
  await expect(chat.turns.last().locator(".bubble")).toContainText("<script>window.__pwned=1</script>");
  await expect(chat.turns.last().locator(".bubble")).toContainText("[U+202E]gnp.exe[U+200B]");
  await expect(page.locator("sb-turn img, sb-turn iframe, sb-turn script, sb-turn style:not([nonce])")).toHaveCount(0);
});

test("in a file, shown in the reply, the steps, the variable and its window", async ({ chat, page, server }) => {
  await server.file("evil.md", `${EVIL}\n\n# Title\n\n[ok](https://ok.example/)\n`);
  const turn = await chat.ask("Read the file evil.md");
  await chat.openSteps(turn);
  for (const summary of await turn.locator("sb-tool-call summary").all()) await summary.click();
  await expect(turn.locator("sb-tool-call").first()).toContainText("window.__pwned=1");

  await chat.variables.getByRole("button", { name: /^file_content/ }).click();
  await expect(chat.window.getByRole("region", { name: "Value" })).toContainText("<script>window.__pwned=1</script>");
  await expect(page.locator("sb-app img:not([src='favicon.svg']), sb-app iframe, sb-app script")).toHaveCount(0);
  await expect(page.locator("a[href^='javascript']")).toHaveCount(0);
});

test("in the name of a file", async ({ chat, server }) => {
  await server.file(`<img src=x onerror="window.__pwned=1">.txt`, "x");
  await server.file("\u202Egpj.exe", "x");
  const turn = await chat.ask("What files are in the current directory?");
  await chat.openSteps(turn);
  await expect(turn).toContainText("[U+202E]gpj.exe");
  await expect(turn.locator("img")).toHaveCount(0);
});

test("in a variable", async ({ chat }) => {
  await chat.variables.getByRole("button", { name: "Add a variable" }).click();
  await chat.variables.getByRole("textbox", { name: "Name" }).fill("evil");
  await chat.variables.getByRole("textbox", { name: /Value/ }).fill(EVIL);
  await chat.variables.getByRole("button", { name: "Add", exact: true }).click();
  await expect(chat.variables).toContainText("<script>window.__pwned=1</script>");
  await chat.variables.getByRole("button", { name: /^evil/ }).click();
  await expect(chat.window).toContainText("[U+202E]gnp.exe");
});

test("in the output of a command", async ({ chat, server }) => {
  await server.file("output", `${EVIL}\n\u001b]0;title\u0007\u001b[31mred\u001b[0m\u001b]52;c;ZXZpbA==\u0007\n`);
  const turn = await chat.ask("Run `cat output; cat output >&2`");
  await chat.openSteps(turn);
  for (const summary of await turn.locator("sb-tool-call summary").all()) await summary.click();
  await expect(turn.locator("sb-tool-call").first()).toContainText("window.__pwned=1");
  await expect(turn).not.toContainText("\u001b");
});

test("in the title of a conversation", async ({ chat, page }) => {
  await chat.ask("<img src=x onerror='window.__pwned=1'> what time is it?");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("<img");
  await expect(page.getByRole("navigation", { name: "Conversations" }).getByRole("link")).toContainText("<img");
  await page.keyboard.press("Control+k");
  await expect(page.locator("sb-palette").getByRole("option").filter({ hasText: "<img src=x" })).toHaveCount(1);
  await expect(page.locator("sb-palette img")).toHaveCount(0);
});

test("in a variable that the palette opens", async ({ chat, page }) => {
  await chat.variables.getByRole("button", { name: "Add a variable" }).click();
  await chat.variables.getByRole("textbox", { name: "Name" }).fill("evil");
  await chat.variables.getByRole("textbox", { name: /Value/ }).fill(EVIL);
  await chat.variables.getByRole("button", { name: "Add", exact: true }).click();
  await expect(chat.variables).toContainText("evil");
  await page.keyboard.press("Control+k");
  await page.locator("sb-palette").getByRole("combobox").fill("@evil");
  await page.keyboard.press("Enter");
  await expect(chat.window.getByRole("region", { name: "Value" })).toContainText("window.__pwned=1");
});

test.describe("where it is asked", () => {
  test.use({ options: ["--approve", "ask"] });

  test("in an approval", async ({ chat }) => {
    await chat.say(`Run \`echo "<img src=x onerror='window.__pwned=1'> \u202E"\``);
    await expect(chat.approval).toContainText("<img src=x onerror='window.__pwned=1'> [U+202E]");
    await expect(chat.approval.locator("img")).toHaveCount(0);
    await chat.approval.getByText("Add a reason").click();
    await chat.approval.getByRole("textbox", { name: /Reason/ }).fill("<img src=x onerror='window.__pwned=1'>");
    await chat.decide("Deny");
    await expect(chat.turns.last().locator(".refusal")).toContainText("Your reason: <img src=x onerror=");
    await expect(chat.turns.last().locator("img")).toHaveCount(0);
  });
});
