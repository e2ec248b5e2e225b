//! `<sb-app>`: the page. It owns the store and the session, hands the picture to the components, and alone acts on
//! what they ask for.

import { html, LitElement, nothing } from "lit";
import { customElement, query, state } from "lit/decorators.js";
import type { SessionSummary } from "../../connection/api";
import { answerQuery, approveTool, callTool, deleteVariable, renameVariable, setVariable } from "../../connection/commands";
import { randomId, Session } from "../../connection/session";
import type { Mode } from "../../protocol/generated";
import { EMPTY } from "../../state/chat";
import { setNames } from "../../state/names";
import { dismiss } from "../../state/reduce";
import { Store } from "../../state/store";
import { base, buttons } from "../../theme/base";
import { count } from "../../text/format";
import { visible, visibleLine } from "../../text/visible";
import { Announcer } from "./announcer";
import { styles } from "./app.styles";
import { Conversations } from "./conversations";
import { bannerDismissed, dismissBanner } from "./kept";
import "../approval/approval";
import type { Approval } from "../approval/approval";
import { reasonerName } from "../banner/banner";
import "../composer/composer";
import type { Composer } from "../composer/composer";
import "../context/context";
import "../conversation/conversation";
import type { Conversation } from "../conversation/conversation";
import "../dialog/confirm";
import "../dialog/dialog";
import "../events";
import "../login/login";
import "../providers/providers";
import "../query/query";
import type { Query } from "../query/query";
import { aboutSandbox } from "../sandbox/sandbox";
import "../sessions/sessions";
import "../status/status";
import "../toasts/toasts";
import "../topbar/topbar";
import type { Topbar } from "../topbar/topbar";
import "../variable/variable";
import "../welcome/welcome";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

@customElement("sb-app")
export class App extends LitElement {
  static override styles = [base, buttons, styles];

  @state() private leftOpen = false;
  @state() private rightOpen = false;
  @state() private narrow = false;
  @state() private middling = false;
  @state() private tiny = false;
  /** The approval that the user put aside on a small screen. */
  @state() private aside?: string;
  @state() private openVariable?: string;
  @state() private deleting?: SessionSummary;
  @state() private about = false;
  @state() private loading = false;
  @query("sb-composer") private composer?: Composer;
  @query("sb-topbar") private topbar?: Topbar;
  @query("sb-conversation") private conversation?: Conversation;

  private readonly store = new Store();
  private readonly announcer = new Announcer();
  private readonly conversations = new Conversations(this, (message) => this.session.say(message));
  private session!: Session;
  private wasOpen = false;
  private listedSeq = "";
  private attended?: string;
  private readonly small = matchMedia("(max-width: 860px)");
  private readonly medium = matchMedia("(max-width: 1150px)");
  private readonly phone = matchMedia("(max-width: 640px), (max-height: 480px)");

