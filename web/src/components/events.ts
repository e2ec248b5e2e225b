//! What components ask for. They read the picture and send events up; `sb-app` alone acts on them.

import type { ApprovalAnswer, JsonValue, Mode, ViewerType } from "../protocol/generated";
import type { Arguments } from "../connection/commands";
import type { Message } from "../state/chat";
import type { Drawable } from "../rich/chartable";
import type { Place } from "./floats/places";
import type { SaveOutcome } from "../viewers/saving";

/** A place that was found, and the words as they stand there. */
export interface FoundWords {
  seq: number;
  words: readonly string[];
  /** Another version of the message was looked at before. */
  from?: Step;
}

/** A step from one version of a message to the next, or to the one before. */
export interface Step {
  step: -1 | 1;
  /** How far below the top of the view the message stood. */
  below: number;
}

/** A part of the settings. */
export type SettingsPart = "appearance" | "models" | "tools" | "permissions" | "agents";

/** Each event with what it carries. */
export interface Asks {
  "sb-send": { text: string; mode: Mode; attachments?: readonly string[] };
  "sb-try": { tool: string; text: string; mode: Mode };
  "sb-suggest": { text: string };
  "sb-again": { messageId: string; text: string };
  "sb-edit": Pick<Message, "id" | "text" | "attachments">;
  "sb-cancel": { messageId?: string };
  "sb-retry": { messageId: string };
  "sb-forget": { messageId: string };
  "sb-approve": { callId: string; decision: ApprovalAnswer; edited?: Arguments; reason?: string };
  "sb-set-aside": { callId: string; aside: boolean };
  "sb-undo": { callIds: readonly string[] };
  "sb-answer": { queryId: string; answer?: JsonValue };
  "sb-open-variable": { name: string };
  "sb-show": { handle: string };
  "sb-chart": Drawable;
  "sb-open-window": { windowId: string; handle: string; viewer: ViewerType };
  "sb-front-window": { windowId: string };
  "sb-close-window": { windowId: string };
  /** Without a place it is docked; a `free` one is found. */
  "sb-place-window": { windowId: string; place: Place | "free" | undefined; focus?: boolean };
  "sb-save": { values: Arguments; heard: (outcome: SaveOutcome) => void };
  /** How large a file is now. */
  "sb-size": { bytes: number };
  "sb-hide-windows": Record<never, never>;
  "sb-set-variable": { name: string; value: JsonValue };
  "sb-rename-variable": { name: string; newName: string };
  "sb-delete-variable": { name: string };
  "sb-branch": { sessionId: string; seq: number } & Step;
  "sb-open-session": { sessionId?: string; at?: FoundWords };
  "sb-searching": { active: boolean };
  "sb-rename-session": { sessionId: string; title: string };
  "sb-name-session": { sessionId: string };
  "sb-pin-session": { sessionId: string; pinned: boolean };
  "sb-replay": { sessionId: string };
  /** Shows the conversation as it stood at this event. */
  "sb-replay-at": { seq: number };
  "sb-replay-end": Record<never, never>;
  /** Goes on in a new conversation that ends at this event. */
  "sb-fork": { seq: number };
  "sb-delete-session": { sessionId: string };
  "sb-undelete-session": { sessionId: string };
  "sb-hold-undo": { held: boolean };
  "sb-list-earlier": Record<never, never>;
  "sb-load-earlier": Record<never, never>;
  /** The end of a conversation that was opened is drawn. */
  "sb-drawn": Record<never, never>;
  "sb-to-start": Record<never, never>;
  "sb-import": Record<never, never>;
  "sb-dismiss": { id: string };
  "sb-toggle": { side: "left" | "right" };
  "sb-edit-last": Record<never, never>;
  "sb-settings": { part?: SettingsPart };
  "sb-help": Record<never, never>;
  "sb-reconnect": Record<never, never>;
  "sb-logged-in": Record<never, never>;
  "sb-close": Record<never, never>;
}

/** An event of ours. */
export type Ask<T extends keyof Asks> = CustomEvent<Asks[T]>;

type AskEvents = { [T in keyof Asks]: Ask<T> };

declare global {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type
  interface HTMLElementEventMap extends AskEvents {}
}

/** A click that wants no other tab, window or file: those are the browser's. */
export function plainClick({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey;
}

/** Sends an event up, out of every shadow root. */
export function ask<T extends keyof Asks>(from: HTMLElement, type: T, detail: Asks[T]): void {
  from.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
}
