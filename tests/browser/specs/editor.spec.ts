//! Files are edited in their window and saved: byte for byte, never over somebody else's change, and nothing typed is lost.

import type { Locator } from "@playwright/test";
import type { Chat } from "../support/chat";
import { expectGoodLooks, LOOKS, picture } from "../support/looks";
import { expect, test } from "../support/test";

test.use({ options: ["--approve", "ask"] });

const field = (chat: Chat): Locator => chat.pane.locator(".cm-content");
const save = (chat: Chat): Locator => chat.pane.getByRole("button", { name: "Save", exact: true });
const said = (chat: Chat): Locator => chat.pane.locator("sb-editor-viewer").getByRole("status");

/** Opens a file and puts the cursor at its end. */
async function open(chat: Chat, name: string): Promise<void> {
  await chat.ask(`Show ${name}`);
  await field(chat).click();
  await chat.page.keyboard.press("Control+End");
}

test("a file is edited, saved without being asked, and the save is undone", async ({ chat, server }) => {
  await server.file("notes.txt", "milk\nbread\n");
  await open(chat, "notes.txt");
  await expect(save(chat)).toHaveAttribute("aria-disabled", "true");

  await chat.page.keyboard.type("butter");

  await expect(said(chat)).toHaveText("Unsaved changes");
  await expect(chat.pane.getByRole("tab", { name: "notes.txt (unsaved changes)" })).toBeVisible();
  await save(chat).click();
  await expect(said(chat)).toHaveText("Saved.");
  await expect(chat.approval).toHaveCount(0);
  expect(await server.content("notes.txt")).toBe("milk\nbread\nbutter");
  await expect(chat.page.locator("sb-tool-call.loose").last()).toContainText("Write notes.txt");

  await chat.pane.getByRole("button", { name: "Undo" }).click();
  await expect(field(chat)).not.toContainText("butter");
  await expect(said(chat)).toHaveText("");
  expect(await server.content("notes.txt")).toBe("milk\nbread\n");
  // What was undone can be undone in turn, and the window follows.
  await chat.page.locator("sb-tool-call.loose").last().getByRole("button", { name: "Undo" }).click();
  await expect(field(chat)).toContainText("butter");
});

test("with the keyboard alone: to the file, a search in it, a change, a save, and out again", async ({ chat, server }) => {
  await server.file("notes.txt", "milk\nbread\n");
  await chat.ask("Show notes.txt");
  await chat.pane.getByRole("tab", { name: "notes.txt" }).focus();
  for (let presses = 0; presses < 10 && !(await field(chat).evaluate((element) => element.matches(":focus"))); presses++) await chat.page.keyboard.press("Tab");
  await expect(field(chat)).toBeFocused();
  await chat.page.keyboard.press("Control+f");
  await expect(chat.pane.getByRole("textbox", { name: "Find" })).toBeFocused();
  await chat.page.keyboard.type("bread");
  await chat.page.keyboard.press("Enter");
  await chat.page.keyboard.press("Escape");
  await expect(field(chat)).toBeFocused();
  // A question mark is typed here, and is no question for help.
  await chat.page.keyboard.type("rolls?");
  await chat.page.keyboard.press("Control+s");
  await expect(said(chat)).toHaveText("Saved.");
  await expect(chat.page.getByRole("dialog")).toHaveCount(0);
  expect(await server.content("notes.txt")).toBe("milk\nrolls?\n");
  // The editor is no trap.
  await chat.page.keyboard.press("Tab");
  await expect(field(chat)).not.toBeFocused();
});

