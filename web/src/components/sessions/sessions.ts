//! `<sb-sessions>`: the conversations on this server, found, or listed by date, to open, pin, name or delete.

import { html, LitElement, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import type { ReasonerInfo, SessionSummary } from "../../protocol/generated";
import { grouped } from "../../state/session-list";
import { base, buttons, fields } from "../../theme/base";
import { side } from "../../theme/side";
import { visible, visibleLine } from "../../text/visible";
import { reasonerName } from "../banner/banner";
import { ask, plainClick, type Ask } from "../events";
import "../search/search";
import { closeIcon, folderIcon, moreIcon, pinIcon, plusIcon } from "../icons";
import "./menu";
import type { SessionMenu } from "./menu";
import { RowFocus } from "./row-focus";
import { styles } from "./sessions.styles";

@customElement("sb-sessions")
export class Sessions extends LitElement {
  static override styles = [base, buttons, fields, side, styles];

  @property({ attribute: false }) sessions: readonly SessionSummary[] = [];
  @property() current?: string;
  @property() problem = "";
  /** The list was read: if it is empty, there are none. */
  @property({ type: Boolean }) known = false;
  /** There are older ones on the server. */
  @property({ type: Boolean }) more = false;
  /** It lies over the page and can be put away. */
  @property({ type: Boolean }) drawer = false;
  @property({ attribute: false }) reasoner?: ReasonerInfo;
  /** The name of the folder that tools work in. */
  @property() workspace?: string;
  /** Conversations that are being deleted. */
  @property({ attribute: false }) gone: ReadonlySet<string> = new Set();
  /** Which one gets another name, and what was typed for it: its row may be drawn anew meanwhile. */
  @state() private naming?: { sessionId: string; title: string };
  @state() private searching = false;
  @query("input") private field?: HTMLInputElement;
  @query("sb-session-menu") private menu!: SessionMenu;
  private readonly rowFocus = new RowFocus(this);
  /** The day that the groups are made for. */
  private day = "";
  private ticking?: ReturnType<typeof setInterval>;

  override connectedCallback(): void {
    super.connectedCallback();
    // At midnight nothing else changes.
    this.ticking = setInterval(() => this.day !== new Date().toDateString() && this.requestUpdate(), 60_000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.ticking);
  }

  override render() {
    const now = new Date();
    this.day = now.toDateString();
    return html`<div class="header">
        <img src="favicon.svg" width="26" height="26" alt="" />
        <span class="brand">Switchboard</span>
        ${this.drawer ? html`<button class="icon-button" aria-label=${t.side.closeConversations} @click=${() => ask(this, "sb-close", {})}>${closeIcon}</button>` : nothing}
      </div>
      <div class="new"><button class="button" @click=${() => ask(this, "sb-open-session", {})}>${plusIcon} ${t.side.newChat}</button></div>
      <sb-search .gone=${this.gone} @sb-searching=${({ detail }: Ask<"sb-searching">) => (this.searching = detail.active)}></sb-search>
      <nav aria-label=${t.side.conversations} ?hidden=${this.searching}>
        ${this.problem ? html`<p class="problem">${visible(this.problem)}</p>` : nothing}
        ${this.sessions.length === 0 && this.known && !this.problem ? html`<p class="empty">${t.side.noConversations}</p>` : nothing}
        ${repeat(grouped(this.sessions, now), ({ heading }) => heading, ({ heading, sessions }) => html`<section>
            <h2>${heading}</h2>
            <ul>
              ${repeat(sessions, ({ sessionId }) => sessionId, (session) => this.item(session))}
            </ul>
          </section>`)}
        ${this.more ? html`<button class="button plain earlier" @click=${() => ask(this, "sb-list-earlier", {})}>${t.listing.earlier}</button>` : nothing}
        <button class="button plain earlier" @click=${() => ask(this, "sb-import", {})}>${t.listing.import}</button>
      </nav>
      <sb-session-menu @sb-name-session=${({ detail }: Ask<"sb-name-session">) => this.begin(detail.sessionId)}></sb-session-menu>
      ${this.footer()}`;
  }

  private footer() {
    const { workspace, drawer, reasoner } = this;
    if (!workspace && !(drawer && reasoner)) return nothing;
    return html`<div class="footer">
      ${workspace
        ? html`<button class="button plain workspace" title=${fill(t.side.browse, { name: visibleLine(workspace, 100) })} @click=${() => ask(this, "sb-show", { handle: "file:." })}>
            ${folderIcon}<span class="hidden-text">${t.windows.workspace}: </span><span class="title">${visibleLine(workspace, 60)}</span>
          </button>`
        : nothing}
      ${drawer && reasoner ? html`<button class="button plain" @click=${() => ask(this, "sb-settings", { part: "models" })}>${reasonerName(reasoner)}</button>` : nothing}
    </div>`;
  }

  private item(session: SessionSummary) {
    const title = visibleLine(session.title ?? t.page.untitled, 90);
    const current = session.sessionId === this.current;
    if (this.naming?.sessionId === session.sessionId) {
      return html`<li data-session=${session.sessionId}>
        <form @submit=${(event: Event) => this.submitted(event, session)}>
          <input class="field" maxlength="200" aria-label=${t.side.nameOf} .value=${this.naming.title} @input=${this.typed} @keydown=${this.pressed} @blur=${() => this.left(session)} />
        </form>
      </li>`;
    }
    return html`<li data-session=${session.sessionId} class=${current ? "current" : ""}>
      <a href="#${session.sessionId}" title=${title} aria-current=${current ? "page" : nothing} @click=${(event: MouseEvent) => this.open(event, session)}>
        <span class="title">${session.pinned ? pinIcon : nothing}${title}</span>
      </a>
      <span class="tools">
        <button class="icon-button" aria-haspopup="menu" aria-label=${fill(t.listing.actions, { title })} title=${fill(t.listing.actions, { title })} @click=${(event: Event) => void this.menu.open(session, event.currentTarget as HTMLElement)}>
          ${moreIcon}
        </button>
      </span>
    </li>`;
  }

  private open(event: MouseEvent, { sessionId }: SessionSummary): void {
    if (!plainClick(event)) return;
    event.preventDefault();
    ask(this, "sb-open-session", { sessionId });
  }

  private begin(sessionId: string): void {
    this.naming = { sessionId, title: this.sessions.find((session) => session.sessionId === sessionId)?.title ?? "" };
    void this.updateComplete.then(() => {
      this.field?.focus();
      this.field?.select();
    });
  }

  private typed(): void {
    if (this.naming && this.field) this.naming.title = this.field.value;
  }

  private pressed(event: KeyboardEvent): void {
    if (event.key !== "Escape" || event.isComposing) return;
    event.stopPropagation();
    this.naming = undefined;
  }

  private submitted(event: Event, session: SessionSummary): void {
    event.preventDefault();
    this.name(session);
  }

  /** Whoever goes elsewhere keeps what was typed; a row that is drawn anew goes nowhere. */
  private left(session: SessionSummary): void {
    if (!this.rowFocus.drawing) this.name(session);
  }

  private name(session: SessionSummary): void {
    const title = this.naming?.title.trim() ?? "";
    this.naming = undefined;
    if (title && title !== session.title) ask(this, "sb-rename-session", { sessionId: session.sessionId, title });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-sessions": Sessions;
  }
}
