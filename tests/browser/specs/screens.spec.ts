//! Every screen of the page, one after the other: axe finds nothing, and at 360 px in German nothing is cut off or lies
//! under something else. Both themes, wide and narrow, are looked at in the specs of each part of the page.

import type { Browser, Locator, Page } from "@playwright/test";
import { de } from "../../../web/src/i18n/de";
import { en, type Messages } from "../../../web/src/i18n/en";
import { Chat } from "../support/chat";
import { expectFits } from "../support/fits";
import { expectGoodLooks, LOOKS, picture } from "../support/looks";
import { pdf } from "../support/pdf";
import { png } from "../support/png";
import type { Server } from "../support/server";
import { expect, test, watched } from "../support/test";
import { Wire, type Frame } from "../support/wire";

const LONG = "a_file_with_a_rather_long_name_that_does_not_fit_into_one_line_of_a_phone.md";

const FILES: Record<string, string | Uint8Array> = {
  [LONG]: "# The project\n\nIt is **small**.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
  "sales.csv": "region,amount,a_column_with_a_long_name\nnorth,120,x\nsouth,45,y\n",
  "change.diff": "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n same\n-old\n+new\n",
  "notes.txt": "milk\nbread\n",
  "cat.png": png(),
  "data.json": '{"one": [1, 2], "a rather long key of an object": "and its rather long value, which has no room"}',
  "letter.pdf": pdf({ pages: [["Dear reader"]] }),
  "src/main.rs": "fn main() {}\n",
  "config.json": '{"host": "localhost", "port": 3000}',
};

/** Questions of every kind, as the server asks them. */
const QUERIES: readonly Frame[] = [
  { kind: "query", message: "Which colour shall the new heading have?", choices: ["red", "blue"].map((value) => ({ value, label: value })) },
  { kind: "query", message: "Which name?" },
  { kind: "outcome", message: "The server stopped while `bash` ran `cargo publish`. Did it happen?", choices: [["done", "It happened"], ["retry", "Run it again"]].map(([value, label]) => ({ value, label })) },
  { kind: "network", message: "A command wants to connect to registry.example.org (port 443).", choices: ["allow-once", "allow-session", "deny"].map((value) => ({ value, label: value })) },
  { kind: "plan", message: "Do you mean: set the port in config.json to 8080?", choices: ["yes", "no"].map((value) => ({ value, label: value })) },
  {
    kind: "elicitation",
    message: "The MCP server harbour asks: Which berth shall be booked?",
    fields: [
      { name: "ship", label: "Ship", hint: "Its name as registered; at least 2 characters", kind: "text", required: true },
      { name: "length", label: "Length", hint: "in metres; from 1", kind: "number", required: true, default: 12.5 },
      { name: "quay", label: "Quay", kind: "choice", required: false, default: "n", choices: [["n", "North"], ["s", "South"]].map(([value, label]) => ({ value, label })) },
      { name: "needs", label: "Needs", hint: "at most 2", kind: "choices", required: false, default: ["water"], choices: [["water", "Water"], ["power", "Power"]].map(([value, label]) => ({ value, label })) },
    ],
  },
].map((query, at) => ({ type: "user-query", queryId: `q${at}`, expiresAt: new Date(Date.now() + 600_000).toISOString(), ...query }));

/** Goes through the page, and stops at each of its screens. */
class Tour {
  private readonly chat: Chat;

  constructor(
    private readonly page: Page,
    private readonly wire: Wire,
    private readonly words: Messages,
    private readonly phone: boolean,
    private readonly stop: (screen: string) => Promise<void>,
  ) {
    this.chat = new Chat(page);
  }

  private button(name: string | RegExp, within: Page | Locator = this.page): Locator {
    return within.getByRole("button", { name, exact: typeof name === "string" });
  }

  async say(text: string): Promise<Locator> {
    await this.page.getByRole("textbox", { name: this.words.writing.message }).fill(text);
    await this.button(this.words.writing.send).click();
    return this.chat.turn(text).last();
  }

  async ask(text: string): Promise<Locator> {
    const turn = await this.say(text);
    await expect(turn.locator(".reply")).toBeVisible();
    await expect(this.button(this.words.writing.stop)).toHaveCount(0);
    return turn;
  }

  async welcome(): Promise<void> {
    await expect(this.page.getByRole("heading", { name: this.words.writing.welcome })).toBeVisible();
    await this.stop("welcome");
  }

