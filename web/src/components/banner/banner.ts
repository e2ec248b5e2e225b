//! `<sb-banner>`: which reasoner runs and what it can do. Dismissed once, it stays away in this browser until
//! another reasoner runs; its name in the page's head says the same at any time.

import { css, html, LitElement, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { t } from "../../i18n";
import type { ReasonerInfo } from "../../protocol/generated";
import { base, buttons } from "../../theme/base";
import { visible, visibleLine } from "../../text/visible";
import { ask } from "../events";
import { closeIcon } from "../icons";

/** The reasoner's name in a few words. */
export function reasonerName(reasoner: ReasonerInfo): string {
  if (reasoner.kind === "rules") return t.dialogs.reasoner.rules;
  return reasoner.model ? visibleLine(reasoner.model, 60) : t.dialogs.reasoner.model;
}

/** The same where there is little room. */
export function reasonerWord(reasoner: ReasonerInfo): string {
  return reasoner.kind === "rules" ? t.dialogs.reasoner.rulesShort : reasonerName(reasoner);
}

/** What the reasoner can do: that of the rules in the page's language, that of a model in the server's words if it says some. */
export function reasonerAbout(reasoner: ReasonerInfo): string {
  if (reasoner.kind === "rules") return t.dialogs.reasoner.rulesDoes;
  return reasoner.about === undefined ? t.dialogs.reasoner.does : visible(reasoner.about);
}

@customElement("sb-banner")
export class Banner extends LitElement {
  static override styles = [
    base,
    buttons,
    css`
      aside {
        display: flex;
        align-items: flex-start;
        gap: 0.4rem;
        padding: 0.6rem 0.4rem 0.6rem 1rem;
        border-radius: var(--radius);
        background: var(--accent-soft);
        font-size: 0.92rem;
        line-height: 1.5;
      }
      p {
        flex: 1;
        margin: 0.15rem 0;
        overflow-wrap: anywhere;
      }
      .icon-button {
        flex: none;
        width: 32px;
        height: 32px;
        min-height: 32px;
      }
    `,
  ];

  @property({ attribute: false }) reasoner?: ReasonerInfo;

  override render() {
    const { reasoner } = this;
    if (!reasoner) return nothing;
    return html`<aside aria-label=${t.dialogs.reasoner.about}>
      <p>
        <strong>${reasonerName(reasoner)}.</strong> ${reasonerAbout(reasoner)}
        ${reasoner.kind === "rules" ? html`<button class="link-button" @click=${() => ask(this, "sb-settings", { part: "models" })}>${t.dialogs.reasoner.connect}</button>` : nothing}
      </p>
      <button class="icon-button" aria-label=${t.dialogs.dismiss} @click=${() => ask(this, "sb-dismiss", { id: "banner" })}>${closeIcon}</button>
    </aside>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-banner": Banner;
  }
}
