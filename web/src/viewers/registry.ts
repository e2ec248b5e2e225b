//! The viewers by type: each is loaded when the first window needs it. This is the only way to them.

import { t } from "../i18n";
import type { OpenWindow, ViewerType } from "../protocol/generated";
import { size } from "../text/format";
import type { Source } from "./content";
import { kept } from "./unsaved";

/** What a viewer is given. */
export interface Shows extends Source {
  /** Its name, for headings and for screen readers. */
  name: string;
  /** Its media type, where it is known. */
  kind?: string;
}

/** A viewer that there is: the server speaks of texts, and the page shows those that are JSON in their own way. */
export type Shown = ViewerType | "json";

const VIEWERS: Record<Shown, { tag: string; load: () => Promise<unknown> }> = {
  editor: { tag: "sb-editor-viewer", load: () => import("./editor/editor") },
  image: { tag: "sb-image-viewer", load: () => import("./image/image") },
  directory: { tag: "sb-directory-viewer", load: () => import("./directory/directory") },
  table: { tag: "sb-table-viewer", load: () => import("./table/table") },
  markdown: { tag: "sb-markdown-viewer", load: () => import("./markdown/markdown") },
  diff: { tag: "sb-diff-viewer", load: () => import("./diff/diff") },
  pdf: { tag: "sb-pdf-viewer", load: () => import("./pdf/pdf") },
  chart: { tag: "sb-chart-viewer", load: () => import("./chart/chart") },
  json: { tag: "sb-json-viewer", load: () => import("./json/json") },
};

/** How a resource is shown. */
export function shownAs(type: ViewerType, handle: string, kind: string | undefined): Shown {
  const isJson = kind === "application/json" || /^file:.*\.(?:json|geojson|jsonl|ndjson)$/i.test(handle);
  return type === "editor" && isJson ? "json" : type;
}

/** What a window shows, and how large it is. */
export function factsOf({ viewerType, resource: { handle, mimeType, bytes } }: Pick<OpenWindow, "viewerType" | "resource">): string {
  const kind = t.windows.kinds[shownAs(viewerType, handle, mimeType)] ?? viewerType;
  return bytes > 0 ? `${kind} · ${size(bytes)}` : kind;
}

/** The viewer's element, with what it shows. */
export async function viewer(type: ViewerType, shows: Shows): Promise<HTMLElement> {
  const { tag, load } = VIEWERS[shownAs(type, shows.handle, shows.kind)];
  await load();
  // What was typed into it is still there.
  const editor = tag === "sb-editor-viewer" ? kept(shows) : undefined;
  const element = editor ?? (document.createElement(tag) as HTMLElement & { shows: Shows });
  element.shows = shows;
  return element;
}
