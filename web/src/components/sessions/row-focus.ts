//! Keeps the keyboard in a list whose rows move: a row that is moved in the document loses it, and one that is taken out
//! loses it for good.

import type { LitElement, ReactiveController } from "lit";
import { nowhere } from "../focus";

/** Where the keyboard was. */
interface Kept {
  session?: string;
  row: number;
  part: string;
  /** The user goes by keyboard: whoever clicks on has no need of the next row. */
  keys: boolean;
}

/** Watches the rows of a component: elements with `data-session`. */
export class RowFocus implements ReactiveController {
  /** The component is being drawn: what loses the keyboard now gets it back. */
  drawing = false;
  private kept?: Kept;

  constructor(private readonly host: LitElement) {
    host.addController(this);
  }

  hostUpdate(): void {
    this.drawing = true;
    const { rows, active } = this;
    const row = active?.closest<HTMLElement>("[data-session]");
    const at = row ? { session: row.dataset.session, row: rows.indexOf(row), part: active!.localName } : { row: rows.length, part: "a" };
    this.kept = active?.closest("nav") ? { ...at, keys: active.matches(":focus-visible") } : undefined;
  }

  hostUpdated(): void {
    this.restore();
    this.drawing = false;
  }

  private restore(): void {
    if (!this.kept || !nowhere()) return;
    const { rows } = this;
    const { session, row: at, part, keys } = this.kept;
    const same = rows.find(({ dataset }) => dataset.session === session);
    const row = same ?? (keys ? rows[Math.min(at, rows.length - 1)] : undefined);
    (row?.querySelector<HTMLElement>(part) ?? row?.querySelector<HTMLElement>("a, input"))?.focus();
  }

  private get rows(): HTMLElement[] {
    return [...this.host.renderRoot.querySelectorAll<HTMLElement>("[data-session]")];
  }

  private get active(): Element | null {
    return (this.host.renderRoot as ShadowRoot).activeElement;
  }
}
