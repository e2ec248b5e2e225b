//! How far what a reader looks at moves while older pages of a conversation come.

import type { Page } from "@playwright/test";

/** Scrolls up until there is nothing older, or so many times; the jump of each page, in pixels. */
export async function jumps(page: Page, most: number): Promise<number[]> {
  return page.evaluate(async (most) => {
    const root = document.querySelector("sb-app")?.shadowRoot?.querySelector("sb-conversation")?.shadowRoot;
    const scroller = root?.querySelector<HTMLElement>(".scroll");
    if (!root || !scroller) throw new Error("there is no conversation");
    const frames = async (count: number): Promise<void> => {
      for (let frame = 0; frame < count; frame += 1) await new Promise((done) => requestAnimationFrame(done));
    };
    const found: number[] = [];
    while (root.querySelector(".earlier") && found.length < most) {
      const before = root.querySelectorAll("sb-turn").length;
      scroller.scrollTop = 300;
      await frames(1);
      const top = scroller.getBoundingClientRect().top;
      const seen = [...root.querySelectorAll("sb-turn")].find((turn) => turn.getBoundingClientRect().bottom > top + 50);
      const at = seen?.getBoundingClientRect().top ?? Number.NaN;
      while (root.querySelectorAll("sb-turn").length === before && root.querySelector(".earlier")) await frames(1);
      // What comes into view gets its height in the next frames.
      await frames(5);
      found.push(Math.abs((seen?.getBoundingClientRect().top ?? Number.NaN) - at));
    }
    return found;
  }, most);
}
