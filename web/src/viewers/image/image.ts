//! `<sb-image-viewer>`: a picture, fitted or larger: by buttons, by + and −, and by the wheel with Ctrl.

import { css, html, LitElement } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { request, resourceUrl } from "../../connection/api";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import type { Shows } from "../registry";
import { Viewer } from "../viewer";

const STEP = 1.25;
const LEAST = 0.05;
const MOST = 32;

@customElement("sb-image-viewer")
export class ImageViewer extends LitElement {
  static override styles = [
    Viewer.styles,
    css`
      .body {
        display: grid;
        place-items: safe center;
        padding: 0.8rem;
        background: repeating-conic-gradient(var(--sunken) 0 25%, var(--surface) 0 50%) 0 0 / 20px 20px;
      }
      img {
        display: block;
      }
      img.fitted {
        max-width: 100%;
        max-height: 100%;
        object-fit: contain;
      }
      img.near {
        image-rendering: pixelated;
      }
      .size {
        margin-inline-start: auto;
        color: var(--muted);
        font-size: 0.84rem;
      }
    `,
  ];

  @property({ attribute: false }) shows!: Shows;
  /** How large it is shown; fitted without a number. */
  @state() private zoom?: number;
  @state() private natural?: { width: number; height: number };
  /** What was read again. */
  @state() private again?: string;
  @state() private failed = false;
  @query("img") private image?: HTMLImageElement;

  override render() {
    const { natural, zoom } = this;
    if (this.failed) return html`<p class="note problem" role="alert">${t.windows.noPicture}</p>`;
    return html`<div class="tools">
        <button class="button" aria-label=${t.windows.smaller} @click=${() => this.by(1 / STEP)}>−</button>
        <button class="button" aria-label=${t.windows.larger} @click=${() => this.by(STEP)}>+</button>
        <button class="button" aria-pressed=${zoom === undefined} @click=${() => (this.zoom = undefined)}>${t.windows.fit}</button>
        <button class="button" aria-pressed=${zoom === 1} @click=${() => (this.zoom = 1)}>100 %</button>
        ${natural ? html`<span class="size" role="status">${fill(t.windows.pixels, { width: String(natural.width), height: String(natural.height), percent: String(Math.round(this.scale * 100)) })}</span>` : ""}
      </div>
      <div class="body" tabindex="0" role="group" aria-label=${this.shows.name} @keydown=${this.key} @wheel=${this.wheel}>
        <img
          class="${zoom === undefined ? "fitted" : ""} ${this.scale >= 3 ? "near" : ""}"
          src=${this.again ?? resourceUrl(this.shows.session, this.shows.handle)}
          alt=${this.shows.name}
          @load=${this.loaded}
          @error=${() => (this.failed = true)}
        />
      </div>`;
  }

  /** Reads again what may have changed; the browser would show the picture that it has of the address. */
  async look(): Promise<void> {
    try {
      const response = await request(resourceUrl(this.shows.session, this.shows.handle), { cache: "no-store" });
      const before = this.again;
      this.again = URL.createObjectURL(await response.blob());
      this.failed = false;
      if (before !== undefined) URL.revokeObjectURL(before);
    } catch {
      // What is shown stays.
    }
  }

  override updated(): void {
    const { image, natural, zoom } = this;
    if (!image) return;
    image.style.width = zoom === undefined || !natural ? "" : `${Math.round(natural.width * zoom)}px`;
  }

  private readonly loaded = (event: Event): void => {
    const { naturalWidth: width, naturalHeight: height } = event.target as HTMLImageElement;
    this.natural = { width: width || 300, height: height || 150 };
  };

  private get scale(): number {
    if (this.zoom !== undefined) return this.zoom;
    return this.natural && this.image ? this.image.clientWidth / this.natural.width : 1;
  }

  private by(factor: number): void {
    this.zoom = Math.min(MOST, Math.max(LEAST, this.scale * factor));
  }

  private readonly key = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "+" || event.key === "=") this.by(STEP);
    else if (event.key === "-") this.by(1 / STEP);
    else if (event.key === "0") this.zoom = undefined;
    else return;
    event.preventDefault();
  };

  private readonly wheel = (event: WheelEvent): void => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    this.by(event.deltaY < 0 ? STEP : 1 / STEP);
  };
}
