//! What is done to variables: one is looked at, set, renamed or deleted.

import type { LitElement } from "lit";
import { deleteVariable, renameVariable, setVariable } from "../../connection/commands";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import type { ClientFrame } from "../../protocol/generated";
import type { ChatState } from "../../state/chat";
import { setNames } from "../../state/names";
import { visibleLine } from "../../text/visible";
import type { Overlays } from "./overlays";

/** What it needs of the page. */
export interface VariablesHost {
  /** The picture that is shown. */
  shown: () => ChatState;
  /** Sends to the server; whether it was sent. */
  send: (frame: ClientFrame) => boolean;
  say: (words: string) => void;
  overlays: Overlays;
}

/** Does it. */
export class Variables {
  private known?: ChatState["variables"];

  constructor(
    host: LitElement,
    private readonly page: VariablesHost,
  ) {
    const { send, overlays } = page;
    host.addEventListener("sb-open-variable", ({ detail }) => this.show(detail.name));
    host.addEventListener("sb-set-variable", ({ detail }) => send(setVariable(detail.name, detail.value)));
    host.addEventListener("sb-rename-variable", ({ detail }) => {
      if (send(renameVariable(detail.name, detail.newName))) overlays.close();
    });
    host.addEventListener("sb-delete-variable", ({ detail }) => {
      if (send(deleteVariable(detail.name))) overlays.close();
    });
  }

  /** Replies that name one show that it is there. */
  hear({ variables }: ChatState): void {
    if (variables !== this.known) setNames(variables.keys());
    this.known = variables;
  }

  /** Opens it, if there is one of that name. */
  show(name: string): void {
    if (this.page.shown().variables.has(name)) void this.page.overlays.lay({ kind: "variable", name });
    else this.page.say(fill(t.connection.noVariable, { name: visibleLine(name, 64) }));
  }
}