  constructor() {
    super();
    this.addEventListener("sb-send", ({ detail }) => this.say(detail.text, detail.mode));
    this.addEventListener("sb-try", ({ detail }) => this.say(`/try ${detail.tool} ${detail.text}`, detail.mode));
    this.addEventListener("sb-suggest", ({ detail }) => this.composer?.fill(detail.text));
    this.addEventListener("sb-again", ({ detail }) => this.say(`/rerun ${detail.messageId} ${detail.text}`, "queue"));
    this.addEventListener("sb-edit", ({ detail }) => this.composer?.edit(detail.messageId, detail.text));
    this.addEventListener("sb-cancel", (event) => this.session.cancel(event.detail.messageId));
    this.addEventListener("sb-retry", (event) => this.session.retry(event.detail.messageId));
    this.addEventListener("sb-forget", (event) => this.session.forget(event.detail.messageId));
    this.addEventListener("sb-approve", (event) => {
      const { callId, decision, edited, reason } = event.detail;
      this.session.command(approveTool(callId, decision, edited, reason));
      this.composer?.focus();
    });
    this.addEventListener("sb-set-aside", ({ detail }) => {
      this.aside = detail.aside ? detail.callId : undefined;
      void this.updateComplete.then(() => this.renderRoot.querySelector<Approval>("sb-approval")?.focus());
    });
    this.addEventListener("sb-undo", ({ detail }) => {
      this.session.command(callTool(randomId(), "file_undo", { call_ids: [...detail.callIds] }));
    });
    this.addEventListener("sb-answer", (event) => {
      this.session.command(answerQuery(event.detail.queryId, event.detail.answer));
      this.composer?.focus();
    });
    this.addEventListener("sb-open-variable", ({ detail }) => {
      if (this.store.state.variables.has(detail.name)) this.openVariable = detail.name;
      else this.session.say(`There is no longer a variable ${visibleLine(detail.name, 64)}.`, "info");
    });
    this.addEventListener("sb-set-variable", ({ detail }) => this.session.command(setVariable(detail.name, detail.value)));
    this.addEventListener("sb-rename-variable", ({ detail }) => {
      if (this.session.command(renameVariable(detail.name, detail.newName))) this.openVariable = undefined;
    });
    this.addEventListener("sb-delete-variable", ({ detail }) => {
      if (this.session.command(deleteVariable(detail.name))) this.openVariable = undefined;
    });
    this.addEventListener("sb-open-session", (event) => this.open(event.detail.sessionId));
    this.addEventListener("sb-rename-session", (event) => void this.rename(event.detail));
    this.addEventListener("sb-delete-session", (event) => {
      this.deleting = this.conversations.find(event.detail.sessionId);
    });
    this.addEventListener("sb-load-earlier", () => void this.loadEarlier());
    this.addEventListener("sb-dismiss", (event) => this.dismiss(event.detail.id));
    this.addEventListener("sb-close", (event) => this.closeOverlay(event));
    this.addEventListener("sb-toggle", (event) => this.toggle(event.detail.side));
    this.addEventListener("sb-about", () => (this.about = true));
    this.addEventListener("sb-logged-in", () => this.session.reconnect());
    this.addEventListener("sb-reconnect", () => this.session.reconnect());
    this.addEventListener("keydown", (event) => this.pressed(event));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.measure();
    this.leftOpen = !this.narrow;
    this.rightOpen = !this.narrow && !this.middling;
    this.small.addEventListener("change", this.measure);
    this.medium.addEventListener("change", this.measure);
    this.phone.addEventListener("change", this.measure);
    window.addEventListener("hashchange", this.hashChanged);
    this.store.subscribe(() => this.changed());
    this.begin(sessionInHash());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.small.removeEventListener("change", this.measure);
    this.medium.removeEventListener("change", this.measure);
    this.phone.removeEventListener("change", this.measure);
    window.removeEventListener("hashchange", this.hashChanged);
    this.session.close();
  }

  override render() {
    const { state: chat } = this.store;
    const online = this.session.standing.kind === "open";
    const variables = [...chat.variables.values()];
    const banner = chat.reasoner?.about && !bannerDismissed(chat.reasoner) ? html`<sb-banner .reasoner=${chat.reasoner}></sb-banner>` : nothing;
    const fresh = chat.timeline.length === 0 && this.session.outbox.all.length === 0 && chat.firstSeq <= 1;
    return html`
      ${this.narrow && (this.leftOpen || this.rightOpen) ? html`<button class="scrim" aria-label="Close" tabindex="-1" @click=${this.closeDrawers}></button>` : nothing}
      <sb-sessions
        class=${this.narrow ? "drawer" : ""}
        ?hidden=${!this.leftOpen}
        ?drawer=${this.narrow}
        .sessions=${this.conversations.all}
        .current=${chat.sessionId}
        .problem=${this.conversations.problem}
        .reasoner=${chat.reasoner}
      ></sb-sessions>
      <main ?inert=${this.narrow && (this.leftOpen || this.rightOpen)}>
        <sb-topbar ?inert=${this.covered} .chat=${chat} ?left=${this.leftOpen} ?right=${this.rightOpen}></sb-topbar>
        <sb-status .standing=${this.session.standing} .needs=${this.session.needs} ?known=${this.wasOpen}></sb-status>
        ${fresh && chat.sessionId
          ? html`<sb-welcome>${banner}</sb-welcome>`
          : html`<sb-conversation ?inert=${this.covered} .chat=${chat} .outgoing=${this.session.outbox.all} ?loading=${this.loading} ?online=${online}>${banner}</sb-conversation>`}
        <div class="dock">
          ${this.attention(online)}
          <sb-composer ?inert=${this.covered} ?busy=${chat.busy !== undefined} .variables=${variables} ?disabled=${this.session.needs !== undefined}></sb-composer>
        </div>
      </main>
      <sb-context class=${this.narrow ? "drawer" : ""} ?hidden=${!this.rightOpen} .variables=${variables} ?online=${online}></sb-context>
      <sb-toasts .notices=${chat.notices}></sb-toasts>
      ${this.overlays(online)} ${this.announcer.template}
    `;
  }

