//! `<sb-help>`: the keys, and what they do.

import { css, html, LitElement } from "lit";
import { customElement } from "lit/decorators.js";
import { t } from "../../i18n";
import { base } from "../../theme/base";
import "../dialog/dialog";

/** Ctrl on most machines, ⌘ on Apple's. */
const CONTROL = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : "Ctrl";

@customElement("sb-help")
export class Help extends LitElement {
  static override styles = [
    base,
    css`
      dl {
        display: grid;
        grid-template-columns: max-content minmax(0, 1fr);
        gap: 0.55rem 1.2rem;
        margin: 0;
      }
      dt {
        text-align: end;
      }
      dd {
        margin: 0;
      }
      kbd {
        padding: 0.1em 0.45em;
        border: 1px solid var(--line-strong);
        border-bottom-width: 2px;
        border-radius: 5px;
        background: var(--sunken);
        font: 0.84em/1.5 var(--mono);
      }
    `,
  ];

  override render() {
    const rows: readonly (readonly [readonly string[], string])[] = [
      [[CONTROL, "K"], t.keys.palette],
      [["?"], t.keys.help],
      [["Enter"], t.keys.send],
      [["Shift", "Enter"], t.keys.line],
      [["Tab"], t.keys.complete],
      [[CONTROL, "Z"], t.keys.undo],
      [["↑"], t.keys.edit],
      [[CONTROL, "S"], t.keys.save],
      [[CONTROL, "F"], t.keys.search],
      [["Esc"], `${t.keys.stop}. ${t.keys.close}`],
    ];
    return html`<sb-dialog heading=${t.keys.title}>
      <dl>
        ${rows.map(([pressed, does]) => html`<dt>${pressed.map((key, at) => html`${at > 0 ? " + " : ""}<kbd>${key}</kbd>`)}</dt><dd>${does}</dd>`)}
      </dl>
    </sb-dialog>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-help": Help;
  }
}
