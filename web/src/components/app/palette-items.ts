//! What the palette offers: the page's actions, then conversations, commands and variables.

import type { SessionSummary } from "../../protocol/generated";
import { t } from "../../i18n";
import type { ChatState } from "../../state/chat";
import { COMMANDS } from "../../text/complete";
import type { PaletteItem } from "../palette/palette";

/** What the page can do. */
export interface PageActions {
  new: () => void;
  settings: () => void;
  keys: () => void;
  conversations: () => void;
  variables: () => void;
  start?: () => void;
  replay?: () => void;
  import: () => void;
  export?: () => void;
  stop?: () => void;
  model: () => void;
}

/** What choosing one of the others does. */
export interface Choices {
  open: (sessionId: string) => void;
  write: (text: string) => void;
  show: (name: string) => void;
}

/** All that can be found. */
export function paletteItems(actions: PageActions, choices: Choices, chat: ChatState, sessions: readonly SessionSummary[]): PaletteItem[] {
  const own = Object.entries(actions).flatMap(([id, run]: [string, (() => void) | undefined]) =>
    run ? [{ id, kind: "action" as const, words: t.keys.actions[id as keyof PageActions], run }] : [],
  );
  const conversations = sessions.map(({ sessionId, title }) => ({
    id: sessionId, kind: "conversation" as const, words: title ?? t.page.untitled, run: () => choices.open(sessionId),
  }));
  const commands = COMMANDS.map(({ name, does }) => ({
    id: `/${name}`, kind: "command" as const, words: `/${name}`, hint: does, run: () => choices.write(`/${name} `),
  }));
  const variables = [...chat.variables.keys()].map((name) => ({
    id: `@${name}`, kind: "variable" as const, words: `@${name}`, run: () => choices.show(name),
  }));
  return [...own, ...conversations, ...commands, ...variables];
}
