//! `<sb-welcome>`: an empty conversation, with a few things to try: those that always work, and some with files that are there.

import { css, html, LitElement, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { t } from "../../i18n";
import { base, buttons } from "../../theme/base";
import { ask } from "../events";
import type { Example } from "./examples";

/** How many are shown; those of files take the place of the last. */
const SHOWN = 6;

/** How long is waited for what is there, in milliseconds. */
const PATIENCE_MS = 1000;

@customElement("sb-welcome")
export class Welcome extends LitElement {
  static override styles = [
    base,
    buttons,
    css`
      :host {
        min-height: 0;
        overflow-y: auto;
      }
      div {
        max-width: 47rem;
        margin: 0 auto;
        padding: 1rem 1.25rem 1.5rem;
      }
      h1 {
        margin: clamp(1.2rem, 7vh, 4.5rem) 0 0.4rem;
        font-size: clamp(1.45rem, 4vw, 1.9rem);
        font-weight: 620;
        line-height: 1.25;
        letter-spacing: -0.02em;
      }
      p {
        margin: 0 0 1.8rem;
        max-width: 34rem;
        color: var(--muted);
      }
      ul {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(100%, 18rem), 1fr));
        gap: 0.6rem;
        margin: 0;
        padding: 0;
        list-style: none;
      }
      li:last-child:nth-child(odd) {
        grid-column: 1 / -1;
      }
      button {
        display: flex;
        flex-direction: column;
        width: 100%;
        height: 100%;
        padding: 0.75rem 0.95rem;
        border: 1px solid var(--line);
        border-radius: var(--radius);
        background: var(--surface);
        text-align: start;
        line-height: 1.4;
        overflow-wrap: anywhere;
      }
      button:hover {
        border-color: var(--accent);
      }
      span {
        display: block;
        margin-top: 0.15rem;
        color: var(--muted);
        font-size: 0.85rem;
      }
    `,
  ];

  /** The session whose workspace is looked at. */
  @property() session = "";
  /** Nothing is offered before it is known what is there: nobody shall click on what has just moved. */
  @state() private examples?: readonly Example[];

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("session")) void this.look(this.session);
  }

  override render() {
    return html`<div>
      <slot></slot>
      <h1>${t.writing.welcome}</h1>
      <p>${t.writing.lead}</p>
      <ul aria-label=${t.writing.things}>
        ${this.examples?.map(
          ({ text, shows }) => html`<li>
            <button @click=${() => ask(this, "sb-send", { text, mode: "queue" })}>${text}<span>${shows}</span></button>
          </li>`,
        )}
      </ul>
    </div>`;
  }

  private async look(session: string): Promise<void> {
    this.examples = undefined;
    const nothing = new Promise<readonly Example[]>((done) => setTimeout(() => done([]), PATIENCE_MS));
    const found = await Promise.race([import("./examples").then(({ examplesIn }) => examplesIn(session)).catch(() => []), nothing]);
    if (session === this.session) this.examples = [...found, ...t.writing.samples.always].slice(0, Math.max(SHOWN, t.writing.samples.always.length));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-welcome": Welcome;
  }
}
