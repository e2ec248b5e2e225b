//! `<sb-window>`: what one window shows, the facts about it, and the versions that it showed before. Where it stands, as a
//! tab or floating, is not its concern; a window that moves takes its viewer along.

import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import type { EarlierView, OpenWindow } from "../../protocol/generated";
import { resourceUrl } from "../../connection/api";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import { base, buttons } from "../../theme/base";
import { visibleLine } from "../../text/visible";
import { factsOf, viewer } from "../../viewers/registry";
import { chevronIcon, exportIcon } from "../icons";

/** A viewer that reads again what may have changed. */
interface Looking extends Element {
  look: () => Promise<void>;
}

/** The viewers of windows that are on their way to another place. */
const moving = new WeakMap<EarlierView, Element>();

@customElement("sb-window")
export class WindowElement extends LitElement {
  static override styles = [
    base,
    buttons,
    css`
      :host {
        display: flex;
        flex: 1;
        flex-direction: column;
        min-height: 0;
      }
      .head {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.25rem;
        padding: 0.3rem 0.4rem 0.3rem 0.8rem;
        border-bottom: 1px solid var(--line);
        color: var(--muted);
        font-size: 0.84rem;
      }
      .facts {
        flex: 1;
        min-width: 6rem;
      }
      .versions {
        display: flex;
        align-items: center;
        gap: 0.1rem;
      }
      .before svg {
        transform: rotate(180deg);
      }
      .panel {
        flex: 1;
        min-height: 0;
        overflow: hidden;
      }
    `,
  ];

  @property() sessionId = "";
  @property({ attribute: false }) window!: OpenWindow;
  /** How many calls have changed files so far: what is shown may be another. */
  @property({ type: Number }) changes = 0;
  /** The version that is looked at, if it is not the latest. */
  @state() private version?: number;
  /** How large the file is that stands in it, when that has changed. */
  @state() private bytes?: number;
  @query(".panel") private panel?: HTMLElement;
  private drawn?: EarlierView;

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("window")) this.version = this.bytes = undefined;
  }

  override render() {
    const { view } = this;
    const { earlier = [] } = this.window;
    const versions = earlier.length + 1;
    const at = this.version ?? earlier.length;
    return html`<div class="head">
        <span class="facts">${factsOf({ ...view, resource: { ...view.resource, bytes: this.bytes ?? view.resource.bytes } })}</span>
        ${versions > 1
          ? html`<span class="versions">
              <button class="icon-button before" aria-label=${t.windows.before} ?disabled=${at === 0} @click=${() => (this.version = at - 1)}>${chevronIcon}</button>
              <span role="status">${fill(t.windows.version, { n: String(at + 1), m: String(versions) })}</span>
              <button class="icon-button" aria-label=${t.windows.after} ?disabled=${at === versions - 1} @click=${() => (this.version = at + 1)}>${chevronIcon}</button>
            </span>`
          : nothing}
        ${view.viewerType === "directory"
          ? nothing
          : html`<a class="icon-button" href=${`${resourceUrl(this.sessionId, view.resource.handle)}?download=1`} download aria-label=${t.windows.download} title=${t.windows.download}>${exportIcon}</a>`}
        <slot></slot>
      </div>
      <div class="panel" @sb-size=${(event: CustomEvent<{ bytes: number }>) => (this.bytes = event.detail.bytes)}></div>`;
  }

  override updated(changed: PropertyValues<this>): void {
    const { view } = this;
    if (changed.has("changes")) void (this.panel?.firstElementChild as Partial<Looking> | null)?.look?.();
    if (view === this.drawn) return;
    this.drawn = view;
    void this.draw(view);
  }

  /** The window goes to another place, and what it shows goes along as it is. */
  pack(): void {
    const shown = this.panel?.firstElementChild;
    if (shown && this.drawn) moving.set(this.drawn, shown);
  }

  /** What is looked at: the window's content, or what it showed before. */
  private get view(): EarlierView {
    return (this.version === undefined ? undefined : this.window.earlier?.[this.version]) ?? this.window;
  }

  private async draw(view: EarlierView): Promise<void> {
    const shows = { session: this.sessionId, handle: view.resource.handle, name: visibleLine(view.title, 120), kind: view.resource.mimeType };
    const element = moving.get(view) ?? (await viewer(view.viewerType, shows));
    moving.delete(view);
    if (view === this.drawn) this.panel?.replaceChildren(element);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-window": WindowElement;
  }
}