  async overlays(): Promise<void> {
    const { dialogs, keys } = this.words;
    await this.button(dialogs.settings.title).click();
    const dialog = this.chat.window;
    for (const tab of await dialog.getByRole("tab").all()) {
      await tab.click();
      await expect(tab).toHaveAttribute("aria-selected", "true");
      await expect(dialog.getByRole("tabpanel").locator("form, ul, table, fieldset").first()).toBeVisible();
      await expect(dialog.getByRole("tabpanel")).not.toContainText(this.words.work.loading);
      await this.stop(`settings ${await tab.getAttribute("id")}`);
    }
    await dialog.getByRole("tab").first().click();
    await this.button(dialogs.settings.keys, dialog).click();
    await expect(this.page.getByRole("dialog", { name: keys.title })).toBeVisible();
    await this.stop("help");
    await this.page.keyboard.press("Escape");

    await this.page.keyboard.press("Control+k");
    await expect(this.page.locator("sb-palette").getByRole("option").first()).toBeVisible();
    await this.stop("palette");
    await this.page.keyboard.press("Escape");
    await expect(this.page.getByRole("dialog")).toHaveCount(0);

    await this.page.locator("sb-topbar .reasoner").click();
    await expect(this.page.getByRole("dialog")).toBeVisible();
    await this.stop("language model");
    await this.page.keyboard.press("Escape");
    await expect(this.page.getByRole("dialog")).toHaveCount(0);
  }

  async conversation(): Promise<void> {
    const turn = await this.ask("Read config.json and tell me the port number");
    await this.chat.openSteps(turn);
    for (const summary of await turn.locator("sb-timeline summary, sb-tool-call summary").all()) if (await summary.isVisible()) await summary.click();
    await this.chat.openSteps(turn);
    await this.stop("steps");
    await this.page.getByRole("textbox", { name: this.words.writing.message }).fill("/");
    await expect(this.page.getByRole("listbox")).toBeVisible();
    await this.stop("commands");
  }

  async approval(): Promise<void> {
    await this.say("Run `echo hello`");
    const deny = this.button(this.words.asking.deny, this.chat.approval);
    await expect(deny).toHaveAttribute("aria-disabled", "false");
    await this.stop("approval");
    await deny.click();
    await expect(this.chat.turns.last().locator(".refusal")).toBeVisible();
    await this.stop("refusal");
  }

  async queries(): Promise<void> {
    for (const query of QUERIES) {
      this.wire.tell(query);
      await expect(this.page.locator("sb-query")).toBeVisible();
      await this.stop(`query ${String(query.kind)} ${String(query.queryId)}`);
      this.wire.tell({ type: "query-resolved", queryId: query.queryId });
      await expect(this.page.locator("sb-query")).toHaveCount(0);
    }
  }

  async toasts(): Promise<void> {
    for (const [level, message] of Object.entries({ info: "A line", success: "The report is ready for review, and it has rather many words", error: "The disk is full" })) {
      this.wire.tell({ type: "notification", notificationId: level, level, message, durationMs: 0 });
    }
    this.wire.tell({ type: "notification", notificationId: "some", level: "progress", message: "Reading 3 of 12 files", durationMs: 0, progress: 0.25 });
    this.wire.tell({ type: "notification", notificationId: "any", level: "progress", message: "Reading files", durationMs: 0 });
    await expect(this.page.locator("sb-toasts li")).toHaveCount(5);
    await this.stop("toasts");
    for (let left = 5; left > 0; left -= 1) {
      await this.button(this.words.dialogs.dismiss, this.page.locator("sb-toasts")).first().click();
      await expect(this.page.locator("sb-toasts li")).toHaveCount(left - 1);
    }
  }

  async variables(): Promise<void> {
    const { side } = this.words;
    if (this.phone) await this.button(new RegExp(`^${side.variables}`)).click();
    await expect(this.chat.variables).toBeVisible();
    await this.stop("variables");
    await this.button(side.addVariable, this.chat.variables).click();
    await this.stop("new variable");
    await this.button(side.cancel, this.chat.variables).click();
    await this.button(/^bash_error/, this.chat.variables).click();
    await expect(this.page.getByRole("dialog")).toBeVisible();
    await this.stop("variable");
    await this.page.keyboard.press("Escape");
    await expect(this.page.getByRole("dialog")).toHaveCount(0);
    if (this.phone) await this.button(side.closeVariables, this.chat.variables).click();
  }

  async windows(): Promise<void> {
    const { windows } = this.words;
    const shows: Record<string, Locator> = {
      [`Show ${LONG}`]: this.pane().getByRole("heading", { name: "The project" }),
      "Show sales.csv": this.pane().locator("tbody tr").first(),
      "Show cat.png": this.pane().locator("sb-image-viewer img"),
      "Show cat.png as text": this.pane().locator(".cm-content"),
      "Show notes.txt": this.pane().locator(".cm-content"),
      "Show change.diff": this.pane().getByText("+new"),
      "Show letter.pdf": this.pane().locator("canvas").first(),
      "Show data.json": this.pane().getByRole("tree"),
      "Open the folder src": this.pane().getByText("main.rs"),
    };
    for (const [request, content] of Object.entries(shows)) {
      const turn = await this.ask(request);
      if (this.phone) await this.openCard(turn);
      await expect(content).toBeVisible();
      await this.stop(`window ${request}`);
      if (this.phone) await this.button(windows.hide, this.pane()).click();
    }
    const chart = await this.ask("plot the total amount by region in sales.csv");
    await expect(chart.locator("sb-chart svg").first()).toBeVisible();
    await this.stop("chart in a reply");
    await this.openCard(chart);
    await expect(this.pane().locator("svg").first()).toBeVisible();
    await this.stop("window chart");
    if (this.phone) {
      await this.button(windows.hide, this.pane()).click();
      return;
    }
    await this.button(windows.float, this.pane()).click();
    await expect(this.page.locator("sb-float")).toBeVisible();
    await this.stop("floating window");
  }

