//! What must hold on a small screen: all words can be read, and no control lies under another one.

import { expect, type Page } from "@playwright/test";

/** No text is cut off without being reachable, nothing sticks out of the screen, and no two controls overlap. */
export async function expectFits(page: Page): Promise<void> {
  expect(await page.evaluate(misfits)).toEqual([]);
}

function misfits(): string[] {
  const CONTROLS = "button, a[href], input, select, textarea, summary, [role=tab], [role=option], [role=menuitem], [role=slider]";
  const found: string[] = [];
  const all: Element[] = [];
  const collect = (root: Document | ShadowRoot): void => {
    for (const element of root.querySelectorAll("*")) {
      all.push(element);
      if (element.shadowRoot) collect(element.shadowRoot);
    }
  };
  collect(document);
  const parent = (element: Element): Element | null => element.assignedSlot ?? element.parentElement ?? ((element.getRootNode() as ShadowRoot).host as Element | undefined) ?? null;
  const within = (element: Element, other: Element): boolean => {
    for (let at: Element | null = element; at; at = parent(at)) if (at === other) return true;
    return false;
  };
  const under = (x: number, y: number): Element | null => {
    let element = document.elementFromPoint(x, y);
    while (element?.shadowRoot) {
      const inner = element.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === element) break;
      element = inner;
    }
    return element;
  };
  const scrolls = (style: CSSStyleDeclaration): boolean => /auto|scroll/.test(style.overflowX);
  const inScroller = (element: Element): boolean => {
    for (let at = parent(element); at; at = parent(at)) if (scrolls(getComputedStyle(at))) return true;
    return false;
  };
  const name = (element: Element): string => `${element.localName}.${element.className} “${(element.getAttribute("aria-label") ?? element.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 60)}”`;
  const seen = (element: Element): DOMRect | undefined => {
    if (!element.checkVisibility({ visibilityProperty: true })) return undefined;
    const box = element.getBoundingClientRect();
    const x = box.x + box.width / 2;
    const y = box.y + box.height / 2;
    if (box.width < 2 || box.height < 2 || x < 0 || y < 0 || x > innerWidth || y > innerHeight) return undefined;
    const top = under(x, y);
    return top && (within(top, element) || within(element, top)) ? box : undefined;
  };

  for (const element of all) {
    const words = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
    if (!words && !element.matches(CONTROLS)) continue;
    const style = getComputedStyle(element);
    const box = seen(element);
    if (!box || element.closest(".hidden-text, svg")) continue;
    const wide = /hidden|clip/.test(style.overflowX) && element.scrollWidth > element.clientWidth + 1;
    const high = /hidden|clip/.test(style.overflowY) && element.scrollHeight > element.clientHeight + 3;
    // What ends in "…" on purpose is whole in its title or where it leads.
    if (words && ((wide && style.textOverflow !== "ellipsis") || (high && style.webkitLineClamp === "none"))) found.push(`cut off: ${name(element)}`);
    if ((box.left < -1 || box.right > innerWidth + 1) && !inScroller(element)) found.push(`sticks out: ${name(element)} ${box.left} to ${box.right}`);
  }

  // What lies over the page for a while may cover what is under it; within one layer nothing covers anything.
  const layer = (element: Element): Element | null => {
    let at: Element | null = element;
    while (at && !at.matches("[popover], dialog, sb-dialog, sb-palette, sb-float, sb-toasts, .latest, [role=listbox]") && !/fixed|sticky/.test(getComputedStyle(at).position)) at = parent(at);
    return at;
  };
  const clipped = (element: Element, box: DOMRect): DOMRect => {
    let { left, top, right, bottom } = box;
    for (let at: Element | null = element; at; at = parent(at)) {
      if (getComputedStyle(at).overflowX === "visible") continue;
      const room = at.getBoundingClientRect();
      [left, top, right, bottom] = [Math.max(left, room.left), Math.max(top, room.top), Math.min(right, room.right), Math.min(bottom, room.bottom)];
    }
    return new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top));
  };
  /** Where its words and pictures are, rather than its edge. */
  const inked = (element: Element): DOMRect[] => {
    if (element.matches("input, select, textarea")) return [clipped(element, element.getBoundingClientRect())];
    const boxes = [...element.querySelectorAll("svg, img")].map((each) => clipped(each, each.getBoundingClientRect()));
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(text);
      for (const box of range.getClientRects()) boxes.push(clipped(text.parentElement ?? element, box));
    }
    return boxes;
  };
  const meets = (one: DOMRect, other: DOMRect): boolean => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 3 && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 3;
  const controls = all.filter((element) => element.matches(CONTROLS));
  const usable = (element: Element): boolean => {
    for (let at: Element | null = element; at; at = parent(at)) if (at.matches("[inert]")) return false;
    return element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  };
  const shown = controls.filter(usable).map((element) => ({ element, ink: inked(element), layer: layer(element) }));
  for (const [at, one] of shown.entries()) {
    for (const other of shown.slice(at + 1)) {
      if (one.layer !== other.layer || within(one.element, other.element) || within(other.element, one.element)) continue;
      if (one.ink.some((box) => other.ink.some((its) => meets(box, its)))) found.push(`overlap: ${name(one.element)} and ${name(other.element)}`);
    }
  }
  return found;
}
