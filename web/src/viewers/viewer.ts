//! What all viewers share: they fetch what they show, again when it changes, and say what goes wrong.

import { css, html, LitElement, type CSSResultGroup, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { ApiError } from "../connection/api";
import { t } from "../i18n";
import { base, buttons, code, fields } from "../theme/base";
import { visible } from "../text/visible";
import type { Shows } from "./registry";

/** A viewer of content of type `T`. */
export abstract class Viewer<T> extends LitElement {
  static override styles: CSSResultGroup = [
    base,
    buttons,
    code,
    fields,
    css`
      :host {
        display: flex;
        flex-direction: column;
        min-height: 0;
        height: 100%;
      }
      .tools {
        display: flex;
        flex-wrap: wrap;
        gap: 0.4rem;
        align-items: center;
        padding: 0.5rem 0.8rem;
        border-bottom: 1px solid var(--line);
      }
      .body {
        flex: 1;
        min-height: 0;
        overflow: auto;
      }
      .note {
        margin: 0;
        padding: 0.8rem;
        color: var(--muted);
      }
      .note.problem {
        color: var(--danger);
      }
    `,
  ];

  @property({ attribute: false }) shows!: Shows;
  @state() protected content?: T;
  @state() private problem?: string;
  private mayPass = false;
  private asked = 0;

  protected abstract fetched(shows: Shows): Promise<T>;
  protected abstract view(content: T): TemplateResult;

  /** Reads again what may have changed. */
  look(): Promise<void> {
    return this.load();
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("shows")) void this.load();
  }

  override render() {
    if (this.problem !== undefined) return this.wrong(this.problem);
    if (this.content === undefined) return html`<p class="note" role="status">${t.side.loading}</p>`;
    return this.view(this.content);
  }

  private wrong(problem: string) {
    const again = html`<div><button class="button" @click=${() => void this.load()}>${t.windows.tryAgain}</button></div>`;
    return html`<p class="note problem" role="alert">${visible(problem)}</p>${this.mayPass ? again : ""}`;
  }

  /** What is said below a text of which only the beginning is shown. */
  protected beginning(cut: boolean | undefined) {
    return cut ? html`<p class="note">${t.side.onlyBeginning}</p>` : "";
  }

  /** What was there cannot be shown any longer; a problem that may pass can be tried again. */
  protected fail(problem: Error, mayPass = problem instanceof ApiError): void {
    this.mayPass = mayPass;
    this.problem = problem.message;
  }

  protected async load(): Promise<void> {
    const asked = ++this.asked;
    this.problem = undefined;
    try {
      const content = await this.fetched(this.shows);
      if (asked === this.asked) this.content = content;
    } catch (error) {
      if (asked === this.asked) this.fail(error as Error);
    }
  }
}
