//! `<sb-arguments>`: what a tool is called with, one line a parameter, every character seen as it is.

import { css, html, LitElement, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import type { JsonValue } from "../../protocol/generated";
import { base, buttons, code } from "../../theme/base";
import { size } from "../../text/format";
import { visible, visibleLine } from "../../text/visible";
import { ask } from "../events";

const SHORT = 2000;

@customElement("sb-arguments")
export class Arguments extends LitElement {
  static override styles = [
    base,
    buttons,
    code,
    css`
      dl {
        display: grid;
        grid-template-columns: minmax(4.5rem, max-content) minmax(0, 1fr);
        gap: 0.35rem 0.9rem;
        margin: 0;
        align-items: baseline;
      }
      dt {
        color: var(--muted);
        font: 0.82rem/1.6 var(--mono);
        overflow-wrap: anywhere;
      }
      dd {
        margin: 0;
        min-width: 0;
      }
      pre {
        max-height: 22rem;
        padding: 0.4rem 0.6rem;
      }
      :host([whole]) pre {
        max-height: none;
      }
      .empty {
        margin: 0;
        color: var(--muted);
        font-size: 0.88rem;
      }
      @media (max-width: 480px) {
        dl {
          grid-template-columns: minmax(0, 1fr);
          gap: 0.1rem;
        }
        dd {
          margin-bottom: 0.4rem;
        }
      }
    `,
  ];

  @property({ attribute: false }) values: { [key in string]: JsonValue } = {};
  @property({ attribute: false }) references?: { [key in string]: string };
  /** Long values are shown whole from the beginning: what is approved must be seen. */
  @property({ type: Boolean, reflect: true }) whole = false;

  @state() private opened: readonly string[] = [];

  override render() {
    const entries = Object.entries(this.values);
    if (entries.length === 0) return html`<p class="empty">${t.work.noArguments}</p>`;
    return html`<dl>
      ${entries.map(([name, value]) => html`<dt>${visibleLine(name, 80)}</dt><dd>${this.value(name, value)}</dd>`)}
    </dl>`;
  }

  private value(name: string, value: JsonValue) {
    const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
    const cut = !this.whole && text.length > SHORT && !this.opened.includes(name);
    const shown = visible(cut ? text.slice(0, SHORT) : text);
    const { references } = this;
    const reference = references && Object.hasOwn(references, name) ? references[name] : undefined;
    const variable = reference?.replace(/^@/, "").replace(/[.[].*$/s, "");
    return html`<pre tabindex=${shown.length > 400 && !this.whole ? 0 : nothing}>${shown}</pre>
      ${cut
        ? html`<button class="link-button" @click=${() => (this.opened = [...this.opened, name])}>${fill(t.work.showAll, { size: size(text.length) })}</button>`
        : nothing}
      ${variable
        ? html`<button class="chip" @click=${() => ask(this, "sb-open-variable", { name: variable })}>${fill(t.work.fromVariable, { name: visibleLine(variable, 64) })}</button>`
        : nothing}`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-arguments": Arguments;
  }
}
