//! `<sb-timeline>`: the steps of one turn, folded to one line when it is over. A turn without tools folds to
//! nothing; while it runs there is always a line that says where it is.

import { html, LitElement, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import type { Busy } from "../../protocol/generated";
import { type Asked, callsOf, type StepItem, type Thought, type Turn } from "../../state/chat";
import { base, buttons, code } from "../../theme/base";
import { count, duration } from "../../text/format";
import { visible, visibleLine } from "../../text/visible";
import { endedCalmly, refusalOf, refusedTurn, wasStopped } from "../../state/refusal";
import { ask } from "../events";
import { labelOf } from "../query/labels";
import { chevronIcon } from "../icons";
import "../tool-call/tool-call";
import { candidateList, showing } from "./candidates";
import { styles } from "./timeline.styles";

const STAGES: Record<string, string> = t.work.stages;

@customElement("sb-timeline")
export class Timeline extends LitElement {
  static override styles = [base, buttons, code, styles];

  @property({ attribute: false }) turn!: Turn;
  @property({ attribute: false }) busy?: Busy;
  /** The session, for what is fetched from it. */
  @property() session = "";
  /** What the user did with it; until then it is open while the turn runs. */
  @state() private chosen?: boolean;

  override render() {
    const { turn, busy } = this;
    // A choice among tools is worth showing, also when it came to none of them.
    const worked = turn.steps.some((step) => step.kind !== "thought" || step.frame.step === "selecting");
    if (!worked && !busy) return nothing;
    const failed = turn.end?.type === "agent-error" && !endedCalmly(turn.end) && !refusedTurn(turn);
    const open = this.chosen ?? (worked && (busy !== undefined || (failed && !saysIt(turn))));
    const shown = showing(turn.steps);
    return html`<details ?open=${open}>
      <summary @click=${(event: Event) => this.toggle(event, open)}>
        <span class="chevron">${chevronIcon}</span>
        <span>${busy ? now(turn, busy) : summary(turn)}</span>
      </summary>
      ${open
        ? html`<ol class="steps">${repeat(telling(turn.steps), (step) => `${step.kind}-${step.id}`, (step) => this.step(step, shown))}</ol>`
        : nothing}
    </details>`;
  }

  private toggle(event: Event, open: boolean): void {
    event.preventDefault();
    this.chosen = !open;
  }

  private thought(step: Thought, lists: boolean) {
    const { frame } = step;
    const again = request(this.turn) === "" ? undefined : (tool: string) => this.retry(tool);
    return html`<p class="step"><span class="stage">${STAGES[frame.step] ?? frame.step}</span>${visible(frame.message)}</p>
      ${frame.reasoning && frame.reasoning !== frame.message ? html`<p class="why">${visible(frame.reasoning)}</p>` : nothing}
      ${lists ? candidateList(step, again) : nothing}`;
  }

  /** The same request with another tool: instead of this turn while it runs, after all others when it is over. */
  private retry(tool: string): void {
    ask(this, "sb-try", { tool, text: request(this.turn), mode: this.busy ? "interrupt" : "queue" });
  }

  private step(step: StepItem, shown: ReadonlySet<string>) {
    switch (step.kind) {
      case "thought":
        return html`<li>${this.thought(step, shown.has(step.id))}</li>`;
      case "call":
        return html`<li class="call"><sb-tool-call .call=${step} .session=${this.session}></sb-tool-call></li>`;
      case "asked":
        return html`<li><p class="step"><span class="stage">${t.work.question}</span>${visible(step.message)}</p>
          <p class="why">${step.resolved ? answered(step) : t.work.waitsForYou}</p></li>`;
      case "shown":
        return html`<li><p class="step"><span class="stage">${t.work.shown}</span>${visibleLine(step.window.title, 120)}</p></li>`;
    }
  }
}

/** The steps without those that only announce the next one. */
function telling(steps: readonly StepItem[]): StepItem[] {
  return steps.filter((step, at) => {
    const next = steps[at + 1];
    if (step.kind !== "thought" || !next) return true;
    if (next.kind === "call") return step.frame.step !== "executing";
    return next.kind !== "thought" || next.frame.step !== step.frame.step || step.frame.reasoning !== undefined;
  });
}

function now(turn: Turn, busy: Busy): string {
  const call = callsOf(turn).at(-1);
  if (call?.status === "asking") return fill(t.work.mayRun, { tool: visibleLine(call.tool, 64) });
  if (busy.tool) return fill(t.work.runs, { tool: visibleLine(busy.tool, 64) });
  const last = turn.steps.findLast((step) => step.kind === "thought");
  return last ? visibleLine(last.frame.message, 120) : `${STAGES[busy.step] ?? t.work.busy}…`;
}

function summary(turn: Turn): string {
  const calls = callsOf(turn);
  const spent = calls.reduce((sum, call) => sum + (call.result?.durationMs ?? 0), 0);
  const failed = calls.filter((call) => call.status === "failed" && !refusalOf(call) && !wasStopped(call)).length;
  const parts = [count(telling(turn.steps).length, t.work.step)];
  if (calls.length > 0) parts.push(`${count(calls.length, t.work.call)}${failed > 0 ? `, ${fill(t.work.failed, { n: failed })}` : ""}`);
  if (spent > 0) parts.push(duration(spent));
  return parts.join(" · ");
}

function answered({ about, choices, answer }: Asked): string {
  if (answer === undefined) return t.work.dismissed;
  const choice = choices?.find(({ value }) => value === answer);
  const said = choice ? labelOf(about, choice) : typeof answer === "string" ? answer : JSON.stringify(answer);
  return fill(t.work.answered, { answer: visibleLine(said, 300) });
}

/** Whether the end of the turn says already what went wrong in its last call. */
function saysIt(turn: Turn): boolean {
  const error = callsOf(turn).findLast(({ status }) => status === "failed")?.result?.error;
  return error !== undefined && error !== "" && turn.end?.text.includes(error) === true;
}

/** What a turn was asked, all of it. */
function request(turn: Turn): string {
  return turn.messages.map(({ text }) => text).join("\n").trim();
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-timeline": Timeline;
  }
}
