//! `<sb-windows>`: the windows beside the conversation, as tabs, with one of them in front.

import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import type { EarlierView, OpenWindow } from "../../protocol/generated";
import { resourceUrl } from "../../connection/api";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import { base, buttons } from "../../theme/base";
import { visibleLine } from "../../text/visible";
import { factsOf, viewer } from "../../viewers/registry";
import { ask } from "../events";
import { chevronIcon, closeIcon, exportIcon } from "../icons";

@customElement("sb-windows")
export class Windows extends LitElement {
  static override styles = [
    base,
    buttons,
    css`
      :host {
        display: flex;
        flex-direction: column;
        min-width: 0;
        background: var(--surface);
      }
      .top,
      .head {
        display: flex;
        align-items: center;
        gap: 0.25rem;
        border-bottom: 1px solid var(--line);
      }
      .top {
        min-height: 56px;
        padding-inline: 0.5rem;
      }
      .tabs {
        display: flex;
        flex: 1;
        gap: 0.15rem;
        min-width: 0;
        overflow-x: auto;
        scrollbar-width: thin;
      }
      .tab {
        flex: 0 1 auto;
        min-width: 4.5rem;
        max-width: 12rem;
        min-height: 36px;
        padding: 0.3rem 0.7rem;
        border: 0;
        border-radius: var(--radius-small);
        background: none;
        color: var(--muted);
        font-size: 0.88rem;
        text-overflow: ellipsis;
        white-space: nowrap;
        overflow: hidden;
      }
      .tab[aria-selected="true"] {
        background: var(--accent-soft);
        color: var(--accent);
        font-weight: 600;
      }
      .tab:focus-visible {
        outline-offset: -2px;
      }
      .head {
        flex-wrap: wrap;
        padding: 0.3rem 0.4rem 0.3rem 0.8rem;
        color: var(--muted);
        font-size: 0.84rem;
      }
      .head .facts {
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
  @property({ attribute: false }) windows: readonly OpenWindow[] = [];
  /** The id of the window in front. */
  @property() front?: string;
  /** The version that is looked at, if it is not the latest. */
  @state() private version?: number;
  @query(".panel") private panel?: HTMLElement;
  @query('.tab[aria-selected="true"]') private tab?: HTMLElement;
  private drawn?: EarlierView;

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("front") || changed.has("windows")) this.version = undefined;
  }

  override render() {
    const { inFront, view } = this;
    if (!inFront || !view) return nothing;
    const { earlier = [] } = inFront;
    const versions = earlier.length + 1;
    const at = this.version ?? earlier.length;
    const name = visibleLine(view.title, 120);
    return html`<div class="top">
        <div class="tabs" role="tablist" aria-label=${t.windows.tabs} @keydown=${this.key}>
          ${repeat(this.windows, ({ windowId }) => windowId, (window) => html`<button
            class="tab"
            role="tab"
            id="tab-${window.windowId}"
            aria-selected=${window === inFront ? "true" : "false"}
            aria-controls="panel"
            tabindex=${window === inFront ? 0 : -1}
            title=${visibleLine(window.title, 120)}
            @click=${() => this.bring(window)}
          >${visibleLine(window.title, 60)}</button>`)}
        </div>
        <button class="icon-button" aria-label=${t.windows.hide} title=${t.windows.hide} @click=${() => ask(this, "sb-hide-windows", {})}>${chevronIcon}</button>
      </div>
      <div class="head">
        <span class="facts">${factsOf(view)}</span>
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
        <button class="icon-button" aria-label=${fill(t.windows.close, { title: name })} title=${fill(t.windows.close, { title: name })} @click=${() => this.shut(inFront)}>${closeIcon}</button>
      </div>
      <div class="panel" id="panel" role="tabpanel" aria-labelledby="tab-${inFront.windowId}"></div>`;
  }

  override updated(): void {
    const { view } = this;
    if (view === this.drawn) return;
    this.drawn = view;
    if (view) void this.draw(view);
  }

  override focus(): void {
    void this.updateComplete.then(() => this.tab?.focus());
  }

  private get inFront(): OpenWindow | undefined {
    return this.windows.find(({ windowId }) => windowId === this.front) ?? this.windows.at(-1);
  }

  /** What is looked at: the window's content, or what it showed before. */
  private get view(): EarlierView | undefined {
    return this.version === undefined ? this.inFront : (this.inFront?.earlier?.[this.version] ?? this.inFront);
  }

  private async draw(view: EarlierView): Promise<void> {
    const shows = { session: this.sessionId, handle: view.resource.handle, name: visibleLine(view.title, 120), kind: view.resource.mimeType };
    const element = await viewer(view.viewerType, shows);
    if (view === this.drawn) this.panel?.replaceChildren(element);
  }

  private bring({ windowId }: OpenWindow): void {
    this.front = windowId;
    ask(this, "sb-front-window", { windowId });
  }

  private shut({ windowId }: OpenWindow): void {
    ask(this, "sb-close-window", { windowId });
  }

  private readonly key = (event: KeyboardEvent): void => {
    const { inFront } = this;
    if (!inFront) return;
    const at = this.windows.indexOf(inFront);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: this.windows.length - 1 }[event.key];
    if (event.key === "Delete") this.shut(inFront);
    else if (to === undefined) return;
    else {
      const next = this.windows[(to + this.windows.length) % this.windows.length];
      if (next) this.bring(next);
    }
    event.preventDefault();
    this.focus();
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-windows": Windows;
  }
}
