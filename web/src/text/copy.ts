//! Puts text on the clipboard.

/** Says whether it is there; pages that are not secure, and people, may not allow it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
