//! `<sb-diff>`: a unified diff, line by line: what was added and what was taken out, in colour and with its sign.

import { css, html, LitElement, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import { base, code } from "../../theme/base";
import { visibleOutput } from "../../text/visible";

/** How many lines stand in the page. */
export const SHOWN_LINES = 400;

/** What a line of a diff says. */
export type LineKind = "file" | "place" | "added" | "removed" | "same" | "note";

/** The lines of a diff with what they say. The counts of `@@` tell what is in a file from what is about it. */
export function linesOf(diff: string): { kind: LineKind; text: string }[] {
  let old = 0;
  let now = 0;
  return diff.replace(/\n$/, "").split("\n").map((text) => {
    const place = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(text);
    if (place) {
      old = Number(place[1] ?? 1);
      now = Number(place[2] ?? 1);
      return { kind: "place", text };
    }
    if (old <= 0 && now <= 0) return { kind: /^(--- |\+\+\+ |rename )/.test(text) ? "file" : "note", text };
    if (text.startsWith("+")) {
      now -= 1;
      return { kind: "added", text };
    }
    if (text.startsWith("-")) {
      old -= 1;
      return { kind: "removed", text };
    }
    if (text.startsWith("\\") || text.startsWith("…")) return { kind: "note", text };
    old -= 1;
    now -= 1;
    return { kind: "same", text };
  });
}

/** Whether a diff shows everything: no line was cut, and every file is text. */
export function isWhole(diff: string): boolean {
  return linesOf(diff).every(({ kind, text }) => kind !== "note" || text.startsWith("\\"));
}

/** How many lines a diff adds and takes out. */
export function changesOf(diff: string): { added: number; removed: number } {
  const kinds = linesOf(diff).map(({ kind }) => kind);
  const count = (wanted: LineKind) => kinds.filter((kind) => kind === wanted).length;
  return { added: count("added"), removed: count("removed") };
}

@customElement("sb-diff")
export class Diff extends LitElement {
  static override styles = [
    base,
    code,
    css`
      :host {
        display: block;
        min-width: 0;
      }
      pre {
        max-height: 24rem;
        padding: 0.4rem 0;
      }
      :host([whole]) pre {
        max-height: none;
      }
      span {
        display: block;
        min-height: 1.55em;
        padding: 0 0.85rem;
      }
      .added {
        background: light-dark(#e3f4e4, #16301c);
        color: light-dark(#12521c, #a6e3b0);
      }
      .removed {
        background: light-dark(#fce9e7, #3a1d1a);
        color: light-dark(#8a1f16, #ffb4ab);
      }
      .file {
        font-weight: 600;
      }
      .place,
      .note {
        color: var(--muted);
      }
    `,
  ];

  @property({ attribute: false }) text = "";
  /** All of it is shown, without a scrollbar of its own: what is approved must be seen. */
  @property({ type: Boolean, reflect: true }) whole = false;

  override render() {
    const lines = linesOf(this.text);
    const shown = this.whole ? lines.length : SHOWN_LINES;
    const left = lines.length - shown;
    return html`<pre tabindex=${this.whole ? nothing : 0} role="group" aria-label=${this.whole ? t.work.whatWillChange : t.work.whatChanged}>${lines
      .slice(0, shown)
      .map(({ kind, text }) => html`<span class=${kind}>${visibleOutput(text)}</span>`)}${left > 0
      ? html`<span class="note">${fill(t.work.moreLines, { n: left })}</span>`
      : ""}</pre>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-diff": Diff;
  }
}
