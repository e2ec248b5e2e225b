//! The keyboard is never lost: what had it and is gone gives it to what the page says.

/** The element that has the keyboard, however deep. */
export function focused(): Element | null {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element;
}

/** Whether nothing has the keyboard. */
export function nowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/** Watches what has the keyboard. */
export class FocusKeeper {
  private last?: Element;

  constructor(
    host: HTMLElement,
    private readonly home: () => void,
  ) {
    // A move of the focus within one shadow root is not heard outside of it; what people do is.
    for (const act of ["keydown", "keyup", "click"]) {
      host.addEventListener(act, () => this.remember(), { capture: true });
      host.addEventListener(act, () => this.soon());
    }
  }

  private remember(): void {
    if (!nowhere()) this.last = focused() ?? undefined;
  }

  /** After what was done has been drawn. */
  soon(): void {
    requestAnimationFrame(() => requestAnimationFrame(() => this.check()));
  }

  /** If what had the keyboard is gone, and nothing has it now, it goes home. */
  check(): void {
    const { last } = this;
    if (!last || !nowhere() || (last.isConnected && last.getClientRects().length > 0)) return;
    this.last = undefined;
    this.home();
  }
}
