//! `<sb-tool-call>`: one run of a tool, with its arguments, its live output and its result. Of the output only the
//! newest part is put into the page, however much there is.

import { html, LitElement, nothing, type PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import type { Call } from "../../state/chat";
import { base, buttons, code } from "../../theme/base";
import { duration } from "../../text/format";
import { visible, visibleLine, visibleOutput } from "../../text/visible";
import "../arguments/arguments";
import { changesOf } from "../diff/diff";
import { t } from "../../i18n";
import { fill, fillWith } from "../../i18n/fill";
import { refusalOf, wasStopped } from "../../state/refusal";
import { ask } from "../events";
import { checkIcon, chevronIcon, crossIcon, stopIcon, waitIcon } from "../icons";
import { pictures } from "../pictures/given";
import { styles } from "./tool-call.styles";

/** How many characters of output stand in the page. */
export const SHOWN_OUTPUT = 16 * 1024;

const DECISIONS = t.work.decisions;

@customElement("sb-tool-call")
export class ToolCall extends LitElement {
  static override styles = [base, buttons, code, styles];

  @property({ attribute: false }) call!: Call;
  /** The session, for what is fetched from it. */
  @property() session = "";
  /** What the user did with the card; until then it is open while there is something to watch. */
  @state() private chosen?: boolean;
  @query(".output") private output?: HTMLElement;
  private follows = true;

  override willUpdate(): void {
    this.toggleAttribute("nested", this.call.parent !== undefined);
    this.follows = !this.output || this.output.scrollTop + this.output.clientHeight > this.output.scrollHeight - 24;
  }

  override updated(changed: PropertyValues<this>): void {
    if (changed.has("call") && this.follows && this.output) this.output.scrollTop = this.output.scrollHeight;
  }

  override render() {
    const { call } = this;
    const failed = call.status === "failed" && !refusalOf(call) && !wasStopped(call);
    const open = this.chosen ?? (call.status === "running" || failed || call.result?.diff !== undefined);
    return html`<details ?open=${open}>
      <summary @click=${this.toggle}>
        <span class="chevron">${chevronIcon}</span>
        <span class="tool">${visibleLine(call.tool, 64)}</span>
        ${call.result?.diff ? counts(call.result.diff) : nothing}
        <span class="title">${visibleLine(call.title ?? headline(call), 160)}</span>
        ${this.outcome()}
      </summary>
      ${open ? this.body() : nothing}
    </details>`;
  }

  private toggle(event: Event): void {
    event.preventDefault();
    const details = (event.currentTarget as HTMLElement).parentElement as HTMLDetailsElement;
    this.chosen = !details.open;
  }

  private outcome() {
    const { status, result, quiet } = this.call;
    if (status === "done") return html`<span class="outcome done">${checkIcon}<span class="hidden-text">${t.work.doneIn}</span> ${duration(result?.durationMs ?? 0)}</span>`;
    const calm = this.calmOutcome();
    if (calm) return html`<span class="outcome">${stopIcon} ${calm}</span>`;
    if (status === "failed") return html`<span class="outcome failed">${crossIcon} ${this.failure()}</span>`;
    if (status === "asking") return html`<span class="outcome">${waitIcon} ${t.work.waitsForYou}</span>`;
    return html`<span class="outcome"><span class="dot ${quiet ? "" : "moving"}"></span> ${status === "running" ? t.work.running : t.work.starting}</span>`;
  }

  /** In a word or two, how it ended when nothing went wrong. */
  private calmOutcome(): string | undefined {
    if (this.call.status !== "failed") return undefined;
    const refusal = refusalOf(this.call);
    if (refusal) return t.asking.refused.short[refusal.by];
    return wasStopped(this.call) ? t.asking.stopped : undefined;
  }

  private failure(): string {
    const { result } = this.call;
    if (!result) return t.asking.stopped;
    return result.started ? fill(t.work.failedAfter, { time: duration(result.durationMs) }) : t.work.notRun;
  }

  private body() {
    const { call } = this;
    return html`<div class="body">
      <div><p class="part">${t.work.arguments}</p><sb-arguments .values=${call.arguments} .references=${call.references}></sb-arguments></div>
      ${this.liveOutput()} ${this.result()} ${this.undo()} ${this.facts()}
    </div>`;
  }

  private liveOutput() {
    const { output, status, result } = this.call;
    const progress = output.progress && !result ? html`<p class="progress">${visibleLine(output.progress, 300)}</p>` : nothing;
    if (output.pieces.length === 0) return progress;
    return html`<div>
        <p class="part">${status === "running" ? t.work.outputSoFar : t.work.output}${output.cut || output.length > SHOWN_OUTPUT ? ` ${t.work.newest}` : ""}</p>
        <pre class="output" tabindex="0" role="group" aria-label=${fill(t.work.outputOf, { tool: visibleLine(this.call.tool, 64) })}>${newest(output.pieces).map(
          (piece) => html`<span class=${piece.stream}>${visibleOutput(piece.text)}</span>`,
        )}</pre>
      </div>
      ${progress}`;
  }

  private result() {
    const { result, status, output } = this.call;
    if (!result) return nothing;
    const preview = result.preview.join("\n");
    const told = (output.pieces.length > 0 && status === "done") || result.diff !== undefined;
    if (this.calmOutcome() !== undefined) return this.refused();
    return html`${result.error ? html`<p class="error">${visible(result.error)}</p>` : nothing}
      ${preview && !result.error && !told
        ? html`<div><p class="part">${t.work.result}</p><pre class="output" tabindex="0" role="group" aria-label=${t.work.result}>${visibleOutput(preview)}</pre></div>`
        : nothing}
      ${pictures(this.call, this.session)}
      ${result.diff ? html`<div><p class="part">${t.work.whatChanged}</p><sb-diff .text=${result.diff}></sb-diff></div>` : nothing}`;
  }

  /** What is said of an error is meant for the model; the user knows who did not allow it, and why. */
  private refused() {
    const { by, words } = refusalOf(this.call) ?? {};
    if (!by || !words) return nothing;
    return html`<p class="facts">${by === "user" ? fill(t.asking.refused.reason, { words: visible(words) }) : visible(words)}</p>`;
  }

  /** For a change that is still there: a way to put it back. */
  private undo() {
    const { id, result, undoneBy } = this.call;
    if (!result?.undoable) return nothing;
    if (undoneBy !== undefined) return html`<p class="facts">${t.work.undone}</p>`;
    return html`<div><button class="button acts" @click=${() => ask(this, "sb-undo", { callIds: [id] })}>${t.work.undo}</button></div>`;
  }

  private facts() {
    const { approval, result } = this.call;
    const variable = result?.outputVariable;
    const decided = approval?.decision && `${DECISIONS[approval.decision] ?? approval.decision}${approval.by ? ` (${visibleLine(approval.by, 60)})` : ""}`;
    const fields = Object.entries(result?.fields ?? {});
    if (!variable && !decided && fields.length === 0) return nothing;
    return html`<p class="facts">
      ${fields.map(([name, value]) => html`<span class="field">${visibleLine(name.replaceAll("_", " "), 64)}: ${visibleLine(String(value), 200)}</span>`)}
      ${variable
        ? fillWith(t.work.storedAs, { name: html`<button class="chip" @click=${() => ask(this, "sb-open-variable", { name: variable })}>@${visibleLine(variable, 64)}</button>` })
        : nothing}
      ${decided ? html`<span>${variable ? "· " : ""}${fill(t.work.permission, { decision: decided })}</span>` : nothing}
    </p>`;
  }
}

/** How much a diff adds and takes out. */
function counts(diff: string) {
  const { added, removed } = changesOf(diff);
  return html`<span class="counts"><span class="hidden-text">${t.work.lines}</span>+${added} −${removed}</span>`;
}

/** The argument that says most in one line. */
function headline(call: Call): string {
  const values = Object.values(call.arguments);
  const first = values.find((value) => typeof value === "string" || typeof value === "number");
  return first === undefined ? "" : String(first);
}

function newest(pieces: Call["output"]["pieces"]): { stream: string; text: string }[] {
  const shown: { stream: string; text: string }[] = [];
  let room = SHOWN_OUTPUT;
  for (let at = pieces.length - 1; at >= 0 && room > 0; at -= 1) {
    const piece = pieces[at];
    if (!piece) break;
    shown.unshift({ stream: piece.stream, text: piece.text.slice(-room) });
    room -= piece.text.length;
  }
  return shown;
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-tool-call": ToolCall;
  }
}
