//! How much room there is: the sides lie over the page where it is narrow, and an approval covers a small screen.

import type { ReactiveController, ReactiveControllerHost } from "lit";

/** The room, as it is now. */
export class Screen implements ReactiveController {
  private readonly small = matchMedia("(max-width: 860px)");
  private readonly medium = matchMedia("(max-width: 1150px)");
  private readonly large = matchMedia("(min-width: 1500px)");
  private readonly phone = matchMedia("(max-width: 640px), (max-height: 480px)");

  constructor(
    private readonly host: ReactiveControllerHost,
    /** Hears when the sides begin or cease to lie over the page. */
    private readonly turned: (narrow: boolean) => void,
  ) {
    host.addController(this);
  }

  /** The sides lie over the page. */
  get narrow(): boolean {
    return this.small.matches;
  }

  /** There is room for one side. */
  get middling(): boolean {
    return this.medium.matches;
  }

  /** There is room for a side beside windows. */
  get wide(): boolean {
    return this.large.matches;
  }

  /** A question needs all of it. */
  get tiny(): boolean {
    return this.phone.matches;
  }

  hostConnected(): void {
    this.small.addEventListener("change", this.changed);
    this.medium.addEventListener("change", this.changed);
    this.phone.addEventListener("change", this.changed);
  }

  hostDisconnected(): void {
    this.small.removeEventListener("change", this.changed);
    this.medium.removeEventListener("change", this.changed);
    this.phone.removeEventListener("change", this.changed);
  }

  private readonly changed = (event: Event): void => {
    if (event.target === this.small) this.turned(this.narrow);
    this.host.requestUpdate();
  };
}
