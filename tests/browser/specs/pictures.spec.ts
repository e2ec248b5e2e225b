//! Pictures that tools give stand in the reply and on the tool's card, as pictures, and open in windows.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expectGoodLooks, LOOKS, picture } from "../support/looks";
import { png } from "../support/png";
import { built } from "../support/server";
import { expect, test } from "../support/test";

for (const look of LOOKS) {
  test.describe(look.name, () => {
    test.use(look.options);

    test("a picture that is read is seen in the reply, on its card, and in a window", async ({ chat, page, server }) => {
      await server.file("cat.png", png());
      await chat.send("Read cat.png");
      await chat.idle();
      const turn = chat.turns.last();
      const image = turn.getByRole("img", { name: "picture 1 from file_read" }).first();
      await expect(image).toBeVisible();
      await expect.poll(() => image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBe(120);
      await expectGoodLooks(page);
      await picture(page, `picture in reply ${look.name}`);

      await chat.openSteps(turn);
      await turn.locator("sb-tool-call summary").click();
      await expect(turn.locator("sb-tool-call sb-pictures img")).toBeVisible();
      await page.reload();
      await expect(image).toBeVisible();
      await turn.getByRole("button", { name: "Open picture 1 from file_read" }).first().press("Enter");
      await expect(chat.pane.getByRole("img")).toBeVisible();
    });
  });
}

test.describe("of an MCP server", () => {
  test.use({
    locale: "de-DE",
    options: async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), "switchboard-mcp-"));
      await writeFile(join(folder, "mcp.json"), JSON.stringify({ mcpServers: { test: { command: built("scripted_mcp"), args: [folder, "photos"] } } }));
      await use(["--approve", "auto", "--mcp", join(folder, "mcp.json")]);
      await rm(folder, { recursive: true, force: true });
    },
  });

  test("a picture is one, and nowhere base64", async ({ chat, page }) => {
    await expect(page.locator("sb-mcp li").filter({ hasText: "test" })).toBeVisible();
    const field = page.getByRole("textbox", { name: "Nachricht" });
    await field.fill("Use test__photo with {}");
    await field.press("Enter");
    await expect(chat.turns.last().getByRole("img", { name: "Bild 1 von test__photo" }).first()).toBeVisible();
    await expect(page.locator("body")).not.toContainText("iVBORw0KGgo");
  });
});
