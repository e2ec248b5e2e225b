//! `<sb-turn>`: what the user wrote, what was done about it, and the reply with what stands under it.

import { html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Attachment, Busy, Mode, ServerFrameOf } from "../../protocol/generated";
import { callsOf, standing, type Call, type Message, type Shown, type Turn } from "../../state/chat";
import { NO_VERSIONS, type Version, type Versions } from "../../state/versions";
import { base, buttons } from "../../theme/base";
import { visible, visibleLine } from "../../text/visible";
import { copyText } from "../../text/copy";
import { size } from "../../text/format";
import { piecesOf } from "../../text/pieces";
import { changesOf } from "../diff/diff";
import { t } from "../../i18n";
import { fill, fillWith } from "../../i18n/fill";
import { endedCalmly, refusedTurn, type RefusedTurn } from "../../state/refusal";
import { chart, chartOf } from "../chart/chart";
import { factsOf } from "../../viewers/registry";
import { ask } from "../events";
import { againIcon, backIcon, changedIcon, checkIcon, chevronIcon, copyIcon, penIcon, storedIcon, toolIcon } from "../icons";
import "../markdown/markdown";
import { pictures } from "../pictures/given";
import "../timeline/timeline";
import { styles } from "./turn.styles";

/** How many calls one undo takes. */
const UNDONE_AT_ONCE = 20;

const WAITS: Record<Mode, string> = t.work.waits;

@customElement("sb-turn")
export class TurnElement extends LitElement {
  static override styles = [base, buttons, styles];

  @property({ attribute: false }) turn!: Turn;
  /** The session, for what is fetched from it. */
  @property() session = "";
  /** The running turn of the session, whichever it is. */
  @property({ attribute: false }) busy?: Busy;
  /** The versions of messages that were edited or sent again. */
  @property({ attribute: false }) versions: Versions = NO_VERSIONS;
  @state() private copied = false;

  /** A turn is drawn when its texts are; before that, its height is not the last. */
  protected override async getUpdateComplete(): Promise<boolean> {
    const done = await super.getUpdateComplete();
    await Promise.all([...this.renderRoot.querySelectorAll("sb-markdown")].map(({ updateComplete }) => updateComplete));
    return done;
  }

  override render() {
    const { turn, busy } = this;
    const stands = standing(turn, busy);
    const running = stands === "running" ? busy : undefined;
    return html`${turn.messages.map((message) => this.message(message, stands === "waiting" && busy !== undefined))}
      ${turn.steps.length > 0 || running ? html`<sb-timeline .turn=${turn} .busy=${running} .session=${this.session}></sb-timeline>` : nothing}
      ${turn.steps.map((step) => (step.kind === "shown" ? shown(step) : step.kind === "call" ? this.gave(step) : nothing))}
      ${turn.draft ? html`<sb-markdown live .text=${turn.draft.text}></sb-markdown>` : nothing}
      ${!turn.draft && stands === "waiting" && busy === undefined ? dots : nothing}
      ${turn.end?.type === "agent-response" ? this.reply(turn.end) : nothing}
      ${turn.end?.type === "agent-error" ? this.failure(turn.end) : nothing}`;
  }

  /** What is seen of a call in the reply; what a specialist's calls gave is in its card. */
  private gave(call: Call) {
    return html`${chart(call, this.session)}${call.parent === undefined ? pictures(call, this.session) : nothing}`;
  }

  /** Where one of the user's messages stands, or the reply. */
  partOf(part: number | "reply"): HTMLElement {
    const [selector, at] = part === "reply" ? [".reply, .failure", 0] : [".bubble", part];
    return this.renderRoot.querySelectorAll<HTMLElement>(selector)[at] ?? this;
  }

  /** Puts the keyboard on the way to the next version of a message, or to the one before; at the last of them on the way back. */
  focusVersions(part: number, step: -1 | 1): void {
    const [back, on] = this.renderRoot.querySelectorAll(".message")[part]?.querySelectorAll<HTMLButtonElement>(".versions button") ?? [];
    const [wanted, other] = step < 0 ? [back, on] : [on, back];
    (wanted?.disabled ? other : wanted)?.focus({ preventScroll: true });
  }

