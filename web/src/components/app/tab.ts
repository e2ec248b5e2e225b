//! What the browser's tab says while nobody looks at it: its title, and, where the user wants that, a notification when a turn
//! waits for an answer or has ended.

import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import type { ChatState } from "../../state/chat";
import { plainWords } from "../../text/markdown";
import { visibleLine } from "../../text/visible";
import { wantsNotifications } from "../../theme/notifications";

/** The most that a notification says. */
const MOST = 200;

/** The tab. */
export class Tab {
  private session?: string;
  private heard = 0;
  private asked = new Set<string>();

  /** Takes up what has come since. */
  hear(chat: ChatState): void {
    const waits = chat.approvals.length + chat.queries.length;
    document.title = `${waits > 0 ? `(${waits}) ` : ""}${chat.title ? `${visibleLine(chat.title, 80)} · ` : ""}Switchboard`;
    if (chat.sessionId !== this.session) {
      this.session = chat.sessionId;
      this.heard = 0;
      this.asked.clear();
    }
    const news = this.news(chat);
    if (news !== undefined && document.hidden && wantsNotifications()) this.notify(chat, news);
  }

  /** What has just ended or is asked, in words; the newest, if there are several. */
  private news({ approvals, queries, log, lastSeq, readySeq }: ChatState): string | undefined {
    const since = Math.max(this.heard, readySeq);
    this.heard = lastSeq;
    const end = log.slice(-20).findLast(({ type, seq }) => (seq ?? 0) > since && (type === "agent-response" || type === "agent-error"));
    const asked = [
      ...approvals.map(({ callId, tool }) => [callId, fill(t.asking.needed, { tool: visibleLine(tool, 64) })] as const),
      ...queries.map(({ queryId, message }) => [queryId, fill(t.asking.question, { question: visibleLine(message, MOST) })] as const),
    ];
    const fresh = asked.filter(([id]) => !this.asked.has(id));
    this.asked = new Set(asked.map(([id]) => id));
    if (fresh.length > 0) return fresh.at(-1)?.[1];
    return end?.type === "agent-response" || end?.type === "agent-error" ? visibleLine(plainWords(end.text), MOST) : undefined;
  }

  private notify({ title, sessionId }: ChatState, body: string): void {
    // Browsers on phones have the name and make none.
    let notification: Notification;
    try {
      notification = new Notification(visibleLine(title ?? "Switchboard", 80), { body, tag: sessionId ?? "", icon: "pwa/icon-192.png" });
    } catch {
      return;
    }
    notification.onclick = () => {
      window.focus();
      notification.close();
    };
  }
}
