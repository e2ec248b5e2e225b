//! `<sb-app>`: the page. It owns the store and the session, hands the picture to the components, and alone acts on
//! what they ask for.

import { html, LitElement, nothing } from "lit";
import { customElement, query, state } from "lit/decorators.js";
import { answerQuery, approveTool, callTool } from "../../connection/commands";
import { randomId, Session } from "../../connection/session";
import type { Mode } from "../../protocol/generated";
import { EMPTY, lastOwn } from "../../state/chat";
import { Store } from "../../state/store";
import { listed } from "../../state/variables";
import { NO_VERSIONS } from "../../state/versions";
import { base, buttons } from "../../theme/base";
import { prepareMarkdown } from "../../text/markdown";
import { t } from "../../i18n";
import { eventInHash, sessionInHash } from "./address";
import { Announcer } from "./announcer";
import { attention, damagedNote, goneNote } from "./attention";
import { styles } from "./app.styles";
import { Conversations } from "./conversations";
import { FocusKeeper, nowhere } from "../focus";
import { bannerDismissed, DismissedNotices, dismissBanner } from "./kept";
import { Jump } from "./jump";
import { Overlays } from "./overlays";
import { paletteItems } from "./palette-items";
import { Replaying } from "./replaying";
import { Screen } from "./screen";
import { pressed } from "./shortcuts";
import { Sides } from "./sides";
import { Tab } from "./tab";
import { Variables } from "./variables";
import { WindowPane } from "./windows";
import type { Approval } from "../approval/approval";
import "../banner/banner";
import "../composer/composer";
import type { Composer } from "../composer/composer";
import "../context/context";
import "../conversation/conversation";
import type { Conversation } from "../conversation/conversation";
import { ask, type FoundWords } from "../events";
import type { Query } from "../query/query";
import "../status/status";
import "../toasts/toasts";
import "../topbar/topbar";
import type { Topbar } from "../topbar/topbar";
import "../welcome/welcome";

@customElement("sb-app")
export class App extends LitElement {
  static override styles = [base, buttons, styles];
  /** The approval that the user put aside on a small screen. */
  @state() private aside?: string;
  @state() private loading = false;
  @query("sb-composer") private composer?: Composer;
  @query("sb-topbar") private topbar?: Topbar;
  @query("sb-conversation") private conversation?: Conversation;

  private readonly store = new Store();
  private readonly dismissed = new DismissedNotices(this.store);
  private readonly announcer = new Announcer();
  private readonly tab = new Tab();
  private readonly conversations = new Conversations(this, {
    say: (message, level) => this.session.say(message, level),
    quiet: () => this.session.needs !== undefined,
    current: () => this.current,
    blank: () => this.current === this.store.state.sessionId && this.store.state.lastSeq === 0 && this.session.outbox.all.length === 0,
    open: (sessionId, at) => this.open(sessionId, at),
  });
  private readonly jump = new Jump({
    earlier: () => this.loadEarlier(500),
    show: (place, at) => {
      if (!at.from) this.announcer.say(t.finding.shown);
      this.requestUpdate();
      void this.updateComplete.then(() => this.conversation?.reveal(place, at));
    },
    missed: () => this.session.say(t.finding.missed, "info"),
  });
  private readonly replaying = new Replaying(this, {
    now: () => this.store.state,
    open: (sessionId) => this.open(sessionId),
    earlier: (count) => this.loadEarlier(count),
    fork: (seq) => this.say(`/fork ${seq}`, "queue"),
    failed: () => this.session.say(t.connection.checkServer),
    moved: () => this.conversation?.settle(),
    rest: () => this.rest(),
  });
  private readonly overlays = new Overlays(this, () => this.session.say(t.connection.checkServer));
  private readonly variables = new Variables(this, {
    shown: () => this.replaying.shown(this.store.state),
    send: (frame) => this.session.command(frame),
    say: (words) => this.session.say(words, "info"),
    overlays: this.overlays,
  });
  private readonly keeper = new FocusKeeper(this, () => this.rest());
  private readonly screen = new Screen(this, (narrow) => this.sides.set(narrow ? { left: false, right: false } : { left: true }));
  private readonly sides = new Sides(this, this.screen, (side) => this.topbar?.focusToggle(side));
  private readonly windows = new WindowPane(this, {
    narrow: () => this.screen.narrow,
    store: this.store,
    send: (frame) => this.session.command(frame),
    shown: () => this.screen.wide || this.replaying.active || this.sides.set({ right: false, ...(this.screen.narrow && { left: false }) }),
    ask: (title, discard) => void this.overlays.lay({ kind: "unsaved", title, discard }),
  });
  private session!: Session;
  private wasOpen = false;
  /** What the address names, unless another has just been chosen that is not heard of yet. */
  private named?: string;
  /** The server tells what changes in the list. */
  private hears = false;
  private attended?: string;

