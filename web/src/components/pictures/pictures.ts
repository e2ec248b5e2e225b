//! `<sb-pictures>`: the pictures that a call gave, small; each opens in a window.

import { css, html, LitElement } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { resourceUrl } from "../../connection/api";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import type { Resource } from "../../protocol/generated";
import { size } from "../../text/format";
import { visibleLine } from "../../text/visible";
import { base } from "../../theme/base";
import { ask } from "../events";

@customElement("sb-pictures")
export class Pictures extends LitElement {
  static override styles = [
    base,
    css`
      ul {
        display: flex;
        flex-wrap: wrap;
        gap: 0.6rem;
        margin: 0 0 0.7rem;
        padding: 0;
        list-style: none;
      }
      button {
        display: block;
        max-width: 100%;
        min-width: 24px;
        min-height: 24px;
        padding: 0;
        border: 1px solid var(--line);
        border-radius: var(--radius-small);
        background: repeating-conic-gradient(var(--sunken) 0 25%, var(--surface) 0 50%) 0 0 / 16px 16px;
        overflow: hidden;
        cursor: zoom-in;
      }
      button:hover {
        border-color: var(--accent);
      }
      img {
        display: block;
        max-width: 100%;
        max-height: 16rem;
        min-width: 24px;
        min-height: 24px;
        object-fit: contain;
      }
      p {
        margin: 0;
        color: var(--muted);
        font-size: 0.88rem;
      }
    `,
  ];

  @property() session = "";
  /** The tool that gave them. */
  @property() tool = "";
  @property({ attribute: false }) all: readonly Resource[] = [];
  /** Those that could not be loaded. */
  @state() private failed: ReadonlySet<string> = new Set();

  override render() {
    return html`<ul aria-label=${fill(t.work.picturesOf, { tool: visibleLine(this.tool, 64) })}>
      ${this.all.map((picture, at) => html`<li>${this.failed.has(picture.handle) ? html`<p>${t.windows.noPicture}</p>` : this.picture(picture, at)}</li>`)}
    </ul>`;
  }

  private picture({ handle, bytes }: Resource, at: number) {
    const title = fill(t.work.picture, { n: at + 1, tool: visibleLine(this.tool, 64) });
    return html`<button class="acts" title=${size(bytes)} aria-label=${fill(t.windows.open, { title })} @click=${() => ask(this, "sb-show", { handle })}>
      <img
        alt=${title}
        loading="lazy"
        decoding="async"
        src=${resourceUrl(this.session, handle)}
        @error=${() => (this.failed = new Set([...this.failed, handle]))}
      />
    </button>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-pictures": Pictures;
  }
}
