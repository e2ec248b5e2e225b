//! `<sb-topbar>`: the conversation's name and the few switches of the page.

import { css, html, LitElement, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import { exportUrl } from "../../connection/api";
import type { ChatState } from "../../state/chat";
import { base, buttons } from "../../theme/base";
import { visibleLine } from "../../text/visible";
import { reasonerName, reasonerWord } from "../banner/banner";
import { ask } from "../events";
import "../sandbox/sandbox";
import { boxIcon, exportIcon, gearIcon, menuIcon } from "../icons";

@customElement("sb-topbar")
export class Topbar extends LitElement {
  static override styles = [
    base,
    buttons,
    css`
      :host {
        container-type: inline-size;
      }
      .bar {
        display: flex;
        align-items: center;
        gap: 0.25rem;
        min-height: 56px;
        padding: 0.4rem 0.7rem;
        border-bottom: 1px solid var(--line);
      }
      .name {
        display: flex;
        flex: 1;
        gap: 0.25rem 0.6rem;
        align-items: center;
        min-width: 0;
        margin-inline: 0.4rem;
      }
      .meta {
        display: flex;
        flex: 0 1 auto;
        gap: 0.3rem;
        align-items: center;
        min-width: 0;
      }
      h1 {
        display: -webkit-box;
        flex: 1 1 9rem;
        min-width: 7rem;
        margin: 0;
        font-size: 0.98rem;
        font-weight: 600;
        line-height: 1.3;
        overflow: hidden;
        overflow-wrap: anywhere;
        -webkit-box-orient: vertical;
        -webkit-line-clamp: 2;
        unicode-bidi: isolate;
      }
      .reasoner {
        flex: 0 1 auto;
        min-width: 3.4rem;
        max-width: 13rem;
        padding: 0.15rem 0.65rem;
        border: 1px solid var(--line);
        border-radius: 99px;
        background: none;
        color: var(--muted);
        font-size: 0.82rem;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      .reasoner:hover {
        color: var(--text);
        border-color: var(--line-strong);
      }
      .gauge {
        margin-inline-end: 0.4rem;
        color: var(--muted);
        font-size: 0.82rem;
        white-space: nowrap;
      }
      .icon-button {
        flex: none;
      }
      .variables {
        width: auto;
        min-width: 44px;
        padding: 0 0.5rem;
        gap: 0.35rem;
        font-size: 0.86rem;
      }
      @media (max-width: 640px) {
        .bar {
          padding-inline: 0.3rem;
          gap: 0;
        }
        .name {
          flex-direction: column;
          align-items: flex-start;
          margin-inline: 0.2rem;
        }
        h1 {
          flex: none;
          width: 100%;
          font-size: 0.86rem;
          -webkit-line-clamp: 3;
        }
        .meta {
          max-width: 100%;
        }
        .export {
          display: none;
        }
        .reasoner {
          max-width: 7rem;
          min-height: 26px;
          padding: 0 0.5rem;
          font-size: 0.78rem;
        }
      }
      .short {
        display: none;
      }
      @container (max-width: 760px) {
        .gauge,
        .long {
          display: none;
        }
        .short {
          display: inline;
        }
      }
      @media (min-width: 641px) {
        @container (max-width: 560px) {
          .name {
            flex-direction: column;
            align-items: flex-start;
            gap: 0.1rem;
          }
          h1 {
            flex: none;
            width: 100%;
            font-size: 0.9rem;
            -webkit-line-clamp: 2;
          }
          .meta {
            max-width: 100%;
          }
        }
      }
    `,
  ];

  @property({ attribute: false }) chat!: ChatState;
  @property({ type: Boolean }) left = false;
  @property({ type: Boolean }) right = false;

  /** Puts the keyboard on the switch of a side. */
  focusToggle(side: "left" | "right"): void {
    this.renderRoot.querySelector<HTMLElement>(`[data-side="${side}"]`)?.focus();
  }

  /** Saves the conversation as a file. */
  export(): void {
    this.renderRoot.querySelector<HTMLElement>(".export")?.click();
  }

  override render() {
    const { sessionId, title, reasoner, sandbox, tokens, lastSeq, variables } = this.chat;
    return html`<div class="bar">
      <button class="icon-button" data-side="left" aria-label=${t.side.conversations} title=${t.side.conversations} aria-expanded=${this.left ? "true" : "false"} @click=${() => ask(this, "sb-toggle", { side: "left" })}>${menuIcon}</button>
      <div class="name">
      <h1 title=${title ? visibleLine(title) : nothing}>${visibleLine(title ?? t.side.newChat, 120)}</h1>
      <div class="meta">${tokens
        ? html`<span class="gauge" title=${fill(t.page.tokens, { used: tokens.used, limit: tokens.limit })}>${fill(t.page.ofContext, { percent: Math.round((100 * tokens.used) / Math.max(1, tokens.limit)) })}</span>`
        : nothing}
      ${reasoner
        ? html`<button class="reasoner" aria-label=${reasonerName(reasoner)} title=${t.dialogs.reasoner.hint} @click=${() => ask(this, "sb-settings", { part: "models" })}>
            <span class="long">${reasonerName(reasoner)}</span><span class="short">${reasonerWord(reasoner)}</span>
          </button>`
        : nothing}
      <sb-sandbox .state=${sandbox}></sb-sandbox></div>
      </div>
      ${sessionId && lastSeq > 0
        ? html`<a class="icon-button export" href=${exportUrl(sessionId)} download aria-label=${t.page.exportThis} title=${t.page.export}>${exportIcon}</a>`
        : nothing}
      <button class="icon-button" aria-label=${t.dialogs.settings.title} title=${t.dialogs.settings.title} @click=${() => ask(this, "sb-settings", {})}>${gearIcon}</button>
      <button class="icon-button variables" data-side="right" aria-label=${fill(t.side.variablesOf, { n: variables.size })} title=${t.side.variables} aria-expanded=${this.right ? "true" : "false"} @click=${() => ask(this, "sb-toggle", { side: "right" })}>
        ${boxIcon}<span aria-hidden="true">${variables.size}</span>
      </button>
    </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-topbar": Topbar;
  }
}
