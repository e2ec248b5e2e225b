//! What happened at an event, in a few words.

import type { ServerFrame } from "../../protocol/generated";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import { visibleLine } from "../../text/visible";

/** How much of a message stands there. */
const SAID = 120;

/** The words. */
export function eventWords(frame: ServerFrame): string {
  const words = t.past.events;
  switch (frame.type) {
    case "user-message":
      return `${t.work.you}${visibleLine(frame.text, SAID)}`;
    case "agent-thinking":
      return t.work.stages[frame.step];
    case "tool-call-start":
      return fill(words.begins, { tool: tool(frame) });
    case "tool-call-end":
      return fill(frame.success ? words.done : frame.started ? words.failed : words.notRun, { tool: tool(frame) });
    case "approval-request":
      return fill(words.asks, { tool: tool(frame) });
    case "approval-resolved":
      return fill(t.work.permission, { decision: t.work.decisions[frame.decision] ?? frame.decision });
    case "user-query":
      return fill(words.question, { words: visibleLine(frame.message, SAID) });
    case "query-resolved":
      return frame.answer === undefined ? t.work.dismissed : words.answered;
    case "context-update":
      return variables(frame.set.map(({ name }) => name), frame.removed);
    case "context-cleared":
      return t.work.cleared;
    case "display-resource":
      return fill(words.shows, { title: visibleLine(frame.title, SAID) });
    case "close-window":
      return words.closes;
    case "agent-response":
      return words.reply;
    case "agent-error":
      return words.error;
    case "command-response":
    case "command-error":
      return fill(words.command, { command: visibleLine(frame.command.replace(/^\//, ""), 64) });
    case "session-update":
      return frame.title === undefined ? words.other : fill(words.title, { title: visibleLine(frame.title, SAID) });
    default:
      return words.other;
  }
}

function tool(frame: { tool: string }): string {
  return visibleLine(frame.tool, 64);
}

function variables(set: readonly string[], removed: readonly string[]): string {
  const names = (all: readonly string[]) => all.map((name) => `@${visibleLine(name, 64)}`).join(", ");
  const said = [set.length > 0 ? fill(t.past.events.stored, { names: names(set) }) : "", removed.length > 0 ? fill(t.past.events.removed, { names: names(removed) }) : ""];
  return said.filter(Boolean).join(" · ") || t.past.events.other;
}
