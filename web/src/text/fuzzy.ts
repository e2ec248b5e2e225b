//! How well a few typed letters fit a line: all of them in order, better together and better where words begin.

/** The score of a fit, higher is better; `undefined` if the letters are not all there in order. */
export function fit(typed: string, line: string): number | undefined {
  const wanted = typed.toLowerCase().replace(/\s+/g, "");
  const text = line.toLowerCase();
  if (wanted === "") return 0;
  const whole = text.indexOf(typed.toLowerCase().trim());
  if (whole >= 0) return 1000 - whole - text.length / 100 + (begins(text, whole) ? 500 : 0);
  let score = 0;
  let at = -1;
  for (const letter of wanted) {
    const next = text.indexOf(letter, at + 1);
    if (next < 0) return undefined;
    score += (next === at + 1 ? 8 : 1) + (begins(text, next) ? 6 : 0) - Math.min(5, next - at - 1) / 5;
    at = next;
  }
  return score - text.length / 100;
}

/** The items that fit, best first; those that fit alike stay in their order. */
export function best<T>(typed: string, items: readonly T[], words: (item: T) => string, limit: number): T[] {
  const scored = items.flatMap((item, at) => {
    const score = fit(typed, words(item));
    return score === undefined ? [] : [{ item, at, score }];
  });
  scored.sort((one, other) => other.score - one.score || one.at - other.at);
  return scored.slice(0, limit).map(({ item }) => item);
}

function begins(text: string, at: number): boolean {
  return at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? "");
}
