//! Formulas, drawn by KaTeX, which is told to trust nothing: no links, no pictures, no HTML from a formula. Its rules are
//! adopted by each shadow root that has one; its fonts load only from the document, which links the same file.

import katex from "katex";

/** The name of the stylesheet beside this file; the build writes it. */
declare const __MATHS_CSS__: string | undefined;

let rules: Promise<CSSStyleSheet | undefined> | undefined;

/** Draws a formula in its place; one that cannot be read stays as it was written. */
export function drawFormula(place: HTMLElement, formula: string, display: boolean): boolean {
  const drawn = document.createElement("span");
  try {
    katex.render(formula, drawn, { displayMode: display, trust: false, strict: "ignore", maxExpand: 500, maxSize: 20, throwOnError: true });
  } catch {
    return false;
  }
  place.replaceChildren(...drawn.childNodes);
  return true;
}

/** Gives the root what formulas in it need. */
export async function adoptRules(root: ShadowRoot): Promise<void> {
  rules ??= load();
  const sheet = await rules;
  if (sheet && !root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}

async function load(): Promise<CSSStyleSheet | undefined> {
  if (typeof __MATHS_CSS__ === "undefined") return undefined;
  const address = new URL(__MATHS_CSS__, import.meta.url).href;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = address;
  document.head.append(link);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(await (await fetch(address)).text());
  return sheet;
}
