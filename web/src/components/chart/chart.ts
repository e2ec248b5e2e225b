//! `<sb-chart>`: the chart that a call made, in the reply. What draws it is loaded with the first one.

import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import type { Call } from "../../state/chat";
import { base, buttons } from "../../theme/base";
import { visibleLine } from "../../text/visible";
import { viewer } from "../../viewers/registry";
import { ask } from "../events";

/** The handle of the chart that a call made, if it made one and its variable is known. */
export function chartOf(call: Call): string | undefined {
  const { result, status, kept } = call;
  return status === "done" && result?.fields?.viewer === "chart" && kept ? `var:${kept.name}@${kept.version}` : undefined;
}

/** The chart that a call made, if it made one. */
export function chart(call: Call, session: string) {
  const handle = chartOf(call);
  return handle === undefined ? nothing : html`<sb-chart .session=${session} .handle=${handle} .name=${call.kept?.name ?? ""}></sb-chart>`;
}

@customElement("sb-chart")
export class Chart extends LitElement {
  static override styles = [
    base,
    buttons,
    css`
      section {
        margin: 0 0 0.7rem;
        border: 1px solid var(--line);
        border-radius: var(--radius);
        background: var(--surface);
        overflow: hidden;
      }
      .head {
        display: flex;
        justify-content: flex-end;
        padding: 0.5rem 0.8rem 0;
      }
      .problem {
        margin: 0;
        padding: 0.8rem;
        color: var(--danger);
      }
    `,
  ];

  @property() session = "";
  /** `var:<name>@<version>` */
  @property() handle = "";
  /** The variable's name. */
  @property() name = "";
  @state() private problem?: string;
  @query(".place") private place?: HTMLElement;

  override render() {
    const name = visibleLine(this.name, 64);
    return html`<section aria-label=${fill(t.windows.chartNamed, { name })}>
      <div class="head">
        <button class="button acts" aria-label=${fill(t.windows.open, { title: name })} @click=${() => ask(this, "sb-show", { handle: this.handle })}>${t.windows.inWindow}</button>
      </div>
      ${this.problem === undefined ? nothing : html`<p class="problem" role="alert">${this.problem}</p>`}
      <div class="place"></div>
    </section>`;
  }

  override updated(changed: PropertyValues<this>): void {
    if (changed.has("handle") || changed.has("session")) void this.draw();
  }

  private async draw(): Promise<void> {
    const { handle, session } = this;
    this.problem = undefined;
    if (session === "" || handle === "") return;
    const current = () => handle === this.handle && session === this.session;
    try {
      const element = await viewer("chart", { session, handle, name: this.name });
      element.setAttribute("inline", "");
      if (current()) this.place?.replaceChildren(element);
    } catch {
      if (current()) this.problem = t.connection.checkServer;
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-chart": Chart;
  }
}