test("what nobody changed survives a save byte for byte", async ({ chat, server }) => {
  const before = "\uFEFFone\r\nzero\u200Bwidth \u202Eleft\u0007\r\nno end";
  await server.file("dos.txt", before);
  await open(chat, "dos.txt");
  await expect(field(chat)).toContainText("zero[U+200B]width [U+202E]left␇");
  await chat.page.keyboard.type("!\nnew");
  await chat.page.keyboard.press("Control+s");
  await expect(said(chat)).toHaveText("Saved.");
  expect(await server.content("dos.txt")).toBe(`${before}!\r\nnew`);

  await server.file("mixed.txt", "a\r\nb\nc\rd");
  await open(chat, "mixed.txt");
  await chat.page.keyboard.type("e");
  await chat.page.keyboard.press("Control+s");
  await expect(said(chat)).toHaveText("Saved.");
  expect(await server.content("mixed.txt")).toBe("a\r\nb\nc\rde");

  // What looks like the name of a variable is text here.
  await server.file("empty.txt", "");
  await open(chat, "empty.txt");
  await chat.page.keyboard.type("@name");
  await chat.page.keyboard.press("Control+s");
  await expect(said(chat)).toHaveText("Saved.");
  expect(await server.content("empty.txt")).toBe("@name");
});

test("somebody else's change is never overwritten unasked", async ({ chat, server }) => {
  await server.file("notes.txt", "milk\nbread\n");
  await open(chat, "notes.txt");
  await chat.page.keyboard.type("mine");
  await server.file("notes.txt", "milk\ntheirs\n");
  await save(chat).click();

  const question = chat.pane.getByRole("alert");
  await expect(question).toContainText("changed on disk since you opened it");
  expect(await server.content("notes.txt")).toBe("milk\ntheirs\n");
  await question.getByRole("button", { name: "Show the difference" }).click();
  await expect(chat.pane.locator(".cm-deletedChunk")).toContainText("theirs");
  await picture(chat.page, "editor-difference");
  await expectGoodLooks(chat.page);

  // Theirs is taken, and with Ctrl+Z mine is there again.
  await question.getByRole("button", { name: "Take the one on disk" }).click();
  await expect(field(chat)).toContainText("theirs");
  await expect(question).toHaveCount(0);
  await expect(said(chat)).toHaveText("");
  await chat.page.keyboard.press("Control+z");
  await expect(field(chat)).toContainText("mine");
  await expect(said(chat)).toHaveText("Unsaved changes");

  await server.file("notes.txt", "theirs once more\n");
  await chat.page.keyboard.press("Control+s");
  await question.getByRole("button", { name: "Save mine anyway" }).click();
  await expect(said(chat)).toHaveText("Saved.");
  await expect(question).toHaveCount(0);
  expect(await server.content("notes.txt")).toBe("milk\nbread\nmine");
  await expect(chat.page.locator("sb-tool-call.loose")).toHaveCount(1);
});

test("a file that is gone is created again if the user says so", async ({ chat, server }) => {
  await server.file("notes.txt", "milk\n");
  await open(chat, "notes.txt");
  await chat.page.keyboard.type("mine");
  await server.removeFile("notes.txt");
  await save(chat).click();
  await expect(chat.pane.getByRole("alert")).toContainText("no longer there");
  await chat.pane.getByRole("button", { name: "Create it again with mine" }).click();
  await expect(said(chat)).toHaveText("Saved.");
  expect(await server.content("notes.txt")).toBe("milk\nmine");
});

test("a file that the agent has read and somebody has changed since is saved as it was opened", async ({ chat, server }) => {
  await server.file("notes.txt", "milk\n");
  await chat.ask("Read the file notes.txt");
  await server.file("notes.txt", "tea\n");
  await open(chat, "notes.txt");
  await chat.page.keyboard.type("mine");
  await save(chat).click();
  await expect(said(chat)).toHaveText("Saved.");
  expect(await server.content("notes.txt")).toBe("tea\nmine");
});

test("what the agent changes is seen, and asked about where somebody types", async ({ chat, server }) => {
  await server.file("notes.txt", "milk\nbread\n");
  await open(chat, "notes.txt");
  await chat.say('Replace "milk" with "tea" in notes.txt');
  await chat.decide("Allow once");
  await expect(field(chat)).toContainText("tea");
  await chat.idle();

  await field(chat).click();
  await chat.page.keyboard.type("mine ");
  await chat.say('Replace "tea" with "water" in notes.txt');
  await chat.decide("Allow once");
  await expect(chat.pane.getByRole("alert")).toContainText("changed on disk");
  await expect(field(chat)).toContainText("mine");
});