  constructor() {
    super();
    this.addEventListener("sb-send", ({ detail }) => this.say(detail.text, detail.mode, detail.attachments));
    this.addEventListener("sb-try", ({ detail }) => this.say(`/try ${detail.tool} ${detail.text}`, detail.mode));
    this.addEventListener("sb-suggest", ({ detail }) => this.write(detail.text));
    this.addEventListener("sb-again", ({ detail }) => this.say(`/rerun ${detail.messageId} ${detail.text}`, "queue"));
    this.addEventListener("sb-edit", ({ detail }) => this.composer?.edit(detail));
    this.addEventListener("sb-cancel", (event) => this.session.cancel(event.detail.messageId));
    this.addEventListener("sb-retry", (event) => this.session.retry(event.detail.messageId));
    this.addEventListener("sb-forget", (event) => this.session.forget(event.detail.messageId));
    this.addEventListener("sb-approve", (event) => {
      const { callId, decision, edited, reason } = event.detail;
      this.session.command(approveTool(callId, decision, edited, reason));
      this.rest();
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
      this.rest();
    });
    this.addEventListener("sb-open-session", ({ detail }) => this.open(detail.sessionId, detail.at));
    this.addEventListener("sb-load-earlier", () => void this.loadEarlier());
    this.addEventListener("sb-drawn", () => void this.session.fill());
    this.addEventListener("sb-to-start", () => this.open(this.store.state.sessionId, { seq: 1, words: [] }));
    this.addEventListener("sb-dismiss", (event) => this.dismiss(event.detail.id));
    this.addEventListener("sb-close", (event) => this.closeOverlay(event));
    this.addEventListener("sb-toggle", (event) => this.sides.toggle(event.detail.side));
    this.addEventListener("sb-edit-last", () => this.editLast());
    for (const type of ["sb-logged-in", "sb-reconnect"] as const) this.addEventListener(type, () => this.session.reconnect());
    // Keys are the page's wherever the keyboard is, also when it is nowhere.
    document.addEventListener("keydown", (event) => this.key(event));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.sides.set({ left: !this.screen.narrow, right: !this.screen.narrow && !this.screen.middling });
    window.addEventListener("hashchange", this.hashChanged);
    this.store.subscribe(() => this.changed());
    this.hashChanged(undefined);
    void this.updateComplete.then(() => this.rest());
    // Where the browser does not know it, the first reply takes longer.
    window.requestIdleCallback?.(prepareMarkdown);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener("hashchange", this.hashChanged);
    this.session.close();
  }

  override render() {
    const { state: now } = this.store;
    const past = this.replaying.active;
    this.toggleAttribute("past", past);
    this.toggleAttribute("shelved", !past && this.windows.shelved(now));
    const chat = this.replaying.shown(now);
    const online = this.session.standing.kind === "open";
    const variables = listed(chat.variables);
    const banner = chat.reasoner?.about && !bannerDismissed(chat.reasoner) ? html`<sb-banner .reasoner=${chat.reasoner}></sb-banner>` : nothing;
    const fresh = !past && chat.timeline.length === 0 && this.session.outbox.all.length === 0 && chat.firstSeq <= 1 && !this.store.behind;
    return html`
      <button class="skip" @click=${() => (past ? this.replaying.focus() : this.composer?.focus())}>${t.keys.skip}</button>
      ${this.sides.over ? html`<button class="scrim" aria-label=${t.dialogs.close} tabindex="-1" @click=${() => this.sides.closeAll()}></button>` : nothing}
      ${this.conversations.list(chat, { current: this.current, shown: this.sides.left, drawer: this.screen.narrow })}
      <main ?inert=${this.sides.over || (!past && this.windows.covers(now))}>
        <sb-topbar ?inert=${this.covered} .chat=${chat} ?left=${this.sides.left} ?right=${this.sides.right}></sb-topbar>
        <sb-status .standing=${this.session.standing} .needs=${this.session.needs} ?known=${this.wasOpen}></sb-status>
        ${fresh && chat.sessionId
          ? html`<sb-welcome .session=${chat.sessionId}>${banner}</sb-welcome>`
          : html`<sb-conversation ?inert=${this.covered} .chat=${chat} .outgoing=${past ? [] : this.session.outbox.all} .versions=${past ? NO_VERSIONS : this.conversations.branches.known} ?loading=${this.loading} ?online=${online} ?behind=${this.store.behind}>${banner}</sb-conversation>`}
        <div class="dock">
          ${this.attention(online)} ${this.replaying.view(online, this.covered)}
          <sb-composer ?inert=${this.covered} ?hidden=${past} .session=${chat.sessionId ?? ""} ?busy=${chat.busy !== undefined} .variables=${variables} ?disabled=${past || this.session.needs !== undefined || chat.damagedFrom !== undefined}></sb-composer>
        </div>
      </main>
      ${this.windows.view(now)}
      <sb-context role="complementary" aria-label=${t.page.variables} class=${this.screen.narrow ? "drawer" : ""} ?hidden=${!this.sides.right} .session=${chat.sessionId ?? ""} .variables=${variables} ?online=${online && !past}></sb-context>
      <sb-toasts role="region" aria-label=${t.page.notifications} .notices=${now.notices} .room=${this.covered ? "none" : now.approvals.length + now.queries.length > 0 ? "above" : "below"}></sb-toasts>
      ${this.conversations.undoing()}
      ${this.session.needs === "login" ? html`<sb-login></sb-login>` : this.overlays.view(chat, { online: online && !past, at: this.replaying.seq })} ${this.announcer.template}
    `;
  }

