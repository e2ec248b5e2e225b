//! The page as a user knows it: by names, labels and words, never by its insides.

import { expect, type Locator, type Page } from "@playwright/test";

/** The page. */
export class Chat {
  constructor(readonly page: Page) {}

  get field(): Locator {
    return this.page.getByRole("textbox", { name: "Message" });
  }

  get conversation(): Locator {
    return this.page.getByRole("region", { name: "Conversation" });
  }

  /** The turns, from the first. */
  get turns(): Locator {
    return this.page.locator("sb-turn");
  }

  get variables(): Locator {
    return this.page.locator("sb-context");
  }

  get approval(): Locator {
    return this.page.locator("sb-approval");
  }

  /** What stands in the open window: it is slotted into the dialog, so its role does not contain it. */
  get window(): Locator {
    return this.page.locator("sb-dialog");
  }

  /** The windows beside the conversation. */
  get pane(): Locator {
    return this.page.getByRole("complementary", { name: "Windows", exact: true });
  }

  /** The list of conversations. */
  get list(): Locator {
    return this.page.getByRole("navigation", { name: "Conversations" });
  }

  /** Opens the menu of a conversation; its button is there while the mouse is over the row, and a new message moves rows. */
  async openMenu(title: string): Promise<void> {
    await expect(async () => {
      await this.list.getByRole("listitem").filter({ hasText: title }).hover();
      await this.list.getByRole("button", { name: `Actions for ${title}` }).click({ timeout: 2_000 });
    }).toPass();
  }

  get stop(): Locator {
    return this.page.getByRole("button", { name: "Stop" });
  }

  get session(): string {
    return new URL(this.page.url()).hash.slice(1);
  }

  /** Writes a message and sends it with Enter. */
  async say(text: string): Promise<void> {
    await this.field.fill(text);
    await this.field.press("Enter");
    await expect(this.field).toHaveValue("");
  }

  /** Writes a message and sends it with the button, as on a phone. */
  async send(text: string): Promise<void> {
    await this.field.fill(text);
    await this.page.getByRole("button", { name: "Send" }).click();
    await expect(this.field).toHaveValue("");
  }

  /** The turn that began with this message. */
  turn(text: string): Locator {
    return this.turns.filter({ has: this.page.locator(".bubble", { hasText: text }) });
  }

  /** Waits until nothing runs and nothing is on its way. */
  async idle(): Promise<void> {
    await expect(this.page.locator(".outgoing")).toHaveCount(0);
    await expect(this.page.locator("sb-turn .dots")).toHaveCount(0);
    await expect(this.stop).toHaveCount(0);
  }

  /** Sends a message and waits for the end of its turn. */
  async ask(text: string): Promise<Locator> {
    await this.say(text);
    const turn = this.turn(text).last();
    await expect(turn.locator(".reply, .failure").first()).toBeVisible();
    await this.idle();
    return turn;
  }

  /** Opens the steps of a turn if they are folded. */
  async openSteps(turn: Locator): Promise<Locator> {
    const timeline = turn.locator("sb-timeline > details, sb-timeline details").first();
    if ((await timeline.getAttribute("open")) === null) await timeline.locator("> summary").click();
    await expect(timeline).toHaveAttribute("open", "");
    return timeline;
  }

  /** Answers the approval that is shown, once all of it was in view. */
  async decide(button: string): Promise<void> {
    const card = this.approval.first();
    const choice = card.getByRole("button", { name: button, exact: true });
    const more = card.getByRole("button", { name: "There is more below" });
    await expect(async () => {
      if (await more.isVisible()) await more.click();
      await expect(choice).toHaveAttribute("aria-disabled", "false", { timeout: 500 });
    }).toPass();
    await choice.click();
  }
}
