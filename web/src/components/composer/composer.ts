//! `<sb-composer>`: where the user writes. Enter sends, Shift+Enter breaks the line; `/` and `@` are completed; while
//! a turn runs it says in words what sending will do, and offers to stop.

import { html, LitElement, nothing, type PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { t } from "../../i18n";
import type { Mode } from "../../protocol/generated";
import { base, buttons } from "../../theme/base";
import { mcpServers, tools } from "../../connection/api";
import { completions, type Completion, type ServerName, type SlashCommand, type ToolName } from "../../text/complete";
import { visibleLine } from "../../text/visible";
import type { Message } from "../../state/chat";
import { ask } from "../events";
import { attachIcon, sendIcon, stopIcon } from "../icons";
import { styles } from "./composer.styles";
import { Uploads } from "../uploads/uploads";
import { styles as uploads } from "../uploads/uploads.styles";

const MODES: readonly Mode[] = ["queue", "steer", "interrupt"];

@customElement("sb-composer")
export class Composer extends LitElement {
  static override styles = [base, buttons, uploads, styles];

  /** A turn runs. */
  @property({ type: Boolean }) busy = false;
  @property({ type: Boolean }) disabled = false;
  /** The session that files are sent to. */
  @property() session = "";
  @property({ attribute: false }) variables: readonly { name: string; preview: string }[] = [];

  @state() private text = "";
  @state() private mode: Mode = "queue";
  @state() private offers: Completion[] = [];
  @state() private chosen = 0;
  /** The message that is being edited, and what belongs to it: what is sent takes its place, in a new session. */
  @state() private edited?: { id: string; attached: readonly string[] };
  /** Commands that MCP servers bring along, and when they were asked for. */
  private prompts: SlashCommand[] = [];
  /** The tools, for `/try`. */
  private tools: readonly ToolName[] = [];
  /** The MCP servers, for `/mcp`. */
  private servers: readonly ServerName[] = [];
  private declined = false;
  private learntAt = Number.NEGATIVE_INFINITY;
  @query("textarea") private field!: HTMLTextAreaElement;
  @query("input[type=file]") private chooser!: HTMLInputElement;
  private readonly uploads = new Uploads(this, () => this.session, { attaches: true, arrived: (path) => this.name(path), removed: (path) => this.unname(path) });

  override connectedCallback(): void {
    super.connectedCallback();
    // A file that falls anywhere is attached: the browser would leave the page for it.
    document.addEventListener("dragover", this.dragged);
    document.addEventListener("drop", this.dropped);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener("dragover", this.dragged);
    document.removeEventListener("drop", this.dropped);
  }

  /** Puts the keyboard into the field. */
  override focus(): void {
    this.field?.focus();
  }

  /** Nothing has been written. */
  get empty(): boolean {
    return this.text.trim() === "";
  }

  /** Puts a text into the field, as if it had been written. */
  fill(text: string): void {
    this.text = text;
    this.focus();
  }

  /** Begins to edit a message that was sent. */
  edit({ id, text, attachments = [] }: Pick<Message, "id" | "text" | "attachments">): void {
    this.edited = { id, attached: attachments.map(({ name }) => name) };
    this.uploads.again(this.edited.attached);
    this.fill(text);
  }

  /** Edits no more: the message belongs to a conversation that is not shown any longer. */
  leave(): void {
    if (this.edited === undefined) return;
    this.edited = undefined;
    this.uploads.once();
    this.text = "";
  }

  override render() {
    const open = this.offers.length > 0;
    return html`${open ? this.list() : nothing}
      <div class="frame">
        ${this.busy ? this.modes() : nothing} ${this.edited === undefined ? nothing : this.editing()} ${this.uploads.view(t.writing.files)}
        <div class="row">
          <input type="file" multiple hidden aria-label=${t.writing.attach} @change=${this.picked} />
          <button class="icon-button attach" aria-label=${t.writing.attach} title=${t.writing.attach} ?disabled=${this.disabled || this.session === ""} @click=${() => this.chooser.click()}>${attachIcon}</button>
          <textarea
            rows="1"
            aria-label=${t.writing.message}
            aria-controls=${open ? "offers" : nothing}
            aria-haspopup="listbox"
            aria-autocomplete="list"
            aria-activedescendant=${open ? `offer-${this.chosen}` : nothing}
            placeholder=${t.writing.placeholder}
            enterkeyhint="send"
            .value=${live(this.text)}
            ?disabled=${this.disabled}
            @input=${this.typed}
            @keydown=${this.pressed}
            @paste=${this.pasted}
            @blur=${() => (this.offers = [])}
          ></textarea>
          ${this.busy
            ? html`<button class="stop" @click=${() => ask(this, "sb-cancel", {})}>${stopIcon} ${t.writing.stop}</button>`
            : nothing}
          <button class="send" aria-label=${t.writing.send} title=${t.writing.send} ?disabled=${this.empty || this.disabled || this.uploads.busy} @click=${this.send}>${sendIcon}</button>
        </div>
      </div>`;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    // What was uploaded belongs to the conversation that it was uploaded to.
    if (changed.get("session")) this.uploads.clear();
  }

  override updated(changed: PropertyValues): void {
    if (changed.has("chosen")) this.renderRoot.querySelector(`#offer-${this.chosen}`)?.scrollIntoView({ block: "nearest" });
  }

  private picked(): void {
    this.attach(this.chooser.files);
    this.chooser.value = "";
  }

  private attach(files: FileList | null | undefined): boolean {
    if (!files || files.length === 0 || this.disabled || this.session === "") return false;
    this.uploads.add(files);
    return true;
  }

  private pasted(event: ClipboardEvent): void {
    if (this.attach(event.clipboardData?.files)) event.preventDefault();
  }

  private readonly dragged = (event: DragEvent): void => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  };

  private readonly dropped = (event: DragEvent): void => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    this.attach(event.dataTransfer.files);
  };

  /** A file that has arrived is named where the user writes. */
  private name(path: string): void {
    const at = this.field.selectionStart;
    const [before, after] = [this.text.slice(0, at), this.text.slice(at)];
    const written = `${before}${before === "" || /\s$/.test(before) ? "" : " "}${path}${/^\s/.test(after) ? "" : " "}`;
    this.write(written + after, written.length);
  }

  /** A file that is not to be sent is named no longer. */
  private unname(path: string): void {
    const at = ` ${this.text} `.indexOf(` ${path} `);
    if (at >= 0) this.text = this.text.slice(0, at) + this.text.slice(at + path.length + 1);
    this.focus();
  }

  /** Puts a text into the field and the cursor at a place in it. */
  private write(text: string, cursor: number): void {
    this.text = text;
    void this.updateComplete.then(() => {
      this.field.focus();
      this.field.setSelectionRange(cursor, cursor);
    });
  }

  private modes() {
    return html`<fieldset>
      <legend>${t.writing.send}</legend>
      ${MODES.map(
        (mode) => html`<label title=${t.writing.modes[mode].hint}>
          <input type="radio" name="mode" .checked=${live(this.mode === mode)} @change=${() => (this.mode = mode)} />${t.writing.modes[mode].words}<span class="hidden-text">. ${t.writing.modes[mode].hint}</span>
        </label>`,
      )}
    </fieldset>`;
  }

  private editing() {
    return html`<p class="editing" role="status">
      ${t.writing.editing}
      <button class="link-button" @click=${this.keep}>${t.writing.cancelEdit}</button>
    </p>`;
  }

  private keep(): void {
    this.leave();
    this.focus();
  }

  private list() {
    return html`<ul role="listbox" id="offers" aria-label=${t.writing.completions} tabindex="0" @mousedown=${(event: Event) => event.preventDefault()}>
      ${this.offers.map(
        (offer, at) => html`<li
          role="option"
          id="offer-${at}"
          aria-selected=${at === this.chosen ? "true" : "false"}
          @mousedown=${(event: Event) => {
            event.preventDefault();
            this.take(offer);
          }}
        >
          <span class="label">${offer.label}</span><span class="detail">${visibleLine(offer.detail, 120)}</span>
        </li>`,
      )}
    </ul>`;
  }

  /** Puts the list away; what is learnt later does not bring it back. */
  private decline(): void {
    this.declined = true;
    this.offers = [];
  }

  private typed(): void {
    this.text = this.field.value;
    this.declined = false;
    this.offer();
    if (this.text.startsWith("/")) void this.learn();
  }

  /** Asks which MCP servers, prompts and tools there are, but not at every key. */
  private async learn(): Promise<void> {
    if (performance.now() - this.learntAt < 5000) return;
    this.learntAt = performance.now();
    const [servers, all] = await Promise.all([mcpServers().catch(() => []), tools().catch(() => [])]);
    this.tools = all.map((tool) => ({ name: tool.name, does: tool.function.description }));
    this.servers = servers;
    this.prompts = servers.flatMap(({ prompts }) =>
      prompts.map(({ command, usage, description }) => ({ name: command, usage, does: description })),
    );
    const more = this.prompts.length > 0 || ((all.length > 0 || servers.length > 0) && this.offers.length === 0);
    if (more && !this.declined && this.text.startsWith("/")) this.offer();
  }

  private offer(): void {
    this.offers = completions(this.text, this.field.selectionStart, this.variables, this.prompts, this.tools, this.servers);
    this.chosen = 0;
  }

  private pressed(event: KeyboardEvent): void {
    if (event.isComposing) return;
    const offer = this.offers[this.chosen];
    if (offer && this.inList(event, offer)) {
      event.preventDefault();
      return;
    }
    if (event.key === "ArrowUp" && this.text === "" && this.edited === undefined && !event.shiftKey) {
      event.preventDefault();
      ask(this, "sb-edit-last", {});
      return;
    }
    if (event.key === "Escape" && this.edited !== undefined) {
      event.preventDefault();
      this.keep();
      return;
    }
    // On a touch keyboard Enter breaks the line, as everywhere else there; the button sends.
    if (event.key === "Enter" && !event.shiftKey && !matchMedia("(pointer: coarse)").matches) {
      event.preventDefault();
      this.send();
    }
  }

  private inList(event: KeyboardEvent, offer: Completion): boolean {
    const { length } = this.offers;
    if (event.key === "ArrowDown") this.chosen = (this.chosen + 1) % length;
    else if (event.key === "ArrowUp") this.chosen = (this.chosen + length - 1) % length;
    else if (event.key === "Escape") this.decline();
    else if (event.key === "Tab" && !event.shiftKey) this.take(offer);
    else if (event.key === "Enter" && !event.shiftKey && !offer.exact) this.take(offer);
    else return false;
    return true;
  }

  private take(offer: Completion): void {
    this.offers = [];
    this.write(offer.text, offer.cursor);
  }

  private send(): void {
    if (this.empty || this.disabled || this.uploads.busy) return;
    const text = this.text.trim();
    const mode = this.busy ? this.mode : "queue";
    const { edited } = this;
    const { attached } = this.uploads;
    // Of the commands only one takes any. A message in the place of another one has what belonged to that, if nothing is said.
    const said = edited ? edited.attached.join() !== attached.join() : attached.length > 0 && !/^\/(?!\/|try )/.test(text);
    ask(this, "sb-send", { text: edited ? `/rerun ${edited.id} ${text}` : text, mode, ...(said && { attachments: attached }) });
    // What is known of the servers holds until one of them is switched.
    if (text.startsWith("/mcp ")) this.learntAt = Number.NEGATIVE_INFINITY;
    this.uploads.clear();
    this.edited = undefined;
    this.text = "";
    this.mode = "queue";
    this.offers = [];
    this.focus();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "sb-composer": Composer;
  }
}
