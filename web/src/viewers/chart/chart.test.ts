//! What charts are drawn of which values, and that they bring nothing that our policy blocks.
//! Runs in a DOM: @vitest-environment jsdom

import { html } from "lit";
import { afterEach, describe, expect, it, vi } from "vitest";
import { all, button, mount, settled, words } from "../../components/test-dom";
import { draw } from "./draw";
import { fileName } from "../../text/save";
import { svgText } from "./save";
import { slices, specOf, tableOf, told, type Spec } from "./spec";
import type { ChartViewer } from "./chart";
import "./chart";

const SALES = {
  type: "bar", title: "Amount by region", x: "region", y: "amount",
  rows: [{ region: "north", amount: 120 }, { region: "south", amount: 45.5 }, { region: "east" }],
};
const STACKED = {
  type: "bar", title: "Amount", x: "month", y: "amount", series: "region",
  rows: [{ month: "2026-01", region: "north", amount: 1 }, { month: "2026-01", region: "south", amount: 2 }, { month: "2026-02", region: "north", amount: 3 }],
};
const OVER_TIME = { type: "line", title: "Amount", x: "day", y: "amount", rows: [{ day: "2026-01-01", amount: 1 }, { day: "2026-01-02", amount: 3 }] };

const spec = (value: object): Spec => {
  const found = specOf(value);
  if (!found) throw new Error("no chart");
  return found;
};

afterEach(() => vi.unstubAllGlobals());

describe("a value", () => {
  it("is a chart with its points; rows without a figure are left out", () => {
    expect(specOf(SALES)).toEqual({
      kind: "bar", title: "Amount by region", x: "region", y: "amount", along: "text", points: [{ x: "north", y: 120 }, { x: "south", y: 45.5 }],
    });
    expect(spec(OVER_TIME).along).toBe("date");
    expect(spec({ ...SALES, x: "amount" }).along).toBe("number");
  });

  it("tells its series, or a pie's slices, apart", () => {
    expect(told(spec(STACKED))).toEqual(["north", "south"]);
    expect(told(spec({ ...SALES, type: "pie" }))).toEqual(["north", "south"]);
    expect(told(spec(SALES))).toEqual([]);
  });

  it("gives a pie one slice for rows of the same name, and none for what is below zero", () => {
    const rows = [{ region: "north", amount: 2 }, { region: "south", amount: 1 }, { region: "north", amount: 1 }, { region: "west", amount: -4 }];
    expect(slices(spec({ ...SALES, type: "pie", rows }))).toEqual([
      { name: "north", sum: 3, share: 0.75 }, { name: "south", sum: 1, share: 0.25 }, { name: "west", sum: 0, share: 0 },
    ]);
  });

  it("is a table as well", () => {
    expect(tableOf(spec(STACKED))).toEqual({
      columns: ["month", "region", "amount"],
      rows: [["2026-01", "north", 1], ["2026-01", "south", 2], ["2026-02", "north", 3]],
    });
  });

  it("that is something else is no chart", () => {
    for (const other of [null, [], "bar", {}, { ...SALES, type: "radar" }, { ...SALES, rows: [] }, { ...SALES, rows: "x" }, { ...SALES, y: 3 }]) {
      expect(specOf(other)).toBeUndefined();
    }
  });
});

describe("a drawing", () => {
  it.each(["bar", "line", "area", "point", "pie"])("of a %s brings no stylesheet and one name for screen readers", (type) => {
    for (const value of [{ ...SALES, type }, { ...STACKED, type }, { ...OVER_TIME, type }]) {
      const svg = draw(spec(value), 600, "A chart", "en");
      expect(svg.querySelectorAll("style, script, foreignObject, [aria-label], [onclick]")).toHaveLength(0);
      expect([svg.getAttribute("role"), svg.getAttribute("aria-label")]).toEqual(["img", "A chart"]);
      expect(svg.querySelectorAll("path, rect, circle").length).toBeGreaterThan(0);
      expect(svg.outerHTML).not.toContain("NaN");
    }
  });

  it("takes what it is told as text", () => {
    const hostile = "<img src=x onerror=alert(1)>";
    const svg = draw(spec({ ...SALES, rows: [{ region: hostile, amount: 1 }] }), 600, hostile, "en");
    expect(svg.querySelector("img")).toBeNull();
    expect([...svg.querySelectorAll("title")].some(({ textContent }) => textContent?.includes(hostile))).toBe(true);
  });

  it("gives a series its place's color, whatever it is called", () => {
    const rows = [{ month: "1", region: "red", amount: 1 }, { month: "1", region: "url(http://a.test)", amount: 2 }];
    const svg = draw(spec({ ...STACKED, rows }), 600, "A chart", "en");
    expect([...svg.querySelectorAll("rect")].map((bar) => bar.getAttribute("fill"))).toEqual(["var(--chart-1)", "var(--chart-2)"]);
  });

  it("is saved with its title and its ground", () => {
    const svg = draw(spec(SALES), 600, "A chart", "en");
    document.body.append(svg);
    const text = svgText(svg, "Amount <by> region", "rgb(255, 255, 255)");
    expect(text).toMatch(/^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    expect(text).toContain("<title>Amount &lt;by&gt; region</title>");
    expect(text).toContain('fill="rgb(255, 255, 255)"');
    expect(fileName("Amount by région / 2026", "svg")).toBe("amount-by-région-2026.svg");
  });
});

describe("the viewer", () => {
  async function shown(value: unknown): Promise<ChartViewer> {
    vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify(value), { status: 200 })));
    const shows = { session: "s1", name: "chart", handle: "var:chart@1" };
    const viewer = await mount<ChartViewer>(html`<sb-chart-viewer .shows=${shows}></sb-chart-viewer>`);
    await vi.waitFor(() => expect(words(viewer)).not.toContain("Loading"));
    await settled(viewer);
    return viewer;
  }

  it("shows the chart, and the same as a table", async () => {
    const viewer = await shown(STACKED);
    expect(all(viewer, "svg[role=img]")[0]?.getAttribute("aria-label")).toBe("Bar chart: Amount. Points: 3, from 1 to 3.");
    expect(all(viewer, ".legend li").map((item) => item.textContent?.trim())).toEqual(["north", "south"]);
    button(viewer, "As a table").click();
    await settled(viewer);
    expect(all(viewer, "svg")).toHaveLength(0);
    expect(all(viewer, "tbody tr")).toHaveLength(3);
    button(viewer, "As a table").click();
    await settled(viewer);
    expect(all(viewer, "svg")).toHaveLength(1);
  });

  it("names the slices of a pie with the shares that are drawn", async () => {
    const rows = [{ region: "north", amount: 2 }, { region: "south", amount: 1 }, { region: "north", amount: 1 }];
    const viewer = await shown({ ...SALES, type: "pie", rows });
    expect(all(viewer, ".legend li").map((item) => item.textContent?.trim())).toEqual(["north 75%", "south 25%"]);
    expect(all(viewer, "svg title").map(({ textContent }) => textContent)).toEqual(["north · 3 · 75%", "south · 1 · 25%"]);
  });

  it("says what is no chart", async () => {
    expect(words(await shown({ a: 1 }))).toContain("There is no chart in it.");
  });
});
