//! What component tests share: put an element into the page, hear what it asks for.

import { render, type LitElement, type TemplateResult } from "lit";
import { vi } from "vitest";
import type { Asks } from "./events";

/** Puts a component into the page and waits for its first drawing, and that of those inside it. */
export async function mount<T extends LitElement>(template: TemplateResult): Promise<T> {
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }));
  // What jsdom leaves out and no test looks at.
  Element.prototype.scrollIntoView = () => undefined;
  const box = document.createElement("div");
  document.body.replaceChildren(box);
  render(template, box);
  const element = box.firstElementChild as T;
  await settled(element);
  return element;
}

/** Waits until the component and all inside it are drawn. */
export async function settled(element: LitElement): Promise<void> {
  await element.updateComplete;
  for (const inner of element.renderRoot.querySelectorAll<LitElement>("*")) {
    if (inner.localName.startsWith("sb-")) await settled(inner);
  }
}

/** The elements in the component and in those inside it. */
export function all(element: LitElement, selector: string): HTMLElement[] {
  const inner = [...element.renderRoot.querySelectorAll<LitElement>("*")].filter(({ localName }) => localName.startsWith("sb-"));
  return [...element.renderRoot.querySelectorAll<HTMLElement>(selector), ...inner.flatMap((part) => all(part, selector))];
}

/** All words that are shown. */
export function words(element: LitElement): string {
  const text = (node: Node): string => {
    if (node instanceof HTMLStyleElement) return "";
    if (node instanceof HTMLElement && node.shadowRoot) return text(node.shadowRoot);
    if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? "";
    return [...node.childNodes].map(text).join("");
  };
  return text(element.renderRoot).replace(/\s+/g, " ").trim();
}

/** The button with these words. */
export function button(element: LitElement, label: string): HTMLButtonElement {
  const found = all(element, "button").find((one) => one.textContent?.trim() === label || one.getAttribute("aria-label") === label);
  if (!found) throw new Error(`no button “${label}” in: ${words(element)}`);
  return found as HTMLButtonElement;
}

/** Gathers what the component asks for. */
export function heard<T extends keyof Asks>(element: HTMLElement, type: T): Asks[T][] {
  const details: Asks[T][] = [];
  element.addEventListener(type, (event) => details.push((event as unknown as CustomEvent<Asks[T]>).detail));
  return details;
}
