//! The files with changes that are not saved. Their editors are kept while their windows are hidden, behind others or
//! closed by somebody else, so that nothing that was typed is lost, and the browser asks before the page is left.

import type { Source } from "./content";

/** An editor, and what it shows. */
type Editor = HTMLElementTagNameMap["sb-editor-viewer"];

const editors = new Set<Editor>();

/** Hears `change` when a file begins or ceases to have unsaved changes. */
export const unsaved = new EventTarget();

/** Takes note of whether an editor has unsaved changes. */
export function note(editor: Editor, changed: boolean): void {
  if (editors.has(editor) === changed) return;
  if (changed) editors.add(editor);
  else editors.delete(editor);
  unsaved.dispatchEvent(new Event("change"));
}

/** Whether the file has unsaved changes. */
export function isUnsaved(source: Source): boolean {
  return kept(source) !== undefined;
}

/** The editor of the file that has unsaved changes, wherever it stands. */
export function kept(source: Source): Editor | undefined {
  return [...editors].find((editor) => isOf(editor, source));
}

/** Gives up the changes of the file. */
export function discard(source: Source): void {
  for (const editor of editors) if (isOf(editor, source)) note(editor, false);
}

function isOf({ shows }: Editor, { session, handle }: Source): boolean {
  return shows.session === session && shows.handle === handle;
}

window.addEventListener("beforeunload", (event) => {
  if (editors.size > 0) event.preventDefault();
});
