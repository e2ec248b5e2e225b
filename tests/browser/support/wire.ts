//! A hand in the page's connection: what the server sends goes through it, and frames can be added that no server would
//! send just now.

import type { Page, WebSocketRoute } from "@playwright/test";

/** A frame as it is on the wire. */
export type Frame = { type: string } & Record<string, unknown>;

/** The connection of a page. */
export class Wire {
  private socket?: WebSocketRoute;
  private last = 0;
  private cut = false;
  private greeted = (): void => undefined;

  private constructor() {}

  /** Stands in the connections that this page makes from its next load on. */
  static async of(page: Page): Promise<Wire> {
    const wire = new Wire();
    await page.routeWebSocket(/\/ws/, (socket) => {
      const server = socket.connectToServer();
      wire.socket = socket;
      server.onMessage((message) => {
        if (wire.cut) return;
        socket.send(message);
        const { type, seq, lastSeq } = JSON.parse(message.toString()) as { type: string; seq?: number; lastSeq?: number };
        if (type === "session-ready") wire.greeted();
        wire.last = Math.max(wire.last, seq ?? (type === "session-ready" ? (lastSeq ?? 0) : 0));
      });
    });
    return wire;
  }

  /** Loads the page again, until the server has said which session it is. */
  async reload(page: Page): Promise<void> {
    const ready = new Promise<void>((greeted) => (this.greeted = greeted));
    await page.reload();
    await ready;
  }

  /** Sends the page a frame of a moment that is not kept. */
  tell(frame: Frame): void {
    this.socket!.send(JSON.stringify({ timestamp: new Date().toISOString(), ...frame }));
  }

  /** Sends the page the next event of the log; the server's own no longer come. */
  record(frame: Frame): void {
    this.cut = true;
    this.last += 1;
    this.tell({ ...frame, seq: this.last });
  }

  /** Loses the connection, as a network does. */
  async lose(): Promise<void> {
    await this.socket!.close({ code: 4999 });
  }
}
