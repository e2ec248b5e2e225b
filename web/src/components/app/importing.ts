//! Takes in conversations that were exported, here or on another server.

import type { LitElement } from "lit";
import { importSession } from "../../connection/api";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import { visibleLine } from "../../text/visible";

/** What importing needs of the page. */
export interface ImportHost {
  open: (sessionId: string) => void;
  say: (words: string, level?: "error" | "info") => void;
}

/** Lets the user choose a file and takes it in, when that is asked for. */
export class Importing {
  constructor(
    host: LitElement,
    private readonly page: ImportHost,
  ) {
    host.addEventListener("sb-import", () => this.choose());
  }

  private choose(): void {
    const input = document.createElement("input");
    input.type = "file";
    input.accept = ".jsonl,.ndjson,application/x-ndjson";
    input.onchange = () => void this.take(input.files?.[0]);
    input.click();
  }

  private async take(file: File | undefined): Promise<void> {
    if (!file) return;
    const name = visibleLine(file.name, 60);
    this.page.say(fill(t.listing.importing, { name }), "info");
    try {
      const { sessionId } = await importSession(file);
      this.page.open(sessionId);
    } catch (error) {
      this.page.say(fill(t.listing.notImported, { name, why: (error as Error).message }));
    }
  }
}
