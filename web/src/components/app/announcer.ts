//! Says to screen readers what matters and nothing else: a reply when it is whole, a question when it comes.

import { html, type TemplateResult } from "lit";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import type { ServerFrameOf } from "../../protocol/generated";
import type { ChatState } from "../../state/chat";
import { refusedTurn } from "../../state/refusal";
import { findTurn } from "../../state/timeline";
import { plainWords } from "../../text/markdown";
import { visibleLine } from "../../text/visible";

/** How a turn ended, as it stands in the page. */
function endOf(chat: ChatState, frame: ServerFrameOf<"agent-error">): string {
  const turn = findTurn(chat.timeline, frame.turnId ?? frame.messageIds?.[0] ?? "");
  const refused = turn && refusedTurn(turn);
  return refused ? fill(t.asking.refused[refused.by], { tool: visibleLine(refused.call.tool, 64) }) : plainWords(frame.text);
}

/** The page's spoken line. */
export class Announcer {
  private polite = "";
  private urgent = "";
  private heardSeq?: number;

  /** Another session: what it holds is not news. */
  reset(): void {
    this.heardSeq = undefined;
    this.polite = "";
    this.urgent = "";
  }

  /** Says what the eye sees by itself. */
  say(words: string): void {
    this.polite = words;
  }

  /** Takes up what has come since. */
  hear(chat: ChatState): void {
    if (chat.sessionId === undefined) return;
    const since = this.heardSeq ?? chat.readySeq;
    this.heardSeq = Math.max(since, chat.lastSeq);
    for (const frame of chat.log.slice(-20)) {
      if ((frame.seq ?? 0) <= since) continue;
      if (frame.type === "agent-response" || frame.type === "agent-error" || frame.type === "command-response") {
        this.polite = frame.type === "agent-error" ? endOf(chat, frame) : plainWords(frame.text);
      }
    }
    const asked = chat.approvals[0];
    const question = chat.queries[0];
    this.urgent = asked
      ? fill(t.asking.needed, { tool: visibleLine(asked.tool, 64) })
      : question
        ? fill(t.asking.question, { question: visibleLine(question.message, 200) })
        : "";
  }

  get template(): TemplateResult {
    return html`<div class="hidden-text" aria-live="polite" id="spoken">${this.polite}</div>
      <div class="hidden-text" aria-live="assertive">${this.urgent}</div>`;
  }
}
