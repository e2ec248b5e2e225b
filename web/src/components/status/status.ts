//! `<sb-status>`: one line when the connection is not as it should be: what happened, and what to do.

import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Status } from "../../connection/socket";
import { base, buttons } from "../../theme/base";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import { ask } from "../events";

@customElement("sb-status")
export class StatusLine extends LitElement {
  static override styles = [
    base,
    buttons,
    css`
      p {
        display: flex;
        flex-wrap: wrap;
        justify-content: center;
        gap: 0.1rem 0.7rem;
        margin: 0;
        padding: 0.45rem 1rem;
        background: var(--warn-soft);
        color: var(--warn);
        font-size: 0.9rem;
      }
      .link-button {
        color: inherit;
      }
    `,
  ];

  @property({ attribute: false }) standing!: Status;
  /** It was connected before: the first connection needs no words. */
  @property({ type: Boolean }) known = false;
  @property() needs?: "login" | "gone" | "forbidden";

  @state() private now = Date.now();
  private ticking?: ReturnType<typeof setInterval>;

  override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("standing")) return;
    clearInterval(this.ticking);
    this.now = Date.now();
    if (this.standing.kind === "waiting" || silentSince(this.standing) !== undefined) this.ticking = setInterval(() => (this.now = Date.now()), 1000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.ticking);
  }

  override render() {
    return html`<div role="status">${this.line()}</div>`;
  }

  private line() {
    const { standing } = this;
    const since = silentSince(standing);
    if (since !== undefined) return this.silent(since);
    if (standing.kind === "connecting") return this.known ? html`<p>${t.connection.reconnecting}</p>` : nothing;
    if (standing.kind === "stopped") return this.needs === "login" || this.needs === "gone" ? nothing : html`<p>${standing.why} ${this.tryNow()}</p>`;
    if (standing.kind === "open") return nothing;
    const seconds = Math.ceil((standing.until - this.now) / 1000);
    return html`<p>
      <span>${standing.why} ${t.connection.reconnecting}</span>
      <span aria-hidden="true">${seconds > 1 ? fill(t.connection.nextTry, { seconds }) : ""}</span>
      ${seconds > 1 ? this.tryNow() : nothing}
    </p>`;
  }

  private silent(since: number) {
    const seconds = Math.round((this.now - since) / 1000);
    return html`<p>
      <span>${t.connection.silent} ${t.connection.silentKept}</span>
      <span aria-hidden="true">${fill(t.connection.silentFor, { seconds })}</span>
      ${this.tryNow()}
    </p>`;
  }

  private tryNow() {
    return html`<button class="link-button" @click=${() => ask(this, "sb-reconnect", {})}>${t.connection.tryNow}</button>`;
  }
}

/** Since when there has been no answer. */
function silentSince(standing: Status): number | undefined {
  return standing.kind === "open" || standing.kind === "connecting" ? standing.silentSince : undefined;
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-status": StatusLine;
  }
}
