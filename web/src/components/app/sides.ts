//! The sides of the page: the conversations at the left, the variables at the right. On a narrow screen they lie over the
//! page, and the keyboard goes into the one that opens and back to the button of the one that closes.

import type { LitElement } from "lit";
import type { Screen } from "./screen";

/** One of the two. */
export type Side = "left" | "right";

const ELEMENTS: Record<Side, string> = { left: "sb-sessions", right: "sb-context" };

/** Which sides are open. */
export class Sides {
  private readonly open: Record<Side, boolean> = { left: false, right: false };

  constructor(
    private readonly host: LitElement,
    private readonly screen: Screen,
    /** Gives the keyboard to the button that opens this side. */
    private readonly back: (side: Side) => void,
  ) {}

  get left(): boolean {
    return this.open.left;
  }

  get right(): boolean {
    return this.open.right;
  }

  /** A side lies over the page. */
  get over(): boolean {
    return this.screen.narrow && (this.open.left || this.open.right);
  }

  /** Opens or closes a side, or both, and leaves the keyboard where it is. */
  set(open: Partial<Record<Side, boolean>>): void {
    Object.assign(this.open, open);
    this.host.requestUpdate();
  }

  /** Closes a side. */
  close(side: Side): void {
    this.set({ [side]: false });
    if (this.screen.narrow) void this.host.updateComplete.then(() => this.back(side));
  }

  /** Closes the sides that lie over the page; says whether there was one. */
  closeAll(): boolean {
    if (!this.over) return false;
    for (const side of ["left", "right"] as const) if (this.open[side]) this.close(side);
    return true;
  }

  toggle(side: Side): void {
    if (this.open[side]) return this.close(side);
    this.set({ [side]: true });
    if (!this.screen.narrow) return;
    void this.host.updateComplete.then(() => {
      this.host.renderRoot.querySelector(ELEMENTS[side])?.shadowRoot?.querySelector<HTMLElement>(".header button")?.focus();
    });
  }
}