test("nothing that was typed is lost: other tabs, hidden windows, a closed window, a reload", async ({ chat, server }) => {
  await server.file("notes.txt", "milk\n");
  await server.file("other.txt", "other\n");
  await open(chat, "notes.txt");
  await chat.page.keyboard.type("mine");
  await chat.ask("Show other.txt");
  await chat.pane.getByRole("tab", { name: "notes.txt" }).click();
  await expect(field(chat)).toContainText("mine");
  await chat.pane.getByRole("button", { name: "Hide the windows" }).click();
  await chat.turn("Show notes.txt").getByRole("button", { name: "Open notes.txt in a window" }).click();
  await expect(field(chat)).toContainText("mine");

  await chat.pane.getByRole("button", { name: "Close notes.txt" }).click();
  await expect(chat.page.getByRole("dialog", { name: "Close notes.txt?" })).toBeVisible();
  await chat.window.getByRole("button", { name: "Keep editing" }).click();
  await expect(field(chat)).toContainText("mine");

  const asked = chat.page.waitForEvent("dialog");
  const reload = chat.page.evaluate(() => location.reload());
  const question = await asked;
  expect(question.type()).toBe("beforeunload");
  await question.dismiss();
  await reload;
  await expect(field(chat)).toContainText("mine");

  await chat.pane.getByRole("button", { name: "Close notes.txt" }).click();
  await chat.window.getByRole("button", { name: "Discard the changes" }).click();
  await expect(chat.pane.getByRole("tab", { name: "notes.txt" })).toHaveCount(0);
  expect(await server.content("notes.txt")).toBe("milk\n");
  await chat.page.reload();
  await expect(chat.pane.getByRole("tab", { name: "other.txt" })).toBeVisible();
});

test("a save that a crash of the server cuts off is made when it is back", async ({ chat, page, server }) => {
  await server.file("notes.txt", "milk\n");
  await open(chat, "notes.txt");
  await page.keyboard.type("mine");
  // The server is frozen when it has said what is on disk, and hears nothing of the save itself.
  await page.route("**/resources/**", async (route) => {
    const response = await route.fetch();
    server.freeze();
    await route.fulfill({ response });
  });
  await save(chat).click();
  await expect(said(chat)).toHaveText("Saving…");
  await page.unroute("**/resources/**");
  await server.kill();
  await server.startAgain();
  await expect(said(chat)).toHaveText("Saved.");
  expect(await server.content("notes.txt")).toBe("milk\nmine");
});

test("only files of the workspace that are text and not too large are edited", async ({ chat, server }) => {
  await server.file("latin.txt", Buffer.from("gr\xfc\xdfe\n", "latin1"));
  await chat.ask("Show latin.txt");
  await expect(chat.pane).toContainText("not in UTF-8");
  await expect(save(chat)).toHaveCount(0);
  await field(chat).click();
  await chat.page.keyboard.type("x");
  await expect(field(chat)).not.toContainText("x");

  const line = `${"0123456789".repeat(10)}\n`;
  await server.file("large.log", line.repeat(60_000) + "the end\n");
  await chat.ask("Show large.log");
  await expect(chat.pane).toContainText("the first 2.0 MB of 5.8 MB");
  await expect(save(chat)).toHaveCount(0);
  await chat.pane.getByRole("button", { name: "Show more" }).click();
  await expect(chat.pane.getByRole("button", { name: "Show more" })).toHaveCount(0);
  await field(chat).focus();
  await chat.page.keyboard.press("Control+End");
  await expect(field(chat)).toContainText("the end");
  await expect(chat.pane.locator(".cm-gutters")).toContainText("60001");
});

test("JSON is edited as text, and the tree follows", async ({ chat, server }) => {
  await server.file("config.json", '{"port": 80}');
  await chat.ask("Show config.json");
  await expect(chat.pane.getByRole("tree")).toContainText("80");
  await chat.pane.getByRole("button", { name: "As text" }).click();
  await field(chat).click();
  await chat.page.keyboard.press("Control+a");
  await chat.page.keyboard.type('{"port": 8080');
  await chat.pane.getByRole("button", { name: "As text" }).click();
  await chat.pane.getByRole("button", { name: "As text" }).click();
  await field(chat).click();
  await chat.page.keyboard.press("Control+End");
  await chat.page.keyboard.type("}");
  await chat.page.keyboard.press("Control+s");
  await expect(said(chat)).toHaveText("Saved.");
  expect(await server.content("config.json")).toBe('{"port": 8080}');
  await chat.pane.getByRole("button", { name: "As text" }).click();
  await expect(chat.pane.getByRole("tree")).toContainText("8080");
});

