//! Which tables of a reply can be drawn. Runs in a DOM: @vitest-environment jsdom

import { describe, expect, it } from "vitest";
import { renderMarkdown } from "../text/markdown";
import { drawable } from "./chartable";

const of = (markdown: string) => drawable(renderMarkdown(markdown).querySelector("table") as HTMLTableElement);

describe("a table", () => {
  it("of names and figures is drawn as bars", () => {
    expect(of("| region | total amount |\n|---|---|\n| north | 1,200 |\n| @south | 45 |")).toEqual({
      data: [{ region: "north", "total amount": "1,200" }, { region: "@@south", "total amount": "45" }],
      type: "bar", x: "region", y: "total amount",
    });
  });

  it("over time is drawn as lines", () => {
    const found = of("| month | rows | total |\n|---|---|---|\n| 2026-01 | 2 | 10 |\n| 2026-02 | 3 | 12 |");
    expect([found?.type, found?.x, found?.y]).toEqual(["line", "month", "total"]);
  });

  it("without names, figures or rows enough is not offered", () => {
    for (const none of [
      "| a | b |\n|---|---|\n| x | y |\n| z | w |",
      "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |",
      "| a | b |\n|---|---|\n| x | 2 |",
      "| a | b |\n|---|---|\n| x | 2 |\n| x | 3 |",
      "| a | a |\n|---|---|\n| x | 2 |\n| y | 3 |",
    ]) expect(of(none)).toBeUndefined();
  });
});
