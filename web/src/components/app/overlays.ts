//! What lies over the page, one at a time. The larger ones are loaded when they are first opened.

import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../i18n";
import type { ChatState } from "../../state/chat";
import { visible } from "../../text/visible";
import { reasonerName } from "../banner/banner";
import "../dialog/dialog";
import type { PaletteItem } from "../palette/palette";
import { aboutSandbox } from "../sandbox/sandbox";
import "../variable/variable";

/** What is open. */
export type Overlay =
  | { kind: "variable"; name: string }
  | { kind: "about" }
  | { kind: "palette"; items: () => readonly PaletteItem[]; gone: () => ReadonlySet<string> }
  | { kind: "settings" }
  | { kind: "help" };

const LOADED: { [kind: string]: (() => Promise<unknown>) | undefined } = {
  about: () => import("../providers/providers"),
  palette: () => import("../palette/palette"),
  settings: () => import("../settings/settings"),
  help: () => import("../help/help"),
};

/** Loads what this one needs. */
export async function load({ kind }: Overlay): Promise<void> {
  await LOADED[kind]?.();
}

/** Draws it. */
export function overlay(open: Overlay | undefined, chat: ChatState, online: boolean): TemplateResult | typeof nothing {
  switch (open?.kind) {
    case "variable":
      return variable(open.name, chat, online);
    case "about":
      return about(chat);
    case "palette":
      return html`<sb-palette .items=${open.items()} .gone=${open.gone()}></sb-palette>`;
    case "settings":
      return html`<sb-settings></sb-settings>`;
    case "help":
      return html`<sb-help></sb-help>`;
    default:
      return nothing;
  }
}

function variable(name: string, { variables, sessionId }: ChatState, online: boolean) {
  const found = variables.get(name);
  if (!found || !sessionId) return nothing;
  return html`<sb-variable .sessionId=${sessionId} .variable=${found} .variables=${[...variables.values()]} ?online=${online}></sb-variable>`;
}

function about({ reasoner, sandbox }: ChatState) {
  if (!reasoner) return nothing;
  return html`<sb-dialog heading=${reasonerName(reasoner)}>
    <p class="about">${visible(reasoner.about ?? t.dialogs.reasoner.does)}</p>
    <p class="about">${aboutSandbox(sandbox) ?? nothing}</p>
    <sb-providers></sb-providers>
  </sb-dialog>`;
}