  private attention(online: boolean) {
    const { standing, needs } = this.session;
    const { damagedFrom } = this.store.state;
    if (damagedFrom !== undefined) return damagedNote(damagedFrom, () => this.session.send("/fork", "queue"));
    if (needs === "gone") return goneNote(standing.kind === "stopped" ? standing.why : "", () => this.open(undefined));
    return attention(this.store.state, { online, sheet: this.covered, tiny: this.screen.tiny, loaded: () => this.changed(), typed: () => this.rest() });
  }

  /** An approval lies over all else. */
  private get covered(): boolean {
    const [approval] = this.store.state.approvals;
    return this.screen.tiny && approval !== undefined && approval.callId !== this.aside;
  }

  /** The conversation that is open, also while it is still on its way. */
  private get current(): string | undefined {
    return this.store.state.sessionId ?? sessionInHash();
  }

  private begin(sessionId: string | undefined): void {
    this.session?.close();
    this.windows.saves.leave();
    if (sessionId !== undefined) this.conversations.opened(sessionId);
    this.wasOpen = false;
    this.named = sessionId;
    this.overlays.close();
    this.replaying.leave();
    this.announcer.reset();
    this.composer?.leave();
    this.store.update(() => EMPTY);
    this.session = new Session(this.store, sessionId, () => this.changed());
    // The frame that says so is still being taken in.
    this.session.made = (made) => queueMicrotask(() => this.open(made));
    this.session.refused = (words) => this.windows.saves.refused(words);
    this.session.listed = (news) => this.conversations.hear(news);
    this.hears = false;
    this.requestUpdate();
  }

  private changed(): void {
    // What is about to come is told as a whole.
    if (this.store.behind) return;
    this.requestUpdate();
    if (!this.session) return;
    const { state: chat } = this.store;
    if (this.session.standing.kind === "open") this.wasOpen = true;
    for (const each of [this.dismissed, this.announcer, this.windows, this.jump, this.tab, this.variables]) each.hear(chat);
    if (this.session.needs === "login") void import("../login/login");
    if (this.session.needs) this.replaying.leave();
    else this.replaying.hear(chat);
    const kept = chat.lastSeq > 0 || this.session.outbox.all.length > 0;
    if (chat.sessionId && kept && this.named !== chat.sessionId && sessionInHash() === this.named) {
      this.named = chat.sessionId;
      history.replaceState(null, "", `#${chat.sessionId}`);
    }
    // What changed while nothing was heard is read; all else is told.
    const open = this.session.standing.kind === "open";
    if (open && !this.hears) {
      void this.conversations.refresh();
      this.windows.saves.again();
    }
    this.hears = open;
    void this.updateComplete.then(() => {
      this.attend();
      this.keeper.soon();
    });
  }

  /** A card that has just come gets the keyboard, unless the user is in the middle of something. */
  private attend(): void {
    const card = this.renderRoot.querySelector<Approval | Query>("sb-approval, sb-query");
    if (card?.key === this.attended) return;
    this.attended = card?.key;
    if (this.covered) this.sides.set({ left: false, right: false });
    if (card && (this.covered || this.idle())) void card.updateComplete.then(() => card.focus());
  }

  private idle(): boolean {
    if (nowhere()) return true;
    return (this.renderRoot as ShadowRoot).activeElement === this.composer && this.composer !== undefined && this.composer.empty;
  }

