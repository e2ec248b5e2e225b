//! Lists and sets that are made anew each time the page is drawn: what shows them is drawn again only if they hold something
//! else. For `hasChanged` of a property.

/** Whether they hold other things, or the same in another order. */
export function itemsChanged(now: Iterable<unknown> | undefined, before: Iterable<unknown> | undefined): boolean {
  const [one, other] = [[...(now ?? [])], [...(before ?? [])]];
  return one.length !== other.length || one.some((item, at) => item !== other[at]);
}
