//! `<sb-editor-viewer>`: a text in an editor. A file of the workspace is edited and saved; all else is only read. What was
//! typed is never replaced by what the disk says: where both have changed, the user decides.

import { html, nothing, type PropertyValues } from "lit";
import { customElement, state } from "lit/decorators.js";
import type { Text } from "@codemirror/state";
import { ApiError } from "../../connection/api";
import type { Arguments } from "../../connection/commands";
import { ask } from "../../components/events";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import { coloured } from "../../rich/colours";
import { size } from "../../text/format";
import { visible } from "../../text/visible";
import { MOST_SHOWN } from "../content";
import type { Shows } from "../registry";
import type { SaveOutcome } from "../saving";
import { note } from "../unsaved";
import { Viewer } from "../viewer";
import type { Code } from "./code";
import { styles } from "./editor.styles";
import { bytesOf, contentOf, hashOf, MOST_EDITED, openFile, readOn, type OpenFile } from "./file";

/** The file on disk is not the one that was opened: what it is now, if it is there and is text. */
interface Conflict {
  kind: "changed" | "gone" | "unreadable";
  theirs?: OpenFile;
}

@customElement("sb-editor-viewer")
export class EditorViewer extends Viewer<OpenFile> {
  static override styles = [Viewer.styles, coloured, styles];

  @state() private code?: Code;
  @state() private unsaved = false;
  @state() private saving = false;
  /** The last save, until something else happens. */
  @state() private saved?: { callId: string };
  @state() private failed?: string;
  @state() private conflict?: Conflict;
  @state() private comparing = false;
  /** The text as it is on disk. */
  private onDisk?: Text;

  constructor() {
    super();
    this.addEventListener("keydown", (event) => this.key(event));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.updateComplete.then(() => this.code?.reveal());
  }

  override focus(): void {
    this.code?.focus();
  }

  /** What was typed stays. */
  protected override async load(): Promise<void> {
    const { code, content } = this;
    if (!code || !content || this.readOnly(content) !== undefined) return super.load();
    this.meet(await this.conflictNow());
  }

  protected override async fetched(shows: Shows): Promise<OpenFile> {
    const [file, { Code }] = await Promise.all([openFile(shows), import("./code")]);
    const { code, content } = this;
    // What was read on of a large file stays, and is not read on again.
    if (code && content && isSame(content, file)) return content;
    this.take(file, Code);
    return file;
  }

  protected override view(file: OpenFile) {
    const why = this.readOnly(file);
    return html`<div class="tools">${why === undefined ? this.ways() : this.reading(file, why)}</div>
      ${this.failed === undefined ? nothing : html`<p class="note problem" role="alert">${visible(this.failed)}</p>`}
      ${this.conflict ? this.question(this.conflict) : nothing}
      <div class="code">${this.code?.dom}</div>`;
  }

  override updated(changed: PropertyValues): void {
    super.updated(changed);
    note(this, this.unsaved || this.saving);
  }

  private ways() {
    const off = this.saving || !this.unsaved || this.conflict !== undefined;
    const words = this.saving ? t.editor.saving : this.unsaved ? t.editor.unsaved : this.saved ? t.editor.saved : "";
    return html`<button class="button ${off ? "" : "primary"}" aria-disabled=${off ? "true" : "false"} aria-keyshortcuts="Control+S" @click=${this.save}>${t.editor.save}</button>
      <span class="said" role="status">${words}</span>
      ${this.saved && !this.unsaved && !this.saving ? html`<button class="link-button" @click=${this.undo}>${t.work.undo}</button>` : nothing}`;
  }

  private reading(file: OpenFile, why: string) {
    const more = !file.binary && file.loaded < Math.min(file.total, MOST_SHOWN);
    return html`<span class="said">${why}</span>${more ? html`<button class="link-button" @click=${() => void this.more(file)}>${t.editor.more}</button>` : nothing}`;
  }

  /** Both have changed: what now? */
  private question({ kind, theirs }: Conflict) {
    const { conflict: said } = t.editor;
    return html`<div class="conflict" role="alert">
      <p>${said[kind]}${this.comparing ? html` ${said.legend}` : nothing}</p>
      ${theirs ? html`<button class="button" aria-pressed=${this.comparing ? "true" : "false"} @click=${() => void this.compare()}>${this.comparing ? said.hide : said.compare}</button>` : nothing}
      <button class="button" @click=${this.overwrite}>${kind === "gone" ? said.create : said.overwrite}</button>
      ${theirs ? html`<button class="button" @click=${this.takeTheirs}>${said.take}</button>` : nothing}
    </div>`;
  }

  /** Why it is only read, if it is. */
  private readOnly({ utf8, binary, loaded, total }: OpenFile): string | undefined {
    const { readOnly } = t.editor;
    if (binary) return fill(readOnly.binary, { shown: size(loaded), all: size(total) });
    if (total > MOST_EDITED) return fill(readOnly.large, { most: size(MOST_EDITED), shown: size(loaded), all: size(total) });
    if (!this.shows.handle.startsWith("file:")) return readOnly.value;
    return utf8 ? undefined : readOnly.encoding;
  }

