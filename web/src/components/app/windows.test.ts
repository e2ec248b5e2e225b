//! Which window is in front, whether a tab or a card asked for it. Runs in a DOM: @vitest-environment jsdom

import { html, LitElement } from "lit";
import { customElement } from "lit/decorators.js";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { OpenWindow } from "../../protocol/generated";
import { EMPTY, type ChatState } from "../../state/chat";
import { Store } from "../../state/store";
import { all, button, mount, settled } from "../test-dom";
import { ask } from "../events";
import "../windows/windows";
import { WindowPane } from "./windows";

const opened = (windowId: string): OpenWindow => ({
  windowId, viewerType: "editor", title: `${windowId}.txt`, resource: { handle: `file:${windowId}.txt`, mimeType: "text/plain", bytes: 1 },
});
const [A, B, C] = [opened("a"), opened("b"), opened("c")];

/** A page that has nothing but its windows. */
@customElement("sb-test-page")
class TestPage extends LitElement {
  readonly store = new Store();
  readonly pane = new WindowPane(this, { narrow: () => false, store: this.store, send: () => true, shown: () => undefined, ask: () => undefined });

  hear(change: Partial<ChatState>): void {
    this.store.update((state) => ({ ...state, ...change }));
    this.pane.hear(this.store.state);
    this.requestUpdate();
  }

  override render() {
    return this.pane.view(this.store.state);
  }
}

async function page(): Promise<TestPage> {
  const element = await mount<TestPage>(html`<sb-test-page></sb-test-page>`);
  element.hear({ ...EMPTY, sessionId: "s1", windows: [A, B] });
  await front(element, "b.txt");
  return element;
}

function tab(element: TestPage, title: string): HTMLElement {
  const found = all(element, ".tab").find(({ textContent }) => textContent === title);
  if (!found) throw new Error(`no tab ${title}`);
  return found;
}

/** Waits until this tab is the one in front. */
async function front(element: TestPage, title: string): Promise<void> {
  await vi.waitFor(() => expect(all(element, '.tab[aria-selected="true"]').map(({ textContent }) => textContent)).toEqual([title]));
  await settled(element);
}

function openCard(element: TestPage, { windowId, viewerType: viewer, resource: { handle } }: OpenWindow): void {
  ask(element, "sb-open-window", { windowId, handle, viewer });
}

beforeEach(() => vi.stubGlobal("fetch", () => Promise.resolve(new Response("text"))));
afterEach(() => vi.unstubAllGlobals());

describe("the window in front", () => {
  it("is the one whose card was opened, also after another tab was clicked", async () => {
    const element = await page();
    openCard(element, A);
    await front(element, "a.txt");
    tab(element, "b.txt").click();
    await front(element, "b.txt");

    openCard(element, A);

    await front(element, "a.txt");
  });

  it("is the newest, also after another tab was clicked", async () => {
    const element = await page();
    tab(element, "a.txt").click();
    await front(element, "a.txt");

    element.hear({ windows: [A, B, C] });

    await front(element, "c.txt");
  });

  it("is gone with the others when they are hidden, and comes back by its card", async () => {
    const element = await page();
    button(element, "Hide the windows").click();
    await settled(element);
    expect(all(element, ".tab")).toHaveLength(0);

    openCard(element, A);

    await front(element, "a.txt");
  });
});

describe("the windows", () => {
  it("are not drawn again while something else changes", async () => {
    const element = await page();
    const windows = all(element, "sb-windows")[0] as unknown as { render: () => unknown };
    const drawn = vi.spyOn(windows, "render");

    element.hear({ lastSeq: 7 });
    await settled(element);
    expect(drawn).toHaveBeenCalledTimes(0);

    element.hear({ windows: [A, B, C] });
    await front(element, "c.txt");
    expect(drawn).toHaveBeenCalled();
  });
});
