//! The chart of a call, and what stands in its place when it cannot be drawn. Runs in a DOM: @vitest-environment jsdom

import { html } from "lit";
import { beforeEach, expect, it, vi } from "vitest";
import { viewer } from "../../viewers/registry";
import { all, mount, settled, words } from "../test-dom";
import type { Chart } from "./chart";
import "./chart";

vi.mock("../../viewers/registry", () => ({ viewer: vi.fn() }));

const PROBLEM = "[role=alert]";

async function chart(handle: string, name: string): Promise<Chart> {
  return mount<Chart>(html`<sb-chart .session=${"s1"} .handle=${handle} .name=${name}></sb-chart>`);
}

async function shows(element: Chart, handle: string): Promise<void> {
  element.handle = handle;
  await settled(element);
}

beforeEach(() => {
  vi.mocked(viewer).mockReset();
  vi.mocked(viewer).mockImplementation(() => Promise.resolve(document.createElement("figure")));
});

it("is drawn under the name of its variable", async () => {
  const element = await chart("var:sales@2", "sales");
  await vi.waitFor(() => expect(all(element, "figure[inline]")).toHaveLength(1));
  expect(all(element, "section")[0]?.getAttribute("aria-label")).toBe("Chart sales");
  expect(viewer).toHaveBeenCalledWith("chart", { session: "s1", handle: "var:sales@2", name: "sales" });
});

it("that could not be drawn says so until another one is drawn", async () => {
  vi.mocked(viewer).mockRejectedValueOnce(new Error("no script"));
  const element = await chart("var:sales@1", "sales");
  await vi.waitFor(() => expect(all(element, PROBLEM)).toHaveLength(1));

  await shows(element, "var:sales@2");

  await vi.waitFor(() => expect(all(element, "figure")).toHaveLength(1));
  await settled(element);
  expect(all(element, PROBLEM)).toHaveLength(0);
});

it("that is not shown any more says nothing when it fails", async () => {
  let fail = (): void => undefined;
  vi.mocked(viewer).mockImplementationOnce(() => new Promise((_, failed) => (fail = () => failed(new Error("no script")))));
  const element = await chart("var:sales@1", "sales");
  await shows(element, "var:sales@2");

  fail();

  await settled(element);
  expect(words(element)).toBe("Open in a window");
});
