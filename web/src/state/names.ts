//! The names of the variables that there are now, for the replies that speak of them.

let names: ReadonlySet<string> = new Set();

/** Takes the names of the open conversation. */
export function setNames(known: Iterable<string>): void {
  names = new Set(known);
}

/** Whether there is a variable of this name. */
export function knownName(name: string): boolean {
  return names.has(name);
}
