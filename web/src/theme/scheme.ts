//! Light, dark, or as the system says; the choice is kept in this browser.

/** What the user chose. */
export type Scheme = "system" | "light" | "dark";

const KEY = "switchboard-theme";

/** The choice that was kept. */
export function keptScheme(): Scheme {
  const kept = read();
  return kept === "light" || kept === "dark" ? kept : "system";
}

/** Shows the page in this scheme and keeps the choice. */
export function useScheme(scheme: Scheme): void {
  if (scheme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = scheme;
  try {
    localStorage.setItem(KEY, scheme);
  } catch {
    // Not kept, then.
  }
}

function read(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
