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
  @state() private problem = "";

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

  /** Shows what the server answers. */
  protected async take(answer: Promise<T>): Promise<void> {
    try {
      this.list = await answer;
      this.problem = "";
    } catch (error) {
      this.problem = (error as Error).message;
    }
  }
}