  private message(message: Message, waits: boolean) {
    const { turn } = this;
    const steered = message.id !== turn.id;
    const versions = this.versions.get(message.id);
    const edits = turn.end && !message.prompt && !steered;
    return html`<div class="message">
      <div class="bubble ${message.text.length > 1500 ? "long" : ""}" tabindex=${message.text.length > 1500 ? 0 : nothing}
        ><span class="hidden-text">${t.work.you}</span>${visible(message.text.replace(/\r\n?/g, "\n"))}</div>
      ${message.attachments ? attachments(message.attachments) : nothing}
      ${waits
        ? html`<div class="aside">
            <span>${WAITS[message.mode]}</span>
            <button class="link-button acts" @click=${() => ask(this, "sb-cancel", { messageId: message.id })}>${t.work.remove}</button>
          </div>`
        : nothing}
      ${edits || versions
        ? html`<div class="aside own acts">
            ${edits
              ? html`<button
                  class="icon-button"
                  aria-label=${t.work.edit}
                  title=${t.work.editHint}
                  @click=${() => ask(this, "sb-edit", message)}
                >${penIcon}</button>`
              : nothing}
            ${versions ? this.pager(message, versions) : nothing}
          </div>`
        : nothing}
      ${message.prompt ? html`<div class="aside">${fill(t.work.byPrompt, { prompt: visibleLine(message.prompt, 64) })}</div>` : nothing}
      ${message.tool ? html`<div class="aside"><span>${fillWith(t.work.withTool, { tool: html`<code>${visibleLine(message.tool, 64)}</code>` })}</span></div>` : nothing}
      ${steered ? html`<div class="aside">${t.work.steered}</div>` : nothing}
    </div>`;
  }

  /** Which version of the message this is, and the way to the others. */
  private pager({ id }: Message, versions: readonly Version[]) {
    const at = versions.findIndex(({ messageId }) => messageId === id);
    const way = (step: -1 | 1, words: string, icon: TemplateResult) =>
      html`<button class="icon-button" aria-label=${words} title=${words} ?disabled=${!versions[at + step]} @click=${(event: Event) => this.step(event, step, versions[at + step])}>${icon}</button>`;
    const count = { n: at + 1, of: versions.length };
    return html`<div class="versions" role="group" aria-label=${fill(t.work.version, count)}>
      ${way(-1, t.work.versionBefore, backIcon)}<span aria-hidden="true">${count.n}/${count.of}</span>${way(1, t.work.versionAfter, chevronIcon)}
    </div>`;
  }

  private step({ currentTarget }: Event, step: -1 | 1, version: Version | undefined): void {
    const bubble = (currentTarget as HTMLElement).closest(".message")?.querySelector(".bubble");
    if (!version || !bubble) return;
    const view = this.closest(".scroll")?.getBoundingClientRect().top ?? 0;
    const below = bubble.getBoundingClientRect().top - view;
    ask(this, "sb-branch", { sessionId: version.sessionId, seq: version.seq, step, below });
  }

  private reply(frame: ServerFrameOf<"agent-response">) {
    return html`<sb-markdown class="reply" ?drawn=${callsOf(this.turn).some((call) => chartOf(call) !== undefined)} .text=${frame.text}></sb-markdown>
      <div class="foot">
        ${frame.toolsUsed.length > 0
          ? html`<p class="tools-used">${toolIcon} ${fillWith(t.work.used, { tools: html`<span class="name">${frame.toolsUsed.map((tool) => visibleLine(tool, 64)).join(", ")}</span>` })}</p>`
          : nothing}
        ${frame.contextUpdated.length > 0
          ? html`<p class="stored">${storedIcon} ${fillWith(t.work.stored, {
              names: frame.contextUpdated.map(
                (name, at) => html`${at > 0 ? " " : ""}<button class="chip" @click=${() => ask(this, "sb-open-variable", { name })}>${visibleLine(name, 64)}</button>`,
              ),
            })}</p>`
          : nothing}
        ${this.changes()}
        ${frame.usage ? html`<p>${fill(t.work.tokens, { sum: frame.usage.inputTokens + frame.usage.outputTokens, input: frame.usage.inputTokens, output: frame.usage.outputTokens })}</p>` : nothing}
        ${frame.reasoning
          ? html`<details class="why"><summary>${t.work.reasoning}</summary><p class="reasoning">${visible(frame.reasoning)}</p></details>`
          : nothing}
        ${this.ways(frame)}
      </div>`;
  }

  /** Copy the reply as it was written, or have it written once more. */
  private ways(frame: ServerFrameOf<"agent-response">) {
    const [first] = this.turn.messages;
    const again = first && first.id === this.turn.id && !first.prompt ? first : undefined;
    return html`<p class="ways">
      <button class="icon-button" aria-label=${this.copied ? t.reply.copied : t.reply.copyReply} title=${this.copied ? t.reply.copied : t.reply.copyReply} @click=${() => void this.copy(frame.text)}>
        ${this.copied ? checkIcon : copyIcon}
      </button>
      ${again
        ? html`<button class="icon-button acts" aria-label=${t.reply.again} title=${t.reply.againHint} @click=${() => ask(this, "sb-again", { messageId: again.id, text: again.text })}>${againIcon}</button>`
        : nothing}
    </p>`;
  }

  private async copy(text: string): Promise<void> {
    this.copied = await copyText(text);
    setTimeout(() => (this.copied = false), 2000);
  }

