//! `<sb-sessions>`: the conversations on this server, newest first, to open, name or delete.

import { css, html, LitElement, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import type { SessionSummary } from "../../connection/api";
import type { ReasonerInfo } from "../../protocol/generated";
import { base, buttons, fields } from "../../theme/base";
import { ago } from "../../text/format";
import { visible, visibleLine } from "../../text/visible";
import { reasonerName } from "../banner/banner";
import { ask, type Ask } from "../events";
import "../search/search";
import { binIcon, closeIcon, penIcon, plusIcon } from "../icons";

@customElement("sb-sessions")
export class Sessions extends LitElement {
  static override styles = [
    base,
    buttons,
    fields,
    css`
      :host {
        display: flex;
        flex-direction: column;
        min-height: 0;
        background: var(--side);
      }
      .header {
        display: flex;
        align-items: center;
        gap: 0.6rem;
        min-height: 56px;
        padding: 0.5rem 0.6rem 0.5rem 1.1rem;
      }
      img {
        border-radius: 7px;
      }
      .brand {
        flex: 1;
        font-weight: 650;
        letter-spacing: -0.01em;
      }
      .new {
        margin: 0.3rem 0.8rem 0.9rem;
      }
      .new .button {
        width: 100%;
        justify-content: center;
      }
      nav {
        flex: 1;
        min-height: 0;
        padding: 0 0.55rem 1rem;
        overflow-y: auto;
      }
      ul {
        margin: 0;
        padding: 0;
        list-style: none;
      }
      li {
        display: flex;
        align-items: center;
        border-radius: var(--radius-small);
      }
      li:hover,
      li:focus-within {
        background: var(--sunken);
      }
      li[aria-current] {
        background: var(--bubble);
      }
      a {
        flex: 1;
        min-width: 0;
        padding: 0.4rem 0.6rem;
        border-radius: var(--radius-small);
        color: var(--text);
        font-size: 0.92rem;
        line-height: 1.4;
        text-decoration: none;
      }
      .title {
        display: block;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      .when {
        color: var(--muted);
        font-size: 0.8rem;
      }
      .tools {
        display: flex;
        width: 0;
        overflow: hidden;
      }
      li:hover .tools,
      li:focus-within .tools {
        width: auto;
        overflow: visible;
      }
      .tools .icon-button {
        width: 30px;
        height: 32px;
        min-height: 32px;
      }
      @media (hover: none) {
        .tools {
          width: auto;
          overflow: visible;
        }
        .tools .icon-button {
          width: 40px;
          height: 44px;
        }
      }
      .footer {
        padding: 0.5rem 0.6rem;
        border-top: 1px solid var(--line);
      }
      form {
        flex: 1;
        padding: 0.3rem;
      }
      .empty,
      .problem {
        margin: 0.3rem 0.6rem;
        font-size: 0.9rem;
      }
      .empty {
        color: var(--muted);
      }
    `,
  ];

  @property({ attribute: false }) sessions: readonly SessionSummary[] = [];
  @property() current?: string;
  @property() problem = "";
  /** It lies over the page and can be put away. */
  @property({ type: Boolean }) drawer = false;
  @property({ attribute: false }) reasoner?: ReasonerInfo;
  @state() private naming?: string;
  @state() private searching = false;
  @query("input") private field?: HTMLInputElement;

  override render() {
    return html`<div class="header">
        <img src="favicon.svg" width="26" height="26" alt="" />
        <span class="brand">Switchboard</span>
        ${this.drawer ? html`<button class="icon-button" aria-label=${t.side.closeConversations} @click=${() => ask(this, "sb-close", {})}>${closeIcon}</button>` : nothing}
      </div>
      <div class="new"><button class="button" @click=${() => ask(this, "sb-open-session", {})}>${plusIcon} ${t.side.newChat}</button></div>
      <sb-search @sb-searching=${({ detail }: Ask<"sb-searching">) => (this.searching = detail.active)}></sb-search>
      <nav aria-label=${t.side.conversations} ?hidden=${this.searching}>
        ${this.problem ? html`<p class="problem">${visible(this.problem)}</p>` : nothing}
        ${this.sessions.length === 0 && !this.problem ? html`<p class="empty">${t.side.noConversations}</p>` : nothing}
        <ul>
          ${repeat(this.sessions, (session) => session.sessionId, (session) => this.item(session))}
        </ul>
      </nav>
      ${this.drawer && this.reasoner
        ? html`<div class="footer"><button class="button plain" @click=${() => ask(this, "sb-about", {})}>${reasonerName(this.reasoner)}</button></div>`
        : nothing}`;
  }

  private item(session: SessionSummary) {
    const title = visibleLine(session.title ?? t.page.untitled, 90);
    const current = session.sessionId === this.current;
    if (this.naming === session.sessionId) {
      return html`<li>
        <form @submit=${(event: Event) => this.name(event, session)}>
          <input class="field" maxlength="200" aria-label=${t.side.nameOf} .value=${session.title ?? ""} @keydown=${this.pressed} @blur=${() => (this.naming = undefined)} />
        </form>
      </li>`;
    }
    return html`<li aria-current=${current ? "true" : nothing}>
      <a href="#${session.sessionId}" title=${title} @click=${() => ask(this, "sb-open-session", { sessionId: session.sessionId })}>
        <span class="title">${title}</span>
        <span class="when">${ago(session.updatedAt, Date.now())}</span>
      </a>
      <span class="tools">
        <button class="icon-button" aria-label=${fill(t.side.renameThis, { title })} title=${t.side.rename} @click=${() => this.begin(session.sessionId)}>${penIcon}</button>
        <button class="icon-button" aria-label=${fill(t.side.deleteThis, { title })} title=${t.side.delete} @click=${() => ask(this, "sb-delete-session", { sessionId: session.sessionId })}>${binIcon}</button>
      </span>
    </li>`;
  }

  private begin(id: string): void {
    this.naming = id;
    void this.updateComplete.then(() => this.field?.select());
  }

  private pressed(event: KeyboardEvent): void {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    this.naming = undefined;
  }

  private name(event: Event, session: SessionSummary): void {
    event.preventDefault();
    const title = this.field?.value.trim() ?? "";
    this.naming = undefined;
    if (title && title !== session.title) ask(this, "sb-rename-session", { sessionId: session.sessionId, title });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-sessions": Sessions;
  }
}
