//! Names a session that is not open in this tab: a short connection that says the one thing and leaves.

import type { ServerFrame } from "../protocol/generated";
import { setTitle } from "./commands";

/** Names the session; fails with words when the server does not confirm. */
export function renameSession(sessionId: string, title: string): Promise<void> {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const socket = new WebSocket(`${scheme}://${location.host}/ws?session=${encodeURIComponent(sessionId)}&tail=1`);
  return new Promise<void>((resolve, reject) => {
    let asked = false;
    socket.addEventListener("message", (event: MessageEvent<string>) => {
      const frame = JSON.parse(event.data) as ServerFrame;
      if (frame.type === "session-ready") {
        socket.send(JSON.stringify(setTitle(title)));
        asked = true;
      } else if (asked && frame.type === "session-update" && frame.title === title) resolve();
      else if (asked && frame.type === "agent-error" && frame.seq === undefined) reject(new Error(frame.text));
    });
    socket.addEventListener("close", () => reject(new Error("The connection was lost before the name was saved. Try again.")));
  }).finally(() => socket.close());
}