  /** What to do next; a request in it can be taken over. */
  private suggestion(line: string) {
    return html`<li>
      ${piecesOf(line, () => false).map(({ kind, text }) =>
        kind === "request" ? html`<button class="link-button" @click=${() => ask(this, "sb-suggest", { text })}>${visible(text)}</button>` : visible(text),
      )}
    </li>`;
  }

  /** What was not allowed did not fail: who did not allow it, and what to do now. */
  private refusal(refused: RefusedTurn) {
    const { by, words, call, done } = refused;
    const tool = html`<code>${visibleLine(call.tool, 64)}</code>`;
    const tools = [...new Set(done.map((each) => visibleLine(each.tool, 64)))].join(", ");
    return html`<div class="failure calm refusal">
        <p>${fillWith(t.asking.refused[by], { tool })}</p>
        ${words ? html`<p class="muted">${by === "user" ? fill(t.asking.refused.reason, { words: visible(words) }) : visible(words)}</p>` : nothing}
        ${tools ? html`<p class="muted">${fill(t.asking.refused.done, { tools })}</p>` : nothing}
        <p class="muted">${by === "rule" ? t.asking.refused.rules : t.asking.refused.untouched}</p>
      </div>
      <div class="foot">${this.changes()}</div>`;
  }

  private failure(frame: ServerFrameOf<"agent-error">) {
    const refused = refusedTurn(this.turn);
    if (refused) return this.refusal(refused);
    const calm = endedCalmly(frame);
    // What the words say already is not said again.
    const next = frame.suggestions.filter((line) => !frame.text.includes(line));
    return html`<div class="failure ${calm ? "calm" : ""}">
        <sb-markdown .text=${frame.text}></sb-markdown>
        ${next.length > 0 ? html`<ul>${next.map((line) => this.suggestion(line))}</ul>` : nothing}
      </div>
      <div class="foot">
        ${frame.attemptedTools.length > 0
          ? html`<p class="tools-used">${toolIcon} ${fillWith(t.work.tried, { tools: html`<span class="name">${frame.attemptedTools.map((tool) => visibleLine(tool, 64)).join(", ")}</span>` })}</p>`
          : nothing}
        ${this.changes()}
        ${frame.error && !frame.text.includes(frame.error) && !calm
          ? html`<details class="why"><summary>${t.work.exact}</summary><p class="reasoning">${visible(frame.error)}</p></details>`
          : nothing}
      </div>`;
  }

  /** What the turn changed in files, and a way to put all of it back. */
  private changes() {
    // A command that failed may have changed files all the same.
    const ended = (status: string) => status === "done" || status === "failed";
    const changed = callsOf(this.turn).filter(({ status, result }) => ended(status) && result?.undoable);
    if (changed.length === 0) return nothing;
    const there = changed.filter(({ undoneBy }) => undoneBy === undefined).slice(-UNDONE_AT_ONCE);
    if (there.length === 0) return html`<p class="changed">${t.work.undone}</p>`;
    const counts = there.map(({ result }) => changesOf(result?.diff ?? ""));
    const [added, removed] = [counts.reduce((sum, { added }) => sum + added, 0), counts.reduce((sum, { removed }) => sum + removed, 0)];
    const lines = added + removed > 0 ? html` <span class="name"><span class="hidden-text">${t.work.lines}</span>+${added} −${removed}</span>` : nothing;
    return html`<p class="changed">
      ${changedIcon} ${t.work.changedFiles}${lines}
      <button class="link-button acts" @click=${() => ask(this, "sb-undo", { callIds: there.map(({ id }) => id) })}>${t.work.undo}</button>
    </p>`;
  }
}

const dots = html`<div class="dots" role="img" aria-label=${t.work.busy}><i></i><i></i><i></i></div>`;

/** What belongs to a message; each opens in a window as it was then. */
function attachments(all: readonly Attachment[]) {
  return html`<ul class="attachments" aria-label=${t.work.attached}>
    ${all.map(({ name, version, bytes }) => {
      const open = (event: Event) => ask(event.currentTarget as HTMLElement, "sb-show", { handle: `var:${name}@${version}` });
      return html`<li><button class="chip acts" aria-label=${fill(t.windows.open, { title: name })} title=${size(bytes)} @click=${open}>${visibleLine(name, 64)}</button></li>`;
    })}
  </ul>`;
}

/** What the agent showed: its card opens the window again. */
function shown({ window }: Shown) {
  const { windowId, title, resource, viewerType } = window;
  const name = visibleLine(title, 160);
  const open = (event: Event) => ask(event.currentTarget as HTMLElement, "sb-open-window", { windowId, handle: resource.handle, viewer: viewerType });
  return html`<div class="shown">
    <strong>${name}</strong>
    <span class="muted">${factsOf(window)}</span>
    <button class="button acts" aria-label=${fill(t.windows.open, { title: name })} @click=${open}>${t.work.open}</button>
  </div>`;
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-turn": TurnElement;
  }
}
