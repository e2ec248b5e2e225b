//! `<sb-query>`: a question to the user, with choices, a form to fill in, or a line to write. Like an approval it is
//! deaf for its first half second, and it can be dismissed.

import { css, html } from "lit";
import { customElement, query } from "lit/decorators.js";
import { t } from "../../i18n";
import type { JsonValue, QueryKind, ServerFrameOf } from "../../protocol/generated";
import { base, buttons, fields } from "../../theme/base";
import { visible, visibleLine } from "../../text/visible";
import { Card } from "../card/card";
import { ask } from "../events";
import { labelOf } from "./labels";
import { contentOf, fieldOf, formStyles } from "./form";

const TITLES: Record<QueryKind, string> = t.dialogs.query.titles;

@customElement("sb-query")
export class Query extends Card<ServerFrameOf<"user-query">> {
  static override styles = [
    base,
    buttons,
    fields,
    formStyles,
    css`
      section {
        max-height: 68dvh;
        overflow-y: auto;
        padding: 0.9rem 1rem 1rem;
        border: 1px solid var(--line);
        border-inline-start: 4px solid var(--accent);
        border-radius: var(--radius);
        background: var(--surface);
        box-shadow: var(--shadow);
      }
      section:focus-visible {
        outline-offset: 0;
      }
      header {
        display: flex;
        flex-wrap: wrap;
        gap: 0 0.8rem;
        align-items: baseline;
      }
      h2 {
        margin: 0 0 0.3rem;
        font-size: 1rem;
        font-weight: 600;
      }
      .timer {
        margin-inline-start: auto;
        color: var(--muted);
        font-size: 0.84rem;
        font-variant-numeric: tabular-nums;
      }
      .message {
        margin: 0 0 0.8rem;
        max-height: 30vh;
        overflow: auto;
        white-space: pre-wrap;
        overflow-wrap: anywhere;
      }
      form,
      .choices,
      .actions {
        display: flex;
        flex-wrap: wrap;
        gap: 0.5rem;
      }
      /* The answers to a long form stay in view while its fields are scrolled. */
      .actions {
        position: sticky;
        bottom: -1rem;
        flex: 1 0 100%;
        margin-bottom: -1rem;
        padding-block: 0.6rem 1rem;
        background: var(--surface);
      }
      form .field {
        flex: 1 1 12rem;
        width: auto;
      }
    `,
  ];

  @query("input") private line?: HTMLInputElement;

  /** Which question this is. */
  override get key(): string {
    return this.request.queryId;
  }

  override render() {
    const { request } = this;
    return html`<section tabindex="-1" aria-labelledby="title" aria-describedby="message">
      <header>
        <h2 id="title">${TITLES[request.kind]}</h2>
        ${this.timer(t.dialogs.query.timer, request.expiresAt)}
      </header>
      <p class="message" id="message">${visible(request.message)}</p>
      ${this.answers()}
    </section>`;
  }

  private answers() {
    const { choices, fields } = this.request;
    // One choice is quicker made with its buttons.
    if (fields?.length && !(fields.length === 1 && fields[0]?.kind === "choice")) {
      return html`<form @submit=${this.fillIn}>
        <div class="fields">${fields.map(fieldOf)}</div>
        <div class="actions">
          <button class="button primary" aria-disabled=${this.off}>${t.dialogs.query.send}</button>
          <button type="button" class="button" aria-disabled=${this.off} @click=${() => this.answer({ action: "decline" })}>${t.dialogs.query.decline}</button>
          ${this.dismissal()}
        </div>
      </form>`;
    }
    if (choices?.length) {
      return html`<div class="choices">
        ${choices.map(
          (choice, at) => html`<button class="button ${at === 0 ? "primary" : ""}" aria-disabled=${this.off} @click=${() => this.answer(choice.value)}>${visibleLine(labelOf(this.request.kind, choice), 120)}</button>`,
        )}
        ${this.dismissal()}
      </div>`;
    }
    return html`<form @submit=${this.submit}>
      <label class="hidden-text" for="line">${t.dialogs.query.yours}</label>
      <input id="line" class="field" placeholder=${t.dialogs.query.yours} autocomplete="off" />
      <button class="button primary" aria-disabled=${this.off}>${t.dialogs.query.answer}</button>
      ${this.dismissal()}
    </form>`;
  }

  private dismissal() {
    return html`<button type="button" class="button plain" aria-disabled=${this.off} @click=${() => this.answer(undefined)}>${t.dialogs.query.dismiss}</button>`;
  }

  private submit(event: Event): void {
    event.preventDefault();
    const text = this.line?.value.trim();
    if (text) this.answer(text);
  }

  private fillIn(event: SubmitEvent): void {
    event.preventDefault();
    const content = contentOf(event.target as HTMLFormElement, this.request.fields ?? []);
    this.answer({ action: "accept", content });
  }

  private answer(answer: JsonValue | undefined): void {
    if (!this.ready) return;
    this.done();
    ask(this, "sb-answer", { queryId: this.request.queryId, answer });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-query": Query;
  }
}
