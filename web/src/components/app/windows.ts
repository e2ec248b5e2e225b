//! The windows as the page holds them: whether they are seen, and which one is in front. They are loaded with the first.

import { html, nothing, type LitElement } from "lit";
import type { ClientFrame, OpenWindow, ViewerType } from "../../protocol/generated";
import { callTool, windowClosed } from "../../connection/commands";
import { randomId, sessionStorageIfAllowed } from "../../connection/session";
import { t } from "../../i18n";
import type { ChatState } from "../../state/chat";
import type { Store } from "../../state/store";
import { visibleLine } from "../../text/visible";
import { roomNow, Places, type Place } from "../floats/places";
import type { Floating } from "../floats/floats";
import { discard, isUnsaved, unsaved } from "../../viewers/unsaved";
import { Saves } from "./saves";

/** What the windows need of the page. */
export interface WindowPaneHost {
  /** The sides lie over the page. */
  narrow: () => boolean;
  store: Store;
  /** Sends to the server; whether it was sent. */
  send: (frame: ClientFrame) => boolean;
  /** The windows come into view and need room. */
  shown: () => void;
  /** Asks before a window is closed whose changes are not saved. */
  ask: (title: string, discard: () => void) => void;
}

/** The windows, docked or floating. */
export class WindowPane {
  readonly saves: Saves;
  private readonly places = new Places(sessionStorageIfAllowed());
  private hidden = true;
  private front?: string;
  /** The user asked for the next one. */
  private wanted = false;
  private seen = new WeakSet<OpenWindow>();
  /** The newest event that was looked at. */
  private heard = 0;
  /** How many calls have changed files. */
  private changes = 0;
  private floatsLoaded = false;

  constructor(
    private readonly host: LitElement,
    private readonly page: WindowPaneHost,
  ) {
    const { store, send } = page;
    this.saves = new Saves(host, send);
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
    host.addEventListener("sb-place-window", ({ detail: { windowId, place, focus } }) => void this.put(windowId, place === "free" ? this.places.free(roomNow()) : place, focus));
    host.addEventListener("sb-close-window", ({ detail }) => this.close(detail.windowId));
    host.addEventListener("sb-hide-windows", () => this.hide());
    unsaved.addEventListener("change", () => host.requestUpdate());
  }

  /** Takes note of the windows; one that was just shown comes to the front, but does not cover a small screen. */
  hear(chat: ChatState): void {
    const { windows, sessionId } = chat;
    this.saves.hear(chat);
    this.hearChanges(chat);
    if (sessionId !== undefined) this.places.attach(sessionId);
    if (!this.floatsLoaded && windows.some(({ windowId }) => this.places.get(windowId))) void this.loadFloats();
    const last = windows.at(-1);
    const isNew = last !== undefined && !this.seen.has(last);
    windows.forEach((window) => this.seen.add(window));
    // What floated before a reload is where it was.
    const back = chat.lastSeq <= chat.readySeq && last !== undefined && this.places.get(last.windowId) !== undefined;
    if (!isNew || back) return;
    if (!this.page.narrow() || this.wanted) void this.bring(last.windowId);
    else this.front = last.windowId;
    this.wanted = false;
  }

  /** Brings a window to the front. */
  async bring(windowId: string): Promise<void> {
    const place = this.page.narrow() ? undefined : this.places.get(windowId);
    if (place) return this.put(windowId, place.state === "minimized" ? { ...place, state: "normal" } : place);
    this.front = windowId;
    await this.show();
  }

  hide(): void {
    this.hidden = true;
    this.host.requestUpdate();
  }

  /** Whether the windows lie over the conversation. */
  covers({ windows }: ChatState): boolean {
    return this.page.narrow() && !this.hidden && windows.length > 0;
  }

  /** Whether some are put away, so that the page has a row for them. */
  shelved(chat: ChatState): boolean {
    return this.floating(chat).some(({ place }) => place.state === "minimized");
  }

  view(chat: ChatState) {
    const { sessionId, windows } = chat;
    if (sessionId === undefined) return nothing;
    const narrow = this.page.narrow();
    const floating = this.floating(chat);
    const docked = windows.filter((window) => !floating.some((one) => one.window === window));
    const unsavedIds = new Set(windows.filter((window) => this.isUnsaved(window)).map(({ windowId }) => windowId));
    return html`${this.hidden || docked.length === 0
      ? nothing
      : html`<sb-windows
          role="complementary"
          aria-label=${t.windows.pane}
          class=${narrow ? "over" : ""}
          .sessionId=${sessionId}
          .windows=${docked}
          .front=${this.front}
          .changes=${this.changes}
          .unsaved=${unsavedIds}
          ?floats=${!narrow}
        ></sb-windows>`}
    ${floating.length === 0
      ? nothing
      : html`<sb-floats role="complementary" aria-label=${t.windows.floating} .sessionId=${sessionId} .windows=${floating} .changes=${this.changes} .unsaved=${unsavedIds}></sb-floats>`}`;
  }

  /** Those that float; on a small screen there are only tabs. */
  private floating({ windows }: ChatState): Floating[] {
    if (this.page.narrow() || !this.floatsLoaded) return [];
    const level = new Map(this.places.all.map(([windowId], at) => [windowId, at]));
    return windows.flatMap((window) => {
      const place = this.places.get(window.windowId);
      return place ? [{ window, place, level: level.get(window.windowId) ?? 0 }] : [];
    });
  }

  /** Puts a window there; without a place it is docked. */
  private async put(windowId: string, place: Place | undefined, focus = false): Promise<void> {
    this.places.put(windowId, place);
    if (!place) {
      this.front = windowId;
      await this.show();
    } else if (!this.floatsLoaded) await this.loadFloats();
    this.host.requestUpdate();
    if (!focus) return;
    await this.host.updateComplete;
    if (place) await this.host.renderRoot.querySelector("sb-floats")?.focusOn(windowId);
    else this.host.renderRoot.querySelector<HTMLElement>("sb-windows")?.focus();
  }

  private async loadFloats(): Promise<void> {
    await import("../floats/floats");
    this.floatsLoaded = true;
    this.host.requestUpdate();
  }

  /** Calls change files that windows show. */
  private hearChanges({ log, lastSeq }: ChatState): void {
    const news = lastSeq > this.heard ? log.slice(log.findIndex(({ seq }) => (seq ?? 0) > this.heard)) : [];
    this.heard = lastSeq;
    this.changes += news.filter((frame) => frame.type === "tool-call-end" && (frame.undoable || frame.diff || frame.undid)).length;
  }

  private isUnsaved({ resource, earlier = [] }: OpenWindow): boolean {
    const session = this.page.store.state.sessionId ?? "";
    return [resource, ...earlier.map((view) => view.resource)].some(({ handle }) => isUnsaved({ session, handle }));
  }

  /** Closes a window, once it is clear that nothing is lost or that it may be. */
  private close(windowId: string): void {
    const { windows, sessionId: session = "" } = this.page.store.state;
    const window = windows.find((one) => one.windowId === windowId);
    const close = () => {
      if (this.page.send(windowClosed(windowId))) this.places.put(windowId, undefined);
    };
    if (!window || !this.isUnsaved(window)) return close();
    this.page.ask(visibleLine(window.title, 120), () => {
      for (const { resource } of [window, ...(window.earlier ?? [])]) discard({ session, handle: resource.handle });
      close();
    });
  }

  private async show(): Promise<void> {
    await import("../windows/windows");
    this.hidden = false;
    this.page.shown();
    this.host.requestUpdate();
  }
}