for (const { name, phone, options } of LOOKS) {
  test(`the editor looks right: ${name}`, async ({ another, server }) => {
    await server.file("src/main.rs", '// The beginning.\nfn main() {\n    println!("hello {}", 42);\n}\n');
    const chat = await another(options);
    await chat.send("Show src/main.rs");
    await chat.idle();
    if (phone) await chat.turn("Show src/main.rs").getByRole("button", { name: /^Open .*main.rs in a window/ }).click();
    await expect(chat.pane.locator(".hljs-keyword").first()).toHaveText("fn");
    await picture(chat.page, `editor-${name}`);
    await expectGoodLooks(chat.page);
    await field(chat).click();
    await chat.page.keyboard.type("// changed\n");
    await expect(said(chat)).toHaveText("Unsaved changes");
    await chat.page.keyboard.press("Control+f");
    await expect(chat.pane.getByRole("textbox", { name: "Find" })).toBeVisible();
    await picture(chat.page, `editor-changed-${name}`);
    await expectGoodLooks(chat.page);
    await server.file("src/main.rs", "fn main() {}\n");
    await save(chat).click();
    await chat.pane.getByRole("button", { name: "Show the difference" }).click();
    await picture(chat.page, `editor-conflict-${name}`);
    await expectGoodLooks(chat.page);
  });
}

test.describe("with a token that only chats", () => {
  test.use({ options: ["--auth-token", "everything-is-allowed-0123456789", "--chat-token", "only-chatting-here-0123456789"] });

  test("saving says that it may not, once, and keeps what was typed", async ({ another, server }) => {
    await server.file("notes.txt", "milk\n");
    const chat = await another({}, `${server.origin}/?token=only-chatting-here-0123456789`);
    await open(chat, "notes.txt");
    await chat.page.keyboard.type("mine");
    await save(chat).click();
    await expect(chat.pane.getByRole("alert")).toContainText("only chats");
    await expect(chat.page.locator("sb-toasts")).not.toContainText("only chats");
    await expect(said(chat)).toHaveText("Unsaved changes");
    await expect(field(chat)).toContainText("mine");
    expect(await server.content("notes.txt")).toBe("milk\n");
  });
});

test("a table and a document are edited as text, and follow what is saved", async ({ chat, server }) => {
  await server.file("prices.csv", "item,price\nmilk,2\n");
  await server.file("plan.md", "# Plan\n\nSleep.\n");
  const cells = chat.pane.getByRole("cell");
  const saveAsText = async (place: "Home" | "End", text: string) => {
    await chat.pane.getByRole("button", { name: "As text" }).click();
    await field(chat).click();
    await chat.page.keyboard.press(`Control+${place}`);
    await chat.page.keyboard.type(text);
    await chat.page.keyboard.press("Control+s");
    await expect(said(chat)).toHaveText("Saved.");
  };
  const back = () => chat.pane.getByRole("button", { name: "As text" }).click();
  await chat.ask("Show prices.csv");
  await expect(cells).toHaveText(["milk", "2"]);
  await expect(chat.pane.locator("sb-window .facts")).toHaveText("Table · 18 B");

  await saveAsText("End", "bread,3\n");
  await expect(chat.pane.locator("sb-window .facts")).toHaveText("Table · 26 B");
  await back();

  await expect(cells).toHaveText(["milk", "2", "bread", "3"]);
  expect(await server.content("prices.csv")).toBe("item,price\nmilk,2\nbread,3\n");

  await chat.ask("Show plan.md");
  await expect(chat.pane.getByRole("heading", { name: "Plan" })).toBeVisible();
  await saveAsText("Home", "# New");
  await back();
  await expect(chat.pane.getByRole("heading", { name: "New# Plan" })).toBeVisible();
});