  /** Where the keyboard is when nothing else has it: in the field, unless that brings up a keyboard of glass. */
  private rest(): void {
    if (this.overlays.kind || this.covered) return;
    if (this.replaying.active) return void this.replaying.focus();
    if (matchMedia("(pointer: coarse)").matches) this.conversation?.focus();
    else this.composer?.focus();
  }

  /** Everything that can be done now; what comes while it is open can be found too. */
  private readonly paletteItems = () => {
    const { state: chat } = this.store;
    const actions = {
      new: () => this.open(undefined),
      settings: () => void this.overlays.lay({ kind: "settings" }),
      keys: () => void this.overlays.lay({ kind: "help" }),
      conversations: () => this.sides.toggle("left"),
      variables: () => this.sides.toggle("right"),
      start: chat.firstSeq > 1 ? () => ask(this, "sb-to-start", {}) : undefined,
      replay: chat.sessionId && chat.lastSeq > 0 ? () => ask(this, "sb-replay", { sessionId: chat.sessionId ?? "" }) : undefined,
      export: chat.sessionId && chat.lastSeq > 0 ? () => this.topbar?.export() : undefined,
      stop: chat.busy ? () => this.session.cancel() : undefined,
      import: () => ask(this, "sb-import", {}),
      model: () => void this.overlays.lay({ kind: "settings", part: "models" }),
    };
    const choices = {
      open: (sessionId: string) => this.open(sessionId),
      write: (text: string) => this.write(text),
      show: (name: string) => this.variables.show(name),
    };
    return paletteItems(actions, choices, this.replaying.shown(chat), this.conversations.all);
  };

  /** Puts a text into the message field. */
  private write(text: string): void {
    this.replaying.end();
    this.composer?.fill(text);
  }

  /** Takes up the last message that can be edited. */
  private editLast(): void {
    const message = lastOwn(this.store.state.timeline);
    if (message) this.composer?.edit(message);
  }

  private key(event: KeyboardEvent): void {
    pressed(event, {
      palette: () => (this.overlays.kind === "palette" ? this.overlays.close() : this.session.needs === "login" ? undefined : void this.overlays.lay({ kind: "palette", items: this.paletteItems, gone: () => this.conversations.gone })),
      help: () => void this.overlays.lay({ kind: "help" }),
      undo: () => this.conversations.undo(),
      closeSides: () => this.sides.closeAll() || this.replaying.end(),
      stop: () => this.store.state.busy !== undefined && (this.session.cancel(), true),
    });
  }

  private say(text: string, mode: Mode, attachments?: readonly string[]): void {
    // Whoever goes on from a place wants to come back to the end.
    if (eventInHash() !== undefined) history.replaceState(null, "", `#${sessionInHash()}`);
    this.replaying.end();
    this.session.send(text, mode, attachments);
    this.conversation?.toEnd();
    if (!matchMedia("(pointer: coarse)").matches) this.composer?.focus();
  }

  private open(sessionId: string | undefined, at?: FoundWords): void {
    if (this.screen.narrow) this.sides.set({ left: false });
    this.jump.to(sessionId, at);
    this.replaying.end();
    if (sessionId !== undefined && sessionId === this.store.state.sessionId) return this.jump.hear(this.store.state);
    history.pushState(null, "", sessionId ? `#${sessionId}${at ? `@${at.seq}` : ""}` : location.pathname + location.search);
    this.begin(sessionId);
    // Whoever goes through what was found stays there.
    if (!at) void this.updateComplete.then(() => this.composer?.focus());
  }

  /** Without an event, it is the beginning. */
  private readonly hashChanged = (event: Event | undefined): void => {
    const [id, seq] = [sessionInHash(), eventInHash()];
    this.jump.to(id, seq === undefined ? undefined : { seq, words: [] });
    this.replaying.end();
    if (!event || id !== this.store.state.sessionId) this.begin(id);
    else this.jump.hear(this.store.state);
  };

  private async loadEarlier(count?: number): Promise<boolean> {
    this.loading = true;
    try {
      await this.session.loadEarlier(count);
      return true;
    } catch (error) {
      this.session.say((error as Error).message);
      return false;
    } finally {
      this.loading = false;
    }
  }

  private dismiss(id: string): void {
    if (id === "banner" && this.store.state.reasoner) dismissBanner(this.store.state.reasoner);
    else this.dismissed.add(id);
    this.requestUpdate();
  }

  private closeOverlay(event: Event): void {
    const from = (event.composedPath()[0] as HTMLElement).localName;
    if (from === "sb-sessions") this.sides.close("left");
    else if (from === "sb-context") this.sides.close("right");
    else this.overlays.close();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-app": App;
  }
}
