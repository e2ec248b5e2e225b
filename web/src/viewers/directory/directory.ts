//! `<sb-directory-viewer>`: a folder of the workspace: its folders are opened here, its files in windows.

import { css, html, type PropertyValues } from "lit";
import { customElement, state } from "lit/decorators.js";
import { t } from "../../i18n";
import { size } from "../../text/format";
import { visibleLine } from "../../text/visible";
import { ask } from "../../components/events";
import { jsonOf } from "../content";
import type { Shows } from "../registry";
import { Viewer } from "../viewer";

interface Item {
  name: string;
  type: "file" | "directory" | "link" | "other";
  bytes: number;
}

interface Folder {
  /** The name of the folder that all of them are in; a server before this existed does not say. */
  workspace?: string;
  entries: Item[];
  more: boolean;
}

@customElement("sb-directory-viewer")
export class DirectoryViewer extends Viewer<Folder> {
  static override styles = [
    Viewer.styles,
    css`
      ul {
        margin: 0;
        padding: 0.3rem;
        list-style: none;
      }
      li button {
        display: flex;
        gap: 0.8rem;
        width: 100%;
        padding: 0.4rem 0.6rem;
        border: 0;
        border-radius: var(--radius-small);
        background: none;
        text-align: start;
      }
      li button:hover {
        background: var(--sunken);
      }
      .name {
        flex: 1;
        min-width: 0;
        overflow-wrap: anywhere;
        font: 0.86rem/1.5 var(--mono);
      }
      .folder .name {
        font-weight: 600;
      }
      .bytes {
        color: var(--muted);
        font-size: 0.84rem;
        white-space: nowrap;
      }
      .path {
        font: 0.84rem/1.5 var(--mono);
        overflow-wrap: anywhere;
      }
    `,
  ];

  /** Where it is now, from the top of the workspace, which is "". */
  @state() private path = "";

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("shows")) this.path = this.shows.handle.replace(/^file:\.?$|^file:/, "");
    super.willUpdate(changed);
  }

  protected override async fetched({ session }: Shows): Promise<Folder> {
    return (await jsonOf({ session, handle: `file:${this.path || "."}` })) as Folder;
  }

  protected override view({ workspace, entries, more }: Folder) {
    const folders = entries.filter(({ type }) => type === "directory");
    const files = entries.filter(({ type }) => type !== "directory");
    const top = this.path === "";
    return html`<div class="tools">
        <button class="button" ?disabled=${top} @click=${() => this.go(this.path.replace(/\/?[^/]*$/, ""))}>${t.windows.up}</button>
        <span class="path"><strong>${visibleLine(workspace ?? t.windows.workspace, 100)}</strong>${top ? "" : `/${visibleLine(this.path, 300)}`}</span>
      </div>
      <div class="body">
        ${entries.length === 0 ? html`<p class="note">${t.windows.emptyFolder}</p>` : ""}
        <ul aria-label=${t.windows.files}>
          ${[...folders, ...files].map((item) => this.item(item))}
        </ul>
        ${more ? html`<p class="note">${t.windows.moreFiles}</p>` : ""}
      </div>`;
  }

  private item({ name, type, bytes }: Item) {
    const below = this.path === "" ? name : `${this.path}/${name}`;
    const folder = type === "directory";
    return html`<li class=${folder ? "folder" : ""}>
      <button @click=${() => (folder ? this.go(below) : ask(this, "sb-show", { handle: `file:${below}` }))}>
        <span class="name">${visibleLine(name, 200)}${folder ? "/" : ""}</span>
        ${folder ? "" : html`<span class="bytes">${size(bytes)}</span>`}
      </button>
    </li>`;
  }

  private go(path: string): void {
    this.path = path;
    void this.load();
  }
}