  private pane(): Locator {
    return this.page.getByRole("complementary", { name: this.words.windows.pane, exact: true });
  }

  private async openCard(turn: Locator): Promise<void> {
    const [before = "", after = ""] = this.words.windows.open.split("{title}");
    await turn.getByRole("button", { name: new RegExp(`^${before}.*${after}$`) }).click();
  }

  async list(): Promise<void> {
    const { finding, listing, past, side } = this.words;
    if (this.phone) await this.button(side.conversations).click();
    await expect(this.page.getByRole("navigation", { name: side.conversations })).toBeVisible();
    await this.stop("conversations");
    const search = this.page.getByRole("searchbox", { name: finding.search });
    await search.fill("port number");
    await expect(this.page.getByRole("region", { name: finding.found }).getByRole("link").first()).toBeVisible();
    await this.stop("search");
    await search.press("Escape");
    const row = this.page.getByRole("navigation", { name: side.conversations }).getByRole("listitem").first();
    await row.hover();
    await row.getByRole("button").last().click();
    await expect(this.page.getByRole("menu")).toBeVisible();
    await this.stop("menu");
    await this.page.getByRole("menuitem", { name: listing.rename }).click();
    await expect(row.getByRole("textbox")).toBeFocused();
    await this.stop("rename");
    await this.page.keyboard.press("Escape");
    await row.hover();
    await row.getByRole("button").last().click();
    await this.page.getByRole("menuitem", { name: listing.replay }).click();
    await expect(this.page.getByRole("slider", { name: past.slider })).toBeFocused();
    await this.stop("replay");
    await this.button(past.close).click();
  }

  /** Comes last: nothing of the server reaches the page any more. */
  async connection(): Promise<void> {
    this.wire.record({ type: "agent-error", messageIds: ["m"], turnId: "m", text: "Neither tool could read the file.", error: "there is no such file", code: "tool-failed", attemptedTools: ["file_read", "bash"], suggestions: ["Check the file's name with `What files are in the current directory?`"], retryable: true });
    this.wire.tell({ type: "log-damaged", fromSeq: 13, text: "This conversation is damaged from event 13 on." });
    await expect(this.button(this.words.connection.goOn)).toBeVisible();
    await this.stop("damaged");
  }
}

const LANGUAGES: Record<string, Messages> = { en, de };

async function tour(browser: Browser, server: Server, locale: string, look: (typeof LOOKS)[number], through: (tour: Tour) => Promise<void>): Promise<void> {
  for (const [name, content] of Object.entries(FILES)) await server.file(name, content);
  const context = await browser.newContext({ viewport: { width: 1200, height: 800 }, ...look.options, locale });
  const page = await context.newPage();
  const watch = await watched(page);
  const wire = await Wire.of(page);
  await page.goto(server.origin);
  const faults: Record<string, string[]> = {};
  await through(
    new Tour(page, wire, LANGUAGES[locale]!, look.phone, async (screen) => {
      await picture(page, `screen ${locale} ${screen}`);
      // One screen with a fault does not hide those of the next.
      for (const expectation of [expectGoodLooks, expectFits]) await expectation(page).catch((error: Error) => (faults[screen] ??= []).push(error.message));
    }),
  );
  expect(faults).toEqual({});
  await watch();
  await context.close();
}

test.describe("where it is asked", () => {
  test.use({ options: ["--approve", "ask", "--deny", "bash(git push *)"] });

  test("every screen, in German on a small phone", async ({ browser, server }) => {
    await tour(browser, server, "de", LOOKS[3]!, async (tour) => {
      await tour.welcome();
      await tour.overlays();
      await tour.conversation();
      await tour.approval();
      await tour.queries();
      await tour.toasts();
      await tour.variables();
      await tour.windows();
      await tour.list();
      await tour.connection();
    });
  });

  test("those of a wide page that have no spec of their own", async ({ browser, server }) => {
    await tour(browser, server, "en", LOOKS[0]!, async (tour) => {
      await tour.overlays();
      await tour.queries();
      await tour.toasts();
      await tour.windows();
      await tour.connection();
    });
  });
});

test.describe("with a token", () => {
  test.use({ options: ["--auth-token", "a-long-token-for-this-test-0123456789"] });

  test("the login, in German on a small phone", async ({ another }) => {
    const { page } = await another({ ...LOOKS[1]!.options, locale: "de" });
    await page.getByLabel(de.dialogs.login.token).fill("wrong");
    await page.getByRole("button", { name: de.dialogs.login.title }).click();
    await expect(page.getByRole("alert")).toBeVisible();
    await expectGoodLooks(page);
    await expectFits(page);
  });
});
