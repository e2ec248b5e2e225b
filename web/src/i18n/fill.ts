//! Puts values into words.

import { html, type TemplateResult } from "lit";

/** The words with their `{names}` filled in. */
export function fill(words: string, values: { [name: string]: string | number }): string {
  return words.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** The same where a value is a part of the page. */
export function fillWith(words: string, values: { [name: string]: unknown }): TemplateResult {
  const parts = words.split(/\{(\w+)\}/);
  return html`${parts.map((part, at) => (at % 2 === 0 ? part : (values[part] ?? `{${part}}`)))}`;
}
