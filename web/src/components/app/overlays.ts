//! What lies over the page, one at a time. The larger ones are loaded when they are first opened.

import { html, nothing, type LitElement, type TemplateResult } from "lit";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import type { ChatState } from "../../state/chat";
import { listed } from "../../state/variables";
import "../dialog/dialog";
import { ask, type SettingsPart } from "../events";
import type { PaletteItem } from "../palette/palette";

/** What is open. */
export type Overlay =
  | { kind: "variable"; name: string }
  | { kind: "unsaved"; title: string; discard: () => void }
  | { kind: "palette"; items: () => readonly PaletteItem[]; gone: () => ReadonlySet<string> }
  | { kind: "settings"; part?: SettingsPart }
  | { kind: "help" };

const LOADED: { [kind: string]: (() => Promise<unknown>) | undefined } = {
  variable: () => import("../variable/variable"),
  palette: () => import("../palette/palette"),
  settings: () => import("../settings/settings"),
  help: () => import("../help/help"),
};

/** What is open, if something is. */
export class Overlays {
  private open?: Overlay;

  constructor(
    private readonly host: LitElement,
    /** What one needs could not be loaded. */
    private readonly failed: () => void,
  ) {
    host.addEventListener("sb-settings", ({ detail }) => void this.lay({ kind: "settings", part: detail.part }));
    host.addEventListener("sb-help", () => void this.lay({ kind: "help" }));
  }

  get kind(): Overlay["kind"] | undefined {
    return this.open?.kind;
  }

  /** Lays it over the page, instead of what is there. */
  async lay(open: Overlay): Promise<void> {
    try {
      await LOADED[open.kind]?.();
      this.open = open;
      this.host.requestUpdate();
    } catch {
      this.failed();
    }
  }

  close(): void {
    this.open = undefined;
    this.host.requestUpdate();
  }

  view(chat: ChatState, showing: Showing): TemplateResult | typeof nothing {
    return overlay(this.open, chat, showing);
  }
}

/** How it is shown. */
export interface Showing {
  online: boolean;
  /** The event at which the picture is looked at, if that is not now. */
  at: number | undefined;
}

function overlay(open: Overlay | undefined, chat: ChatState, showing: Showing): TemplateResult | typeof nothing {
  switch (open?.kind) {
    case "variable":
      return variable(open.name, chat, showing);
    case "unsaved":
      return unsavedChanges(open.title, open.discard);
    case "palette":
      return html`<sb-palette .items=${open.items()} .gone=${open.gone()}></sb-palette>`;
    case "settings":
      return html`<sb-settings .shown=${open.part ?? "appearance"} .reasoner=${chat.reasoner} .sandbox=${chat.sandbox}></sb-settings>`;
    case "help":
      return html`<sb-help></sb-help>`;
    default:
      return nothing;
  }
}

function variable(name: string, { variables, sessionId }: ChatState, { online, at }: Showing) {
  const found = variables.get(name);
  if (!found || !sessionId) return nothing;
  return html`<sb-variable .sessionId=${sessionId} .variable=${found} .variables=${listed(variables)} .at=${at} ?online=${online}></sb-variable>`;
}

function unsavedChanges(title: string, discard: () => void) {
  const close = (event: Event) => ask(event.currentTarget as HTMLElement, "sb-close", {});
  return html`<sb-dialog heading=${fill(t.editor.closing.title, { title })}>
    <p class="about">${t.editor.closing.says}</p>
    <p class="choices">
      <button class="button primary" @click=${close}>${t.editor.closing.keep}</button>
      <button class="button danger" @click=${(event: Event) => (close(event), discard())}>${t.editor.closing.discard}</button>
    </p>
  </sb-dialog>`;
}
