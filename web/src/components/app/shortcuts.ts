//! The page's keys. A key that a field, a list or a dialog has taken is not taken again.

/** What keys do. */
export interface Shortcuts {
  palette: () => void;
  help: () => void;
  /** Closes a side that lies over the page, or goes back to now; says whether there was one. */
  closeSides: () => boolean;
  /** Takes back the last deletion; says whether there was one. */
  undo: () => boolean;
  /** Stops what runs; says whether something did. */
  stop: () => boolean;
}

/** Does what the key means, if it means anything here. */
export function pressed(event: KeyboardEvent, does: Shortcuts): void {
  if (event.defaultPrevented || event.isComposing) return;
  const path = event.composedPath();
  const inDialog = path.some((node) => node instanceof HTMLDialogElement);
  const taken = act(event, does, inDialog, isField(path[0]));
  if (taken) event.preventDefault();
}

function act(event: KeyboardEvent, does: Shortcuts, inDialog: boolean, inField: boolean): boolean {
  const { key } = event;
  const command = (event.ctrlKey || event.metaKey) && !event.altKey;
  if (command && key.toLowerCase() === "k") {
    does.palette();
    return true;
  }
  // In a field it takes back what was typed.
  if (command && !inDialog && !inField && !event.shiftKey && key.toLowerCase() === "z") return does.undo();
  if (inDialog || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (key === "?" && !inField) {
    does.help();
    return true;
  }
  return key === "Escape" && (does.closeSides() || does.stop());
}

function isField(target: EventTarget | undefined): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(?:input|textarea|select)$/.test(target.localName));
}
