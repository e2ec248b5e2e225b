//! What is believed of the frame that draws diagrams. Runs in a DOM: @vitest-environment jsdom

import { afterEach, describe, expect, it, vi } from "vitest";

const SVG = { svg: "<svg></svg>", width: 10, height: 20, title: "", kind: "flowchart-v2" };

const LOOK = { dark: false, font: "serif", ground: "#fff", text: "#000", line: "#000", accent: "#000", fill: "#fff", other: "#fff", third: "#fff" };

/** A fresh frame, and what the page asks it. */
async function begun(source: string) {
  vi.resetModules();
  const { draw } = await import("./frame");
  const drawn = draw(source, LOOK);
  await vi.waitFor(() => expect(document.querySelector("iframe")).not.toBeNull());
  const window = (document.querySelector("iframe") as HTMLIFrameElement).contentWindow as Window;
  const asked = vi.spyOn(window, "postMessage").mockImplementation(() => undefined);
  return { draw, drawn, window, asked };
}

function says(source: Window, data: unknown): void {
  dispatchEvent(new MessageEvent("message", { source, data }));
}

afterEach(() => {
  vi.useRealTimers();
  sessionStorage.clear();
  document.body.replaceChildren();
});

describe("the frame", () => {
  it("has no origin, and is asked when it is ready", async () => {
    const { drawn, window: frame, asked } = await begun("a");
    expect(document.querySelector("iframe")?.getAttribute("sandbox")).toBe("allow-scripts");
    says(window, { ready: true });
    await Promise.resolve();
    expect(asked).not.toHaveBeenCalled();
    says(frame, { ready: true });
    await vi.waitFor(() => expect(asked).toHaveBeenCalledWith({ id: 1, source: "a", look: LOOK }, "*"));

    says(window, { id: 1, ...SVG, svg: "<svg>from another window</svg>" });
    says(frame, { id: 2, ...SVG, svg: "<svg>of another diagram</svg>" });
    says(frame, "nonsense");
    says(frame, null);
    says(frame, { id: 1, ...SVG });
    expect(await drawn).toEqual(SVG);
  });

  it("is not believed beyond the limits", async () => {
    for (const [answer, expected] of [
      [{ ...SVG, svg: `<svg>${"x".repeat(2_000_001)}</svg>` }, { fault: "large" }],
      [{ ...SVG, svg: "<html></html>" }, { fault: "large" }],
      [{ ...SVG, svg: 5 }, { fault: "large" }],
      [{ ...SVG, width: Number.NaN }, { fault: "large" }],
      [{ ...SVG, height: 1e9 }, { fault: "large" }],
      [{ ...SVG, title: { toString: 5 } }, { fault: "large" }],
      [{ problem: { toString: 5 } }, { fault: "large" }],
      [{ leftOut: true }, { fault: "leftOut" }],
      [{ problem: "x".repeat(5000) }, { problem: "x".repeat(1000) }],
    ] as const) {
      const { drawn, window: frame, asked } = await begun("a");
      says(frame, { ready: true });
      await vi.waitFor(() => expect(asked).toHaveBeenCalled());
      says(frame, { id: 1, ...answer });
      expect(await drawn).toEqual(expected);
      document.body.replaceChildren();
    }
  });

  it("is not asked again for what stopped the page", async () => {
    const { asked, window: frame } = await begun("endless");
    says(frame, { ready: true });
    await vi.waitFor(() => expect(asked).toHaveBeenCalled());
    vi.resetModules();
    const { draw } = await import("./frame");
    expect(await draw("endless", LOOK)).toEqual({ fault: "stopped" });
  });

  it("may be asked again for what was being drawn when the page was left", async () => {
    const { asked, window: frame } = await begun("slow");
    says(frame, { ready: true });
    await vi.waitFor(() => expect(asked).toHaveBeenCalled());
    dispatchEvent(new Event("pagehide"));
    vi.resetModules();
    const { hasStopped } = await import("./stopped");
    expect(hasStopped("slow")).toBe(false);
  });

  it("is thrown away when it takes too long, and the next diagram gets another", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { draw, drawn, window: frame, asked } = await begun("a");
    says(frame, { ready: true });
    await vi.waitFor(() => expect(asked).toHaveBeenCalled());
    const next = draw("b", LOOK);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await drawn).toEqual({ fault: "slow" });

    await vi.waitFor(() => expect(document.querySelector("iframe")).not.toBeNull());
    const other = (document.querySelector("iframe") as HTMLIFrameElement).contentWindow as Window;
    expect(other === frame).toBe(false);
    const askedNext = vi.spyOn(other, "postMessage").mockImplementation(() => undefined);
    says(other, { ready: true });
    await vi.waitFor(() => expect(askedNext).toHaveBeenCalledWith({ id: 2, source: "b", look: LOOK }, "*"));
    says(other, { id: 2, ...SVG });
    expect(await next).toEqual(SVG);
  });
});