  /** Puts what was read into the editor, unless it stands there already. */
  private take(file: OpenFile, Made: typeof Code): void {
    const readOnly = this.readOnly(file) !== undefined;
    const { name } = this.shows;
    if (!this.code) this.code = new Made(this.renderRoot as ShadowRoot, file, { name, readOnly, changed: () => this.changed() });
    else if (!this.content || !isSame(this.content, file)) this.code.replace(file, readOnly);
    this.onDisk = this.code.doc;
    this.changed();
  }

  private changed(): void {
    const { code, onDisk } = this;
    this.unsaved = code !== undefined && onDisk !== undefined && !code.doc.eq(onDisk);
    if (this.unsaved) this.saved = undefined;
  }

  /** What is on disk now: it is shown where nobody has typed, and asked about where somebody has. */
  private meet(conflict: Conflict | undefined): void {
    this.conflict = conflict;
    if (conflict?.theirs && !this.unsaved && !this.saving) this.replace(conflict.theirs);
    if (!this.conflict?.theirs) this.hide();
    this.changed();
  }

  private replace(theirs: OpenFile): void {
    this.hide();
    this.conflict = this.saved = undefined;
    this.code?.replace(theirs, false);
    this.isOnDisk(theirs);
  }

  private async more(file: OpenFile): Promise<void> {
    const { code } = this;
    try {
      code?.append(await readOn(this.shows, file));
      this.onDisk = code?.doc;
      this.changed();
      this.requestUpdate();
    } catch (error) {
      this.failed = (error as Error).message;
    }
  }

  private key(event: KeyboardEvent): void {
    if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    // The browser would save the page.
    event.preventDefault();
    void this.save();
  }

  private readonly save = async (): Promise<void> => {
    if (this.saving || !this.unsaved || this.conflict) return;
    const conflict = await this.conflictNow();
    if (conflict) this.meet(conflict);
    else if (this.content) this.write({ base_sha256: this.content.hash });
  };

  private readonly overwrite = (): void => {
    const { conflict } = this;
    if (conflict?.kind === "gone") this.write({ overwrite: false });
    else this.write(conflict?.theirs ? { base_sha256: conflict.theirs.hash } : {});
  };

  /** Has the file written; `base` says what must be there. */
  private write(base: Arguments): void {
    const { code, content: file } = this;
    if (!code || !file || this.saving || this.readOnly(file) !== undefined) return;
    this.failed = undefined;
    const { doc } = code;
    const bytes = bytesOf(doc, file);
    if (bytes.length > MOST_EDITED) {
      this.failed = fill(t.editor.tooLarge, { size: size(bytes.length), most: size(MOST_EDITED) });
      return;
    }
    // No path is taken for the name of a variable.
    const path = this.shows.handle.replace(/^file:(?=@)/, "file:./").slice("file:".length);
    const hash = hashOf(bytes);
    this.saving = true;
    ask(this, "sb-save", {
      values: { path, ...contentOf(bytes), ...base },
      heard: (outcome) => void this.heard(outcome, doc, { ...file, hash, total: bytes.length, loaded: bytes.length }),
    });
  }

  private async heard(outcome: SaveOutcome, doc: Text, file: OpenFile): Promise<void> {
    if (outcome.saved) this.isOnDisk(file, doc);
    // Why a save failed is told by the file itself, if that is the reason.
    const conflict = outcome.saved ? undefined : await this.conflictNow();
    this.saving = false;
    this.meet(conflict);
    if (outcome.saved && !this.unsaved) this.saved = { callId: outcome.callId };
    if (!outcome.saved && this.unsaved && !conflict) this.failed = outcome.words;
  }

  private isOnDisk(file: OpenFile, doc = this.code?.doc): void {
    this.onDisk = doc;
    this.content = file;
    ask(this, "sb-size", { bytes: file.total });
  }

  /** How the file on disk differs from the one that was opened, if it does. */
  private async conflictNow(): Promise<Conflict | undefined> {
    const { code, content } = this;
    if (!code || !content) return undefined;
    try {
      const theirs = await openFile(this.shows);
      if (theirs.hash === content.hash) return undefined;
      // A save of which nothing was heard, or somebody who wrote the same.
      if (theirs.hash === hashOf(bytesOf(code.doc, content))) this.isOnDisk(theirs);
      else if (theirs.utf8 && theirs.total <= MOST_EDITED) return { kind: "changed", theirs };
      else return { kind: "unreadable" };
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiError)) return { kind: "unreadable" };
      return error.status === 404 ? { kind: "gone" } : undefined;
    }
  }

  private async compare(): Promise<void> {
    this.comparing = !this.comparing;
    await this.code?.compare(this.comparing ? this.conflict?.theirs : undefined);
  }

  private hide(): void {
    if (!this.comparing) return;
    this.comparing = false;
    void this.code?.compare(undefined);
  }

  private readonly takeTheirs = (): void => {
    // What was typed comes back with Ctrl+Z.
    if (this.conflict?.theirs) this.replace(this.conflict.theirs);
    this.changed();
    this.focus();
  };

  private readonly undo = (): void => {
    if (this.saved) ask(this, "sb-undo", { callIds: [this.saved.callId] });
    this.focus();
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-editor-viewer": EditorViewer;
  }
}

/** Whether the same was read of a file twice, as far as it can be told. */
function isSame(one: OpenFile, other: OpenFile): boolean {
  return one.hash === other.hash && one.total === other.total;
}