  private attention(online: boolean) {
    const { approvals, queries } = this.store.state;
    if (this.session.needs === "gone") {
      const why = this.session.standing.kind === "stopped" ? this.session.standing.why : "";
      return html`<div class="gone" role="alert">
        <p>${why} It may have been deleted, or the server may have been started with another data folder.</p>
        <button class="button primary" @click=${() => this.open(undefined)}>New chat</button>
      </div>`;
    }
    // One at a time: a second click meant for the first card must not fall on another that took its place.
    const [approval] = approvals;
    const [question] = queries;
    const sheet = this.covered;
    if (!approval && !question) return nothing;
    const more = approvals.length + queries.length - 1;
    return html`<div class="attention" role="region" aria-label="Waiting for you" @keydown=${this.typedOnCard}>
      ${approval ? html`<sb-approval .request=${approval} ?online=${online} ?sheet=${sheet} ?aside=${this.tiny && !sheet}></sb-approval>` : html`<sb-query .request=${question} ?online=${online}></sb-query>`}
      ${more > 0 ? html`<p class="more">${count(more, "more question")} after this one</p>` : nothing}
    </div>`;
  }

  /** An approval lies over all else. */
  private get covered(): boolean {
    const [approval] = this.store.state.approvals;
    return this.tiny && approval !== undefined && approval.callId !== this.aside;
  }

  private overlays(online: boolean) {
    const { variables, sessionId, reasoner, sandbox } = this.store.state;
    const variable = this.openVariable === undefined ? undefined : variables.get(this.openVariable);
    const { deleting } = this;
    if (this.session.needs === "login") return html`<sb-login></sb-login>`;
    if (deleting) {
      return html`<sb-confirm
        heading="Delete this conversation?"
        words=${`“${visibleLine(deleting.title ?? "Untitled conversation", 120)}” and its variables will be deleted permanently. Files in the workspace stay as they are.`}
        .confirmed=${() => void this.deleteFor(deleting)}
      ></sb-confirm>`;
    }
    if (this.about && reasoner) {
      return html`<sb-dialog heading=${reasonerName(reasoner)}>
        <p class="about">${visible(reasoner.about ?? "A language model decides which tools to use and writes the replies.")}</p>
        <p class="about">${aboutSandbox(sandbox) ?? nothing}</p>
        <sb-providers></sb-providers>
      </sb-dialog>`;
    }
    if (!variable || !sessionId) return nothing;
    return html`<sb-variable .sessionId=${sessionId} .variable=${variable} .variables=${[...variables.values()]} ?online=${online}></sb-variable>`;
  }

  private begin(sessionId: string | undefined): void {
    this.session?.close();
    this.wasOpen = false;
    this.openVariable = undefined;
    this.announcer.reset();
    this.composer?.leave();
    this.store.update(() => EMPTY);
    this.session = new Session(this.store, sessionId, () => this.changed());
    // The frame that says so is still being taken in.
    this.session.made = (made) => queueMicrotask(() => this.open(made));
    this.requestUpdate();
    void this.refreshList();
  }

  private changed(): void {
    this.requestUpdate();
    if (!this.session) return;
    const { state: chat } = this.store;
    if (this.session.standing.kind === "open") this.wasOpen = true;
    this.announcer.hear(chat);
    setNames(chat.variables.keys());
    const waits = chat.approvals.length + chat.queries.length;
    document.title = `${waits > 0 ? `(${waits}) ` : ""}${chat.title ? `${visibleLine(chat.title, 80)} · ` : ""}Switchboard`;
    const kept = chat.lastSeq > 0 || this.session.outbox.all.length > 0;
    if (chat.sessionId && kept && sessionInHash() !== chat.sessionId) history.replaceState(null, "", `#${chat.sessionId}`);
    const turns = chat.timeline.filter((entry) => entry.kind === "turn" && entry.end).length;
    const listed = `${chat.sessionId}-${chat.title}-${turns}-${chat.lastSeq > 0}`;
    if (listed !== this.listedSeq && chat.sessionId) {
      this.listedSeq = listed;
      void this.refreshList();
    }
    void this.updateComplete.then(() => this.attend());
  }

  /** A card that has just come gets the keyboard, unless the user is in the middle of something. */
  private attend(): void {
    const card = this.renderRoot.querySelector<Approval | Query>("sb-approval, sb-query");
    if (card?.key === this.attended) return;
    this.attended = card?.key;
    if (this.covered) this.leftOpen = this.rightOpen = false;
    if (card && (this.covered || this.idle())) void card.updateComplete.then(() => card.focus());
  }

