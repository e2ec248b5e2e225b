//! Which language the page speaks: the chosen one, else the browser's, else English. The choice is kept in this browser.

import { speak } from "./index";

/** What can be chosen. */
export type Choice = "system" | "en" | "de";

const KEY = "switchboard-language";

/** The choice that was kept. */
export function keptLanguage(): Choice {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === "en" || kept === "de" ? kept : "system";
  } catch {
    return "system";
  }
}

/** Keeps the choice, and loads the page again to speak it. */
export function chooseLanguage(choice: Choice): void {
  try {
    localStorage.setItem(KEY, choice);
  } catch {
    return;
  }
  location.reload();
}

/** Loads the words before the page is drawn. */
export async function useLanguage(): Promise<void> {
  const choice = keptLanguage();
  const language = choice === "system" ? (navigator.language.startsWith("de") ? "de" : "en") : choice;
  if (language === "en") return;
  speak((await import("./de")).de);
  document.documentElement.lang = language;
}
