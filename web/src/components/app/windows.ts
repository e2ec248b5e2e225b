//! The windows as the page holds them: whether they are seen, and which one is in front. They are loaded with the first.

import { html, nothing, type LitElement } from "lit";
import type { ClientFrame, OpenWindow, ViewerType } from "../../protocol/generated";
import { callTool, windowClosed } from "../../connection/commands";
import { randomId } from "../../connection/session";
import { t } from "../../i18n";
import type { ChatState } from "../../state/chat";
import type { Store } from "../../state/store";

/** The pane of windows. */
export class WindowPane {
  private hidden = true;
  private front?: string;
  /** The user asked for the next one. */
  private wanted = false;
  private seen = new WeakSet<OpenWindow>();

  constructor(
    private readonly host: LitElement,
    /** The sides lie over the page. */
    private readonly narrow: () => boolean,
    store: Store,
    /** Sends to the server; whether it was sent. */
    send: (frame: ClientFrame) => boolean,
    /** The windows come into view and need room. */
    private readonly shown: () => void,
  ) {
    const show = (handle: string, viewer?: ViewerType) =>
      send(callTool(randomId(), "display_resource", { resource_handle: handle, ...(viewer && { viewer_type: viewer }) }));
    host.addEventListener("sb-show", ({ detail }) => {
      if (show(detail.handle)) this.wanted = true;
    });
    host.addEventListener("sb-chart", ({ detail: { data, type, x, y } }) => send(callTool(randomId(), "make_chart", { data, type, x, y })));
    host.addEventListener("sb-open-window", ({ detail }) => {
      const open = store.state.windows.some(({ windowId }) => windowId === detail.windowId);
      if (open) void this.bring(detail.windowId);
      else if (show(detail.handle, detail.viewer)) this.wanted = true;
    });
    host.addEventListener("sb-front-window", ({ detail }) => {
      this.front = detail.windowId;
      host.requestUpdate();
    });
    host.addEventListener("sb-close-window", ({ detail }) => send(windowClosed(detail.windowId)));
    host.addEventListener("sb-hide-windows", () => this.hide());
  }

  /** Takes note of the windows; one that was just shown comes to the front, but does not cover a small screen. */
  hear({ windows }: ChatState): void {
    const last = windows.at(-1);
    const isNew = last !== undefined && !this.seen.has(last);
    windows.forEach((window) => this.seen.add(window));
    if (!isNew) return;
    this.front = last.windowId;
    if (!this.narrow() || this.wanted) void this.show();
    this.wanted = false;
  }

  /** Brings a window to the front. */
  async bring(windowId: string): Promise<void> {
    this.front = windowId;
    await this.show();
  }

  hide(): void {
    this.hidden = true;
    this.host.requestUpdate();
  }

  /** Whether the windows lie over the conversation. */
  covers({ windows }: ChatState): boolean {
    return this.narrow() && !this.hidden && windows.length > 0;
  }

  view({ windows, sessionId }: ChatState) {
    if (this.hidden || windows.length === 0 || sessionId === undefined) return nothing;
    return html`<sb-windows
      role="complementary"
      aria-label=${t.windows.pane}
      class=${this.narrow() ? "over" : ""}
      .sessionId=${sessionId}
      .windows=${windows}
      .front=${this.front}
    ></sb-windows>`;
  }

  private async show(): Promise<void> {
    await import("../windows/windows");
    this.hidden = false;
    this.shown();
    this.host.requestUpdate();
  }
}
