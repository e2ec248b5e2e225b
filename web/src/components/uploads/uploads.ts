//! Files on their way to the server: chosen, dropped or pasted, with progress and a way to stop. What has arrived can be taken
//! back until a message has it: the file is deleted then, and its variable.

import { html, nothing, type ReactiveController, type ReactiveControllerHost } from "lit";
import { ApiError, discardUpload, uploadFile, type Uploaded } from "../../connection/api";
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
  kept?: Uploaded;
  /** The variable of a message that was sent, which is sent again. */
  variable?: string;
  stop: AbortController;
}

/** What the files are for, and who hears of them. */
export interface UploadHost {
  /** They wait for a message: all of them count, and one is deleted by one click, since nothing else has it yet. */
  attaches?: boolean;
  /** One has arrived at this path. */
  arrived?: (path: string) => void;
  /** The one at this path is not wanted any more. */
  removed?: (path: string) => void;
}

export class Uploads implements ReactiveController {
  private items: readonly Item[] = [];
  /** The one whose deletion has to be confirmed. */
  private sure?: AbortController;

  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly session: () => string,
    private readonly hears: UploadHost = {},
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

  /** The variables of those that have arrived, and of those that were sent before. */
  get attached(): string[] {
    return this.items.flatMap(({ kept, variable = kept?.variable }) => variable ?? []);
  }

  /** These variables belong to the message that is sent again. */
  again(variables: readonly string[]): void {
    this.set([...variables.map((variable) => ({ name: variable, variable, bytes: 0, sent: 0, stop: new AbortController() })), ...this.new]);
  }

  /** No message is sent again. */
  once(): void {
    this.set(this.new);
  }

  private get new(): readonly Item[] {
    return this.items.filter(({ variable }) => variable === undefined);
  }

  /** Forgets what became a variable that is gone. */
  forget(isGone: (variable: string) => boolean): void {
    this.items = this.items.filter(({ kept }) => !kept || !isGone(kept.variable));
  }

  /** Stops all, and forgets what has arrived and what went wrong. */
  clear(): void {
    for (const item of this.items) item.stop.abort();
    this.set([]);
  }

  /** Those there are; of what has arrived, what is there still. */
  view(label: string, isThere: (variable: string) => boolean = () => true) {
    const shown = this.items.filter(({ kept }) => !kept || isThere(kept.variable));
    if (shown.length === 0) return nothing;
    return html`<ul class="uploads" aria-label=${label}>
      ${shown.map((item) => {
        const name = visibleLine(item.name, 60);
        const percent = item.bytes === 0 ? 100 : Math.floor((100 * item.sent) / item.bytes);
        const remove = fill(item.kept ? t.writing.deleteFile : t.writing.removeFile, { name });
        const sure = item.stop === this.sure;
        return html`<li class=${item.problem !== undefined ? "wrong" : isOnItsWay(item) ? "" : "kept"}>
          ${item.problem === undefined && !isOnItsWay(item) ? html`${pageIcon} <span>${name}</span>` : nothing}
          ${isOnItsWay(item) ? html`<span>${name}</span><progress max="100" .value=${percent} aria-label=${fill(t.writing.uploading, { name })}></progress>` : nothing}
          ${item.problem === undefined ? nothing : html`<span role="alert">${visibleLine(item.problem, 300)}</span>`}
          <button class=${sure ? "link-button" : "icon-button"} aria-label=${sure ? nothing : remove} title=${remove} @click=${() => this.remove(item)}>${sure ? t.side.deleteSure : closeIcon}</button>
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
      this.hears.arrived?.(kept.path);
    } catch (error) {
      if (item.stop.signal.aborted) return;
      const why = error instanceof ApiError ? error.message : t.connection.checkServer;
      this.change(item, { problem: fill(t.writing.notUploaded, { name: item.name, why }) });
    }
  }

  private refusal({ name, size: bytes }: File): string | undefined {
    if (bytes > LARGEST) return fill(t.writing.tooLarge, { name, size: size(LARGEST) });
    if (bytes === 0) return fill(t.writing.emptyFile, { name });
    const count = this.hears.attaches ? this.items.length : this.items.filter(isOnItsWay).length;
    return count >= AT_ONCE ? fill(t.writing.tooMany, { name, n: String(AT_ONCE) }) : undefined;
  }

  private remove(item: Item): void {
    const sure = !item.kept || this.hears.attaches || item.stop === this.sure;
    this.sure = sure ? undefined : item.stop;
    if (sure) void this.drop(item);
    else this.host.requestUpdate();
  }

  private async drop(item: Item): Promise<void> {
    const { stop, kept, name } = item;
    const session = this.session();
    stop.abort();
    this.set(this.items.filter((other) => other.stop !== stop));
    if (!kept) return;
    this.hears.removed?.(kept.path);
    try {
      await discardUpload(session, kept);
    } catch (error) {
      if (session !== this.session()) return;
      const { kept: _, ...rest } = item;
      this.set([...this.items, { ...rest, problem: fill(t.writing.notDeleted, { name, why: (error as Error).message }) }]);
    }
  }

  private change({ stop }: Item, change: Partial<Item>): void {
    this.set(this.items.map((item) => (item.stop === stop ? { ...item, ...change } : item)));
  }

  private set(items: readonly Item[]): void {
    this.items = items;
    this.host.requestUpdate();
  }
}

function isOnItsWay({ problem, kept, variable }: Item): boolean {
  return problem === undefined && kept === undefined && variable === undefined;
}