  private idle(): boolean {
    const { activeElement } = this.renderRoot as ShadowRoot;
    if (document.activeElement === document.body || activeElement === null) return true;
    return activeElement === this.composer && this.composer.empty;
  }

  /** What is typed while a card has the keyboard goes where it was meant: into the composer. */
  private typedOnCard(event: KeyboardEvent): void {
    const inner = event.composedPath()[0] as HTMLElement;
    const letter = event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (inner.localName === "section" && letter) this.composer?.focus();
  }

  private say(text: string, mode: Mode): void {
    this.session.send(text, mode);
    this.conversation?.toEnd();
    if (!matchMedia("(pointer: coarse)").matches) this.composer?.focus();
  }

  private open(sessionId: string | undefined): void {
    if (this.narrow) this.leftOpen = false;
    if (sessionId !== undefined && sessionId === this.store.state.sessionId) return;
    history.pushState(null, "", sessionId ? `#${sessionId}` : location.pathname + location.search);
    this.begin(sessionId);
    void this.updateComplete.then(() => this.composer?.focus());
  }

  private readonly hashChanged = (): void => {
    const id = sessionInHash();
    if (id !== this.store.state.sessionId) this.begin(id);
  };

  private async rename({ sessionId, title }: { sessionId: string; title: string }): Promise<void> {
    await this.conversations.rename(sessionId, title);
    await this.refreshList();
  }

  private async deleteFor(session: SessionSummary): Promise<void> {
    const gone = await this.conversations.delete(session.sessionId);
    if (gone && session.sessionId === this.store.state.sessionId) this.open(undefined);
    await this.refreshList();
  }

  private readonly refreshList = (): Promise<void> => this.conversations.refresh(() => this.session.needs !== undefined);

  private async loadEarlier(): Promise<void> {
    this.loading = true;
    try {
      await this.session.loadEarlier();
    } catch (error) {
      this.session.say((error as Error).message);
    } finally {
      this.loading = false;
    }
  }

  private dismiss(id: string): void {
    if (id === "banner" && this.store.state.reasoner) dismissBanner(this.store.state.reasoner);
    else this.store.update((state) => dismiss(state, id));
    this.requestUpdate();
  }

  private closeOverlay(event: Event): void {
    const from = (event.composedPath()[0] as HTMLElement).localName;
    if (from === "sb-sessions") this.close("left");
    else if (from === "sb-context") this.close("right");
    else {
      this.openVariable = undefined;
      this.deleting = undefined;
      this.about = false;
    }
  }

  private closeDrawers(): void {
    if (this.leftOpen) this.close("left");
    if (this.rightOpen) this.close("right");
  }

  /** Closes a side; on a narrow screen the keyboard goes back to what opened it. */
  private close(side: "left" | "right"): void {
    if (side === "left") this.leftOpen = false;
    else this.rightOpen = false;
    if (this.narrow) void this.updateComplete.then(() => this.topbar?.focusToggle(side));
  }

  private pressed(event: KeyboardEvent): void {
    const inDialog = event.composedPath().some((node) => node instanceof HTMLDialogElement);
    if (event.key === "Escape" && this.narrow && !inDialog && !event.defaultPrevented) this.closeDrawers();
  }

  private toggle(side: "left" | "right"): void {
    if (side === "left") this.leftOpen = !this.leftOpen;
    else this.rightOpen = !this.rightOpen;
    if (side === "left" && this.leftOpen) void this.refreshList();
    this.focusDrawer(side === "left" ? "sb-sessions" : "sb-context", side === "left" ? this.leftOpen : this.rightOpen);
  }

  private focusDrawer(name: string, open: boolean): void {
    if (!open || !this.narrow) return;
    void this.updateComplete.then(() => {
      this.renderRoot.querySelector(name)?.shadowRoot?.querySelector<HTMLElement>("header button")?.focus();
    });
  }

  private readonly measure = (): void => {
    const before = this.narrow;
    this.narrow = this.small.matches;
    this.middling = this.medium.matches;
    this.tiny = this.phone.matches;
    if (this.narrow && !before) {
      this.leftOpen = false;
      this.rightOpen = false;
    }
    if (!this.narrow && before) this.leftOpen = true;
  };
}

function sessionInHash(): string | undefined {
  const id = location.hash.slice(1);
  return UUID.test(id) ? id.toLowerCase() : undefined;
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-app": App;
  }
}
