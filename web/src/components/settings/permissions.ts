//! `<sb-permissions>`: the rules of the settings as a table, and what decides where none applies.

import { css, html, nothing } from "lit";
import { customElement } from "lit/decorators.js";
import { permissions, type Permissions } from "../../connection/api";
import { t } from "../../i18n";
import { visibleLine } from "../../text/visible";
import { ask } from "../events";
import { Listing } from "./listing";

@customElement("sb-permissions")
export class PermissionRules extends Listing<Permissions> {
  static override styles = [
    Listing.styles,
    css`
      table {
        width: 100%;
        margin-bottom: 1rem;
        border-collapse: collapse;
        font-size: 0.9rem;
      }
      th,
      td {
        padding: 0.45rem 0.6rem 0.45rem 0;
        border-bottom: 1px solid var(--line);
        text-align: start;
        vertical-align: top;
      }
      th {
        color: var(--muted);
        font-size: 0.84rem;
        font-weight: 600;
      }
      td:nth-child(2) {
        font: 0.86rem/1.5 var(--mono);
        overflow-wrap: anywhere;
      }
      td:last-child {
        color: var(--muted);
        overflow-wrap: anywhere;
      }
    `,
  ];

  protected override fetched(): Promise<Permissions> {
    return permissions();
  }

  protected override view(list: Permissions) {
    return html`<p class="lead">${t.server.modes[list.mode]} ${list.rules.length === 0 ? t.server.noRules : t.server.order}</p>
      ${list.rules.length > 0 ? table(list) : nothing}
      <button class="button" title=${t.server.restartHint} @click=${this.own}>${t.server.ownRules}</button>`;
  }

  /** The command is answered in the conversation. */
  private own(): void {
    ask(this, "sb-send", { text: "/permissions", mode: "queue" });
    ask(this, "sb-close", {});
  }
}

/** What comes of the rules that ask: in the other modes nobody is asked. */
const ASKED = { ask: "ask", auto: "allow", deny: "deny" } as const;

function table({ mode, rules }: Permissions) {
  return html`<table>
    <thead>
      <tr><th scope="col">${t.server.effect}</th><th scope="col">${t.server.rule}</th><th scope="col">${t.server.place}</th></tr>
    </thead>
    <tbody>
      ${rules.map(
        ({ effect, rule, place }) => html`<tr><td>${t.server.effects[effect === "ask" ? ASKED[mode] : effect]}</td><td>${visibleLine(rule, 300)}</td><td>${visibleLine(place ?? "", 100)}</td></tr>`,
      )}
    </tbody>
  </table>`;
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-permissions": PermissionRules;
  }
}
