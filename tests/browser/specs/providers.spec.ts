//! The dialog behind the reasoner's name: what there is, a model that is tried before it is used, what is wrong said
//! well, and the choice kept.

import { expectGoodLooks, LOOKS, picture } from "../support/looks";
import { startModel, type Model } from "../support/model";
import { expect, test as base } from "../support/test";

const KEY = "k-browser-0123456789";

const test = base.extend<{ model: Model }>({
  model: async ({}, use) => {
    const model = await startModel(KEY);
    await use(model);
    model.end();
  },
  options: ["--approve", "auto", "--reasoner", "auto"],
});

for (const look of LOOKS) {
  test(`a model is tried, used and kept: ${look.name}`, async ({ another, server, model }) => {
    const chat = await another(look.options);
    const { page, window } = chat;
    await picture(page, `start ${look.name}`);
    await page.getByRole("button", { name: "Rules, no language model" }).click();

    // What there is.
    await expect(window).toContainText("None is in use");
    const provider = window.getByLabel("Provider");
    const names = await provider.getByRole("option").allTextContents();
    for (const name of ["OpenAI", "Anthropic", "Ollama"]) expect(names.some((found) => found.includes(name))).toBe(true);
    await picture(page, `providers ${look.name}`);
    await expectGoodLooks(page);

    // Nothing answers there.
    await provider.selectOption("compatible");
    const [address, key] = [window.getByLabel("Address of its API"), window.getByLabel("API key, if it needs one")];
    const attempt = window.getByRole("button", { name: "Test and use" });
    await address.fill("http://127.0.0.1:1/v1");
    await attempt.click();
    await expect(window.getByRole("alert")).toContainText("reach");
    await expect(window.getByRole("alert")).toBeInViewport({ ratio: 1 });
    await expect(address).toHaveAttribute("aria-invalid", "true");
    await picture(page, `provider refused ${look.name}`);
    await expectGoodLooks(page);

    // It answers, and does not take the key.
    await address.fill(model.url);
    await key.fill("k-wrong");
    await attempt.click();
    await expect(key).toHaveAttribute("aria-invalid", "true");
    await expect(address).not.toHaveAttribute("aria-invalid");
    await expect(window.getByRole("alert")).toContainText("key");
    await expect(address).toHaveValue(model.url);

    await key.fill(KEY);
    await attempt.click();
    await expect(window.getByRole("status")).toContainText("scripted answered after");
    await expect(window).toContainText("scripted of compatible is in use");
    await expect(provider.getByRole("option", { selected: true })).toContainText("in use");
    await expect(key).toHaveValue("");
    await picture(page, `provider used ${look.name}`);
    await expectGoodLooks(page);
    await window.getByRole("button", { name: "Close" }).click();

    // It is used, and still is after a new start.
    const chip = page.getByRole("button", { name: "scripted" });
    await expect(chip).toBeVisible();
    await chat.send("Calculate 1 + 1");
    await expect(chat.turns.last().locator(".reply")).toContainText("It is 2.");
    await chat.idle();
    await picture(page, `model answered ${look.name}`);
    await server.kill();
    await server.startAgain();
    await page.reload();
    await expect(chip).toBeVisible();
    await chip.click();
    await expect(window).toContainText("One is stored");

    await window.getByRole("button", { name: "Remove this provider" }).click();
    await expect(window).toContainText("None is in use");
    await window.getByRole("button", { name: "Close" }).click();
    await expect(page.getByRole("button", { name: "Rules, no language model" })).toBeVisible();
  });
}

test("a key meant for one provider does not go to another", async ({ chat, page }) => {
  await page.getByRole("button", { name: "Rules, no language model" }).click();
  const { window } = chat;
  await window.getByLabel("Provider").selectOption("openai");
  await window.getByLabel("API key").fill("k-secret");

  await window.getByLabel("Provider").selectOption("anthropic");

  await expect(window.getByLabel("API key")).toHaveValue("");
});
