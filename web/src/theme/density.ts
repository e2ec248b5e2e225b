//! How much room things take; the choice is kept in this browser.

/** What the user chose. */
export type Density = "roomy" | "compact";

const KEY = "switchboard-density";

/** The choice that was kept. */
export function keptDensity(): Density {
  try {
    return localStorage.getItem(KEY) === "compact" ? "compact" : "roomy";
  } catch {
    return "roomy";
  }
}

/** Shows the page so and keeps the choice. */
export function useDensity(density: Density): void {
  if (density === "roomy") delete document.documentElement.dataset.density;
  else document.documentElement.dataset.density = density;
  try {
    localStorage.setItem(KEY, density);
  } catch {
    // Not kept, then.
  }
}
