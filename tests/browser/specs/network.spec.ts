//! A command that connects to somewhere new: the question, its answers, and what the call shows of its connections.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expectGoodLooks, picture } from "../support/looks";
import { expect, test } from "../support/test";

test.use({ options: ["--approve", "ask", "--web-allow-local", "127.0.0.1"] });

let site: Server;

const place = (): string => `127.0.0.1:${(site.address() as AddressInfo).port}`;

/** curl would look for hosts of loopback inside of the sandbox otherwise. */
const request = (): string => `use bash ${JSON.stringify({ command: `curl -sS --noproxy '' http://${place()}/`, network: true })}`;

test.beforeEach(async () => {
  site = createServer((_, answer) => answer.end("the page was reached"));
  await new Promise<void>((ready) => site.listen(0, "127.0.0.1", ready));
});

test.afterEach(() => site.close());

test("is asked about by its address, and shown when it was made", async ({ chat, page }) => {
  const card = page.locator("sb-query");
  await chat.say(request());
  await chat.approval.getByRole("button", { name: "Allow once" }).waitFor();
  await chat.decide("Allow once");
  await expect(card.getByRole("heading", { name: "A command wants to connect" })).toBeVisible();
  await expect(card).toContainText("127.0.0.1");
  await expectGoodLooks(page);
  await picture(page, "network-question");
  await card.getByRole("button", { name: "Allow for this call" }).click();

  const turn = chat.turns.last();
  await expect(turn.locator(".reply")).toContainText("the page was reached");
  const steps = await chat.openSteps(turn);
  await expect(steps).toContainText("Answered: Allow for this call");
  await steps.locator("sb-tool-call summary").first().click();
  await expect(steps.locator("sb-tool-call")).toContainText(`network ${place()}: 1 connection`);
  await picture(page, "network-card");
});

test("does not happen when it is denied, and the reply says so", async ({ chat, page }) => {
  await chat.say(request());
  await chat.approval.getByRole("button", { name: "Allow once" }).waitFor();
  await chat.decide("Allow once");
  await page.locator("sb-query").getByRole("button", { name: "Deny" }).click();

  const turn = chat.turns.last();
  await expect(turn.locator(".reply, .failure").first()).toContainText("the user did not allow it");
  await expect(turn).not.toContainText("the page was reached");
});
