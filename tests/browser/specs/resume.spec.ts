//! Nothing is lost and nothing is shown twice: reloads, second tabs, a server that dies under the page.

import { expect, test } from "../support/test";

test("a reload shows the same conversation", async ({ chat, page }) => {
  await chat.ask("Calculate 42 * 37");
  await chat.ask("Remember that my favorite color is blue");
  const session = chat.session;
  await page.reload();
  await expect(chat.turns).toHaveCount(2);
  await expect(chat.turn("Calculate 42 * 37").locator(".reply")).toContainText("1554");
  expect(chat.session).toBe(session);
  await expect(chat.variables.getByRole("listitem").first()).toBeVisible();
});

test("a second tab sees the first, and the first the second", async ({ chat, another, page }) => {
  await chat.ask("Calculate 1 + 1");
  const second = await another({}, page.url());
  await expect(second.turn("Calculate 1 + 1").locator(".reply")).toContainText("2");

  await chat.ask("Calculate 2 + 2");
  await expect(second.turn("Calculate 2 + 2").locator(".reply")).toContainText("4");
  await second.ask("Calculate 4 + 4");
  await expect(chat.turn("Calculate 4 + 4").locator(".reply")).toContainText("8");
  await expect(chat.turns).toHaveCount(3);
});

test("the page outlives the server, and what was written meanwhile arrives once", async ({ chat, page, server }) => {
  await chat.ask("Calculate 1 + 1");
  await server.kill();
  await expect(page.getByText("Reconnecting…")).toBeVisible();
  await chat.say("Calculate 20 + 22");
  await expect(page.getByText("Waiting for the connection")).toBeVisible();

  await server.startAgain();
  await expect(chat.turn("Calculate 20 + 22").locator(".reply")).toContainText("42");
  await expect(page.getByText("Reconnecting…")).toHaveCount(0);
  await expect(chat.turns).toHaveCount(2);
  await page.reload();
  await expect(chat.turn("Calculate 20 + 22").locator(".reply")).toContainText("42");
  await expect(chat.turns).toHaveCount(2);
});

test("what was written without a connection survives a reload as well", async ({ chat, page }) => {
  await chat.ask("Calculate 1 + 1");
  let blocked = true;
  await page.routeWebSocket(/\/ws/, (socket) => {
    if (!blocked) socket.connectToServer();
  });
  await page.reload();
  await chat.say("Calculate 20 + 22");
  await page.reload();
  await expect(chat.conversation).toContainText("Calculate 20 + 22");
  await expect(chat.conversation).toContainText("Waiting for the connection");

  blocked = false;
  await page.reload();
  await expect(chat.turn("Calculate 20 + 22").locator(".reply")).toContainText("42");
  await expect(chat.turns).toHaveCount(2);
});

test("an old conversation begins with its end, and earlier turns come as the reader scrolls up", async ({ chat, page, server }) => {
  await chat.ask("Calculate 1 + 1");
  const session = chat.session;
  const frames = await page.evaluate(
    ({ address, count }) =>
      new Promise<number>((done, failed) => {
        const socket = new WebSocket(address);
        let ended = 0;
        socket.onopen = () => {
          for (let at = 1; at <= count; at += 1) socket.send(JSON.stringify({ type: "send-message", text: `/tools number ${at}` }));
        };
        socket.onmessage = (event: MessageEvent<string>) => {
          if ((JSON.parse(event.data) as { type: string }).type.startsWith("command-")) ended += 1;
          if (ended === count) {
            socket.close();
            done(ended);
          }
        };
        socket.onerror = () => failed(new Error("the connection failed"));
      }),
    { address: `${server.origin.replace("http", "ws")}/ws?session=${session}&tail=0`, count: 260 },
  );
  expect(frames).toBe(260);

  await page.reload();
  const commands = page.getByRole("group", { name: "Answer to a command" });
  await expect(commands).toHaveCount(200);
  await expect(commands.last()).toBeInViewport();
  await expect(chat.turns).toHaveCount(0);
  // What is in view stays where it is while earlier entries come before it.
  const scrolled = await chat.conversation.evaluate((region) => {
    region.scrollTo(0, 300);
    const seen = [...region.querySelectorAll(".command")].find((entry) => entry.getBoundingClientRect().bottom > region.getBoundingClientRect().top + 50);
    return new Promise<number>((done) => {
      const before = seen?.getBoundingClientRect().top ?? 0;
      const wait = (): void => {
        if (region.querySelectorAll(".command").length < 260) requestAnimationFrame(wait);
        else setTimeout(() => done((seen?.getBoundingClientRect().top ?? 0) - before), 500);
      };
      wait();
    });
  });
  expect(Math.abs(scrolled)).toBeLessThanOrEqual(2);
  await expect(page.getByRole("button", { name: "Load earlier" })).toHaveCount(0);
  await expect(chat.turns).toHaveCount(1);
  await expect(chat.turn("Calculate 1 + 1").locator(".reply")).toContainText("2");
  await expect(commands).toHaveCount(260);
});

test("a conversation that is gone says so and offers a new one", async ({ chat, page, server }) => {
  await expect(chat.field).toBeVisible();
  await page.goto(`${server.origin}/#6b0d2c62-4f0e-4a3f-9a51-2f1f0f2f9c11`);
  await page.reload();
  await expect(page.getByRole("alert")).toContainText("not on the server");
  await page.getByRole("alert").getByRole("button", { name: "New chat" }).click();
  await expect((await chat.ask("Calculate 1 + 1")).locator(".reply")).toContainText("2");
});
