//! What the parts of the settings share that show what the server has: they ask for it once, and say what goes wrong.

import { html, LitElement, nothing, type CSSResultGroup, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { t } from "../../i18n";
import { base, buttons, fields } from "../../theme/base";
import { visible } from "../../text/visible";
import { styles } from "./listing.styles";

/** A part that shows a `T`. */
export abstract class Listing<T> extends LitElement {
  static override styles: CSSResultGroup = [base, buttons, fields, styles];

  @state() protected list?: T;
  @state() protected problem = "";
  /** The last request: answers may overtake each other, and only this one's is shown. */
  protected newest?: Promise<T>;

  protected abstract fetched(): Promise<T>;
  protected abstract view(list: T): TemplateResult;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.take(this.fetched());
  }

  override render() {
    const { list, problem } = this;
    return html`${problem ? html`<p class="problem" role="alert">${visible(problem)}</p>` : nothing}
    ${list !== undefined ? this.view(list) : problem ? nothing : html`<p class="lead">${t.work.loading}</p>`}`;
  }

  /** Shows what the server answers, and what went wrong before. */
  protected async take(answer: Promise<T>, problem = ""): Promise<void> {
    this.newest = answer;
    try {
      const list = await answer;
      if (answer !== this.newest) return;
      this.list = list;
      this.problem = problem;
    } catch (error) {
      if (answer === this.newest) this.problem = (error as Error).message;
    }
  }
}
