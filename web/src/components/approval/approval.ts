//! `<sb-approval>`: may this tool run? It shows exactly what will run, and can be allowed only when all of that was in
//! view. For its first half second its buttons do nothing, so that a click or key meant for something else cannot allow
//! anything; it never takes Enter by itself. On a small screen it is a sheet over the page, with what will run first.

import { html, nothing, type LitElement, type PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import type { Arguments } from "../../connection/commands";
import type { ApprovalAnswer, JsonValue, Risk, ServerFrameOf } from "../../protocol/generated";
import { base, buttons, code, fields } from "../../theme/base";
import { textOrJson } from "../../text/json";
import { visible, visibleLine } from "../../text/visible";
import "../arguments/arguments";
import { Card } from "../card/card";
import { t } from "../../i18n";
import { fill, fillWith } from "../../i18n/fill";
import { isWhole } from "../diff/diff";
import { ask } from "../events";
import { downIcon } from "../icons";
import { styles } from "./approval.styles";

const RISKS: Record<Risk, string> = t.asking.risks;

/** Reasons that say no more than the risk does, which stands there already. */
const KNOWN = /^\S+ (?:changes files|runs a program|asks before it runs)\.$/;

@customElement("sb-approval")
export class Approval extends Card<ServerFrameOf<"approval-request">> {
  static override styles = [base, buttons, code, fields, styles];

  /** It covers a small screen. */
  @property({ type: Boolean, reflect: true }) sheet = false;
  /** On a small screen: the user looks at the conversation first. */
  @property({ type: Boolean, reflect: true }) aside = false;

  @state() private edits?: Record<string, string>;
  /** Arguments that were not there; changed in place by their own fields. */
  @state() private added: readonly { name: string; text: string }[] = [];
  @state() private problems: ReadonlyMap<string, string> = new Map();
  /** Something of what will run is below what is in view. */
  @state() private below = false;
  /** All of it was in view. */
  @state() private seen = false;
  /** The diff says all that becomes of files; that is not worked out anew at each second's tick. */
  private whole = true;
  @query(".arguments") private shown?: HTMLElement;
  @query("#reason") private reason?: HTMLInputElement;

  protected override begin(): void {
    this.edits = undefined;
    this.added = [];
    this.problems = new Map();
    this.seen = this.below = false;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    if (changed.has("request")) this.whole = isWhole(this.request.diff ?? "");
  }

  override updated(): void {
    void this.drawn().then(() => this.look());
  }

  /** What will run is drawn by an element of its own. */
  private async drawn(): Promise<void> {
    for (const part of this.renderRoot.querySelectorAll<LitElement>("sb-arguments, sb-diff")) await part.updateComplete;
  }

  private look(): void {
    const { shown } = this;
    if (!shown) return;
    this.below = shown.scrollHeight - shown.clientHeight - shown.scrollTop > 8;
    if (!this.below) this.seen = true;
  }

  /** Which question this is. */
  override get key(): string {
    return this.request.callId;
  }

  override render() {
    const { request } = this;
    const title = html`<h2 id="title">${fillWith(t.asking.title, { tool: html`<code>${visibleLine(request.tool, 64)}</code>` })}</h2>`;
    if (this.aside) {
      return html`<section class="bar" tabindex="-1" aria-labelledby="title">
        ${title}<button class="button primary" @click=${() => this.put(false)}>${t.asking.review}</button>
      </section>`;
    }
    // What a program does beyond files stays done.
    const undoable = ["execute", "network"].includes(request.risk) ? t.asking.filesUndoable : t.asking.undoable;
    const meaning = html`<p class="what" id="what">
      <strong>${RISKS[request.risk]}.</strong>
      ${request.undoable ? undoable : t.asking.lasting} ${KNOWN.test(request.reason) ? nothing : visible(request.reason)}
    </p>`;
    return html`<section tabindex="-1" aria-labelledby="title" aria-describedby="what">
      <header>
        ${title}
        ${this.timer(t.asking.timer, request.expiresAt)}
        ${this.sheet
          ? html`<button class="icon-button" aria-label=${t.asking.setAside} title=${t.asking.setAside} @click=${() => this.put(true)}>${downIcon}</button>`
          : nothing}
      </header>
      ${this.sheet ? nothing : meaning}
      <div class="arguments" tabindex="0" role="group" aria-label=${t.asking.whatRuns} @scroll=${this.look}>${this.edits ? this.editor(this.edits) : this.whatRuns()}</div>
      ${this.below ? html`<button class="link-button below" @click=${this.scrollOn}>${t.asking.more}</button>` : nothing}
      ${this.sheet ? meaning : nothing}
      ${request.covers && !this.edits ? html`<p class="covers" id="covers">${fill(t.asking.covers, { what: visible(request.covers) })}</p>` : nothing}
      <details class="reason">
        <summary>${t.asking.addReason}</summary>
        <label class="hidden-text" for="reason">${t.asking.reason}</label>
        <input id="reason" class="field" maxlength="500" placeholder=${t.asking.reasonHint} autocomplete="off" />
      </details>
      ${this.actions()}
    </section>`;
  }

  /** What becomes of files says more than the arguments that make it; where it cannot be shown whole, they are shown too. */
  private whatRuns() {
    const { diff, arguments: values } = this.request;
    const shown = html`<sb-arguments whole .values=${values}></sb-arguments>`;
    if (!diff) return shown;
    return html`<div><p class="part">${t.work.whatWillChange}</p><sb-diff whole .text=${diff}></sb-diff></div>
      <details ?open=${!this.whole}><summary>${t.work.arguments}</summary>${shown}</details>`;
  }

  private actions() {
    const edited = this.edits !== undefined;
    const describedBy = (decision: ApprovalAnswer) => {
      const covers = decision === "allow-session" && this.request.covers !== undefined;
      const unseen = decision !== "deny" && this.below && !this.seen;
      return [covers ? "covers" : "", unseen ? "unseen" : ""].join(" ").trim() || nothing;
    };
    const button = (words: string, kind: string, decision: ApprovalAnswer) =>
      html`<button
        class="button ${kind}"
        aria-disabled=${decision === "deny" || this.seen ? this.off : "true"}
        aria-describedby=${describedBy(decision)}
        @click=${() => this.decide(decision)}
      >${words}</button>`;
    // What fits without these words is seen at once: they do not take the room that they ask for.
    return html`${this.below && !this.seen ? html`<p class="unseen" id="unseen">${t.asking.unseen}</p>` : nothing}
      <div class="actions">
      ${button(edited ? t.asking.onceEdited : t.asking.once, "primary", "allow-once")}
      ${edited ? nothing : button(t.asking.session, "", "allow-session")} ${button(t.asking.deny, "danger", "deny")}
      <button class="button plain" @click=${this.toggleEdit}>${edited ? t.asking.discard : t.asking.edit}</button>
    </div>`;
  }

  private editor(edits: Record<string, string>) {
    return html`${Object.entries(edits).map(
      ([name, text]) => html`<div>
        <label class="label" for="edit-${name}">${visibleLine(name, 80)}${typeof this.request.arguments[name] === "string" ? "" : t.asking.isJson}</label>
        <textarea
          id="edit-${name}"
          class="field"
          rows=${Math.min(8, text.split("\n").length)}
          spellcheck="false"
          .value=${text}
          aria-invalid=${this.problems.has(name) ? "true" : "false"}
          @input=${(event: Event) => this.edit(name, (event.target as HTMLTextAreaElement).value)}
        ></textarea>
        ${this.problems.has(name) ? html`<p class="problem" role="alert">${this.problems.get(name)}</p>` : nothing}
      </div>`,
    )}
    ${this.added.map(
      (row, at) => html`<div class="added">
        <input class="field" aria-label=${fill(t.asking.nameOf, { n: at + 1 })} placeholder=${t.asking.name} maxlength="64" spellcheck="false" @input=${(event: Event) => (row.name = (event.target as HTMLInputElement).value.trim())} />
        <input class="field" aria-label=${fill(t.asking.valueOf, { n: at + 1 })} placeholder=${t.asking.value} spellcheck="false" @input=${(event: Event) => (row.text = (event.target as HTMLInputElement).value)} />
      </div>`,
    )}
    <button class="link-button" @click=${this.add}>${t.asking.addArgument}</button>`;
  }

  private add(): void {
    this.added = [...this.added, { name: "", text: "" }];
    void this.updateComplete.then(() => [...this.renderRoot.querySelectorAll<HTMLElement>(".added")].at(-1)?.querySelector("input")?.focus());
  }

  private decide(decision: ApprovalAnswer): void {
    if (!this.ready || (decision !== "deny" && !this.seen)) return;
    const edited = decision === "deny" ? undefined : this.editedArguments();
    if (edited === "wrong") return;
    this.done();
    ask(this, "sb-approve", { callId: this.request.callId, decision, edited, reason: this.reason?.value.trim() || undefined });
  }

  /** A page further down. */
  private scrollOn(): void {
    const { shown } = this;
    shown?.scrollBy({ top: shown.clientHeight * 0.85 });
    shown?.focus();
  }

  private put(aside: boolean): void {
    ask(this, "sb-set-aside", { callId: this.request.callId, aside });
  }

  private toggleEdit(): void {
    const { arguments: values } = this.request;
    this.added = [];
    this.problems = new Map();
    this.edits = this.edits
      ? undefined
      : Object.fromEntries(Object.entries(values).map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value, null, 2)]));
    if (this.edits) void this.updateComplete.then(() => this.renderRoot.querySelector("textarea")?.focus());
  }

  private edit(name: string, text: string): void {
    this.edits = { ...this.edits, [name]: text };
    this.problems = new Map();
  }

  /** The edited arguments, with a value that was no text read as JSON. */
  private editedArguments(): Arguments | undefined | "wrong" {
    if (!this.edits) return undefined;
    const problems = new Map<string, string>();
    const edited = Object.entries(this.edits).map(([name, text]): [string, JsonValue] => {
      if (typeof this.request.arguments[name] === "string") return [name, text];
      try {
        return [name, JSON.parse(text) as JsonValue];
      } catch {
        problems.set(name, t.asking.badJson);
        return [name, null];
      }
    });
    const added = this.added.filter(({ name }) => name !== "").map(({ name, text }): [string, JsonValue] => [name, textOrJson(text)]);
    this.problems = problems;
    return problems.size > 0 ? "wrong" : Object.fromEntries([...edited, ...added]);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-approval": Approval;
  }
}
