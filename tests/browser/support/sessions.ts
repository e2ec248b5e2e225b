//! Long conversations as files to import.

interface Event {
  frame: Record<string, unknown>;
  private?: Record<string, unknown>;
}

const AT = "2026-03-04T10:00:00.000Z";

/** A conversation of so many turns, each with a reply of a few lines, and a variable of its own if that is wanted. */
export function longSession(turns: number, variables: boolean): string {
  const events: Event[] = [];
  const add = (turnId: string, frame: Record<string, unknown>, hidden?: Record<string, unknown>): void => {
    events.push({ frame: { ...frame, seq: events.length + 1, timestamp: AT, turnId }, ...(hidden && { private: hidden }) });
  };
  for (let turn = 1; turn <= turns; turn += 1) {
    const id = `m${turn}`;
    add(id, { type: "user-message", messageId: id, text: `What came of step ${turn}?`, mode: "queue" });
    if (variables) {
      const [name, text] = [`value_${turn}`, `The value of step ${turn}, in one line.`];
      const origin = { tool: "user", inputs: [] };
      const variable = { name, version: 1, type: "text", preview: text, bytes: text.length, origin, stale: false };
      add(id, { type: "context-update", set: [variable], removed: [] }, { values: { [name]: { text } } });
    }
    const text = `Step ${turn} is **done**:\n\n- it took ${turn % 50} ms\n- nothing else changed\n\nThe next one is \`step-${turn + 1}\`.`;
    add(id, { type: "agent-response", messageIds: [id], text, toolsUsed: [], contextUpdated: variables ? [`value_${turn}`] : [], reasoning: "", operationCount: 0, complete: true });
  }
  const head = { switchboardExport: 1, protocolVersion: 1, sessionId: "00000000-0000-4000-8000-000000000000", title: `${turns} turns`, events: events.length };
  const lines = events.map((event, at) => ({ seq: at + 1, at: AT, ...event }));
  return [head, ...lines].map((line) => `${JSON.stringify(line)}\n`).join("");
}
