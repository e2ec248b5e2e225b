//! Whether the page is dark, for what takes its colors from no stylesheet.

/** What hears that the page has turned dark or light; it may go without saying so. */
export interface SchemeWatcher {
  turned: () => void;
}

const watchers = new Set<WeakRef<SchemeWatcher>>();
let was: boolean | undefined;

/** Whether the page is dark now. */
export function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

/** Tells the watcher when the page turns dark or light. */
export function watchScheme(watcher: SchemeWatcher): void {
  watchers.add(new WeakRef(watcher));
  if (was !== undefined) return;
  was = isDark();
  new MutationObserver(look).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", look);
}

function look(): void {
  const now = isDark();
  if (now === was) return;
  was = now;
  for (const each of watchers) {
    const watcher = each.deref();
    if (watcher) watcher.turned();
    else watchers.delete(each);
  }
}
