//! What is drawn again, and what is not.

import { expect, it } from "vitest";
import { itemsChanged } from "./changed";

it("is the same while the items are", () => {
  const [a, b] = [{}, {}];
  const same: [Iterable<unknown>, Iterable<unknown>][] = [[[a, b], [a, b]], [new Set(["x"]), new Set(["x"])], [[], []]];
  const other: [Iterable<unknown>, Iterable<unknown> | undefined][] = [[[a], [b]], [[a, b], [b, a]], [[a, b], [a]], [[a], undefined], [new Set(["x"]), new Set(["y"])]];
  expect(same.map(([now, before]) => itemsChanged(now, before))).toEqual([false, false, false]);
  expect(other.map(([now, before]) => itemsChanged(now, before))).toEqual([true, true, true, true, true]);
});
