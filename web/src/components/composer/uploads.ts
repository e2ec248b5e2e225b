//! Files on their way to the server: chosen, dropped or pasted, with progress and a way to stop. What has arrived belongs to the
//! message, which also names it by its path in the workspace, until it is sent or the file is removed.

import { html, nothing, type ReactiveController, type ReactiveControllerHost } from "lit";
import { ApiError, uploadFile } from "../../connection/api";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import { size } from "../../text/format";
import { visibleLine } from "../../text/visible";
import { closeIcon, pageIcon } from "../icons";

/** The largest file, as the server takes it. */
export const LARGEST = 16 * 1024 * 1024;

/** How many go at a time; more are refused, with a word. */
const AT_ONCE = 10;

/** One file on its way, or why it did not arrive. */
interface Item {
  name: string;
  bytes: number;
  sent: number;
  problem?: string;
  /** What it has become. */
  kept?: { path: string; variable: string };
  stop: AbortController;
}

/** Hears of files. */
export interface UploadHost {
  /** One has arrived at this path. */
  arrived: (path: string) => void;
  /** The one at this path is not to be sent. */
  removed: (path: string) => void;
}

export class Uploads implements ReactiveController {
  private items: readonly Item[] = [];

  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly session: () => string,
    private readonly hears: UploadHost,
  ) {
    host.addController(this);
  }

  hostDisconnected(): void {
    this.clear();
  }

  /** Whether a file is still on its way. */
  get busy(): boolean {
    return this.items.some(isOnItsWay);
  }

  /** Takes these files. */
  add(files: Iterable<File>): void {
    for (const file of files) void this.send(file);
  }

  /** The variables of those that have arrived. */
  get attached(): string[] {
    return this.items.flatMap(({ kept }) => (kept ? [kept.variable] : []));
  }

  /** Stops all, and forgets what has arrived and what went wrong. */
  clear(): void {
    for (const item of this.items) item.stop.abort();
    this.set([]);
  }

  view() {
    if (this.items.length === 0) return nothing;
    return html`<ul class="uploads" aria-label=${t.writing.files}>
      ${this.items.map((item) => {
        const name = visibleLine(item.name, 60);
        const percent = item.bytes === 0 ? 100 : Math.floor((100 * item.sent) / item.bytes);
        return html`<li class=${item.kept ? "kept" : item.problem === undefined ? "" : "wrong"}>
          ${item.kept ? html`${pageIcon} <span>${name}</span>` : nothing}
          ${isOnItsWay(item) ? html`<span>${name}</span><progress max="100" .value=${percent} aria-label=${fill(t.writing.uploading, { name })}></progress>` : nothing}
          ${item.problem === undefined ? nothing : html`<span role="alert">${visibleLine(item.problem, 300)}</span>`}
          <button class="icon-button" aria-label=${fill(t.writing.removeFile, { name })} title=${fill(t.writing.removeFile, { name })} @click=${() => this.drop(item)}>${closeIcon}</button>
        </li>`;
      })}
    </ul>`;
  }

  private async send(file: File): Promise<void> {
    const item: Item = { name: file.name, bytes: file.size, sent: 0, stop: new AbortController() };
    const refusal = this.refusal(file);
    this.set([...this.items, { ...item, ...(refusal === undefined ? {} : { problem: refusal }) }]);
    if (refusal !== undefined) return;
    try {
      const kept = await uploadFile(this.session(), file, (sent) => this.change(item, { sent }), item.stop.signal);
      if (item.stop.signal.aborted) return;
      this.change(item, { kept });
      this.hears.arrived(kept.path);
    } catch (error) {
      if (item.stop.signal.aborted) return;
      const why = error instanceof ApiError ? error.message : t.connection.checkServer;
      this.change(item, { problem: fill(t.writing.notUploaded, { name: item.name, why }) });
    }
  }

  private refusal({ name, size: bytes }: File): string | undefined {
    if (bytes > LARGEST) return fill(t.writing.tooLarge, { name, size: size(LARGEST) });
    if (bytes === 0) return fill(t.writing.emptyFile, { name });
    return this.items.length >= AT_ONCE ? fill(t.writing.tooMany, { name, n: String(AT_ONCE) }) : undefined;
  }

  private drop({ stop, kept }: Item): void {
    stop.abort();
    this.set(this.items.filter((item) => item.stop !== stop));
    if (kept) this.hears.removed(kept.path);
  }

  private change({ stop }: Item, change: Partial<Item>): void {
    this.set(this.items.map((item) => (item.stop === stop ? { ...item, ...change } : item)));
  }

  private set(items: readonly Item[]): void {
    this.items = items;
    this.host.requestUpdate();
  }
}

function isOnItsWay({ problem, kept }: Item): boolean {
  return problem === undefined && kept === undefined;
}
