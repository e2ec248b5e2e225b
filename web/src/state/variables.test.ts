//! Which turn gave a variable its value, and in which order they stand.

import { expect, it } from "vitest";
import type { ServerFrame } from "../protocol/generated";
import { prepend } from "./pages";
import { fold, kept, message, passing, ready, variable } from "./test-frames";
import { listed } from "./variables";

const set = (seq: number, turn: string | undefined, ...names: [string, number][]): ServerFrame =>
  kept(seq, "context-update", { set: names.map(([name, version]) => variable(name, version)), removed: [] }, turn);

it("a new value comes last, with the words of its turn; what is only outdated stays", () => {
  const state = fold([ready(), message(1, "m1", "First"), set(2, "m1", ["a", 1], ["b", 1]), message(3, "m2", "Second"), set(4, "m2", ["a", 2], ["b", 1])]);
  expect(listed(state.variables).map(({ name, turn }) => [name, turn?.text])).toEqual([["b", "First"], ["a", "Second"]]);
});

it("what the user sets has no turn, and what is removed is gone", () => {
  const state = fold([ready(), set(1, undefined, ["a", 1]), kept(2, "context-update", { set: [], removed: ["a"] }), set(3, undefined, ["b", 1])]);
  expect(listed(state.variables).map(({ name, turn }) => [name, turn])).toEqual([["b", undefined]]);
});

it("a state of the whole keeps what is known of what has not changed", () => {
  const state = fold([ready(), message(1, "m1", "First"), set(2, "m1", ["a", 1], ["b", 1])]);
  const said = { operations: [], openWindows: [], variables: [variable("b", 1), variable("a", 2), variable("c", 1)] };
  const after = fold([passing("context-state", said as never)], state);
  expect(listed(after.variables).map(({ name, version, turn }) => [name, version, turn?.text])).toEqual([["a", 2, undefined], ["c", 1, undefined], ["b", 1, "First"]]);
});

it("the list is the same one while nothing changes", () => {
  const { variables } = fold([ready(), set(1, undefined, ["a", 1])]);
  expect(listed(variables)).toBe(listed(variables));
});

it("another name keeps the turn", () => {
  const state = fold([ready(), message(1, "m1", "First"), set(2, "m1", ["a", 1]), kept(3, "context-update", { set: [variable("b", 1)], removed: ["a"] })]);
  expect(listed(state.variables).map(({ name, turn }) => [name, turn?.text])).toEqual([["b", "First"]]);
});

it("the events behind a snapshot say of which turn its values are", () => {
  const snapshot = { firstSeq: 7, variables: [variable("old", 1), variable("a", 1), variable("b", 1)], openWindows: [] };
  const state = fold([ready({ lastSeq: 10, snapshot: snapshot as never }), message(7, "m1", "First"), set(8, "m1", ["b", 1]), message(9, "m2", "Second"), set(10, "m2", ["a", 1])]);
  expect(listed(state.variables).map(({ name, turn }) => [name, turn?.text])).toEqual([["old", undefined], ["b", "First"], ["a", "Second"]]);
});

it("an older page says of which turn values are that have not changed since", () => {
  const values = [variable("old", 1), variable("a", 1), variable("b", 2), variable("c", 1), variable("d", 1)];
  const snapshot = { firstSeq: 7, variables: values, openWindows: [] };
  const state = fold([ready({ lastSeq: 8, snapshot: snapshot as never }), message(7, "m3", "Third"), set(8, "m3", ["d", 1])]);
  const page = [message(1, "m1", "First"), set(2, "m1", ["b", 1], ["d", 0]), set(3, "m1", ["c", 1]), message(4, "m2", "Second"), set(5, "m2", ["b", 2]), set(6, undefined, ["a", 1])];
  expect(listed(prepend(state, page).variables).map(({ name, turn }) => [name, turn?.text])).toEqual([
    ["old", undefined],
    ["a", undefined],
    ["c", "First"],
    ["b", "Second"],
    ["d", "Third"],
  ]);
});

it("an older page does not tell of another variable of the same name, and gives the words of a turn that it has", () => {
  const whole = [message(1, "m1", "First"), message(2, "m2", "Second"), set(3, "m1", ["a", 1]), kept(4, "context-update", { set: [], removed: ["a"] }), set(5, undefined, ["a", 1]), set(6, "m2", ["b", 1])];
  const snapshot = { variables: [variable("a", 1)], openWindows: [], firstSeq: 4 };
  const tail = fold([ready({ lastSeq: 6, snapshot: snapshot as never }), ...whole.slice(3)]);
  expect(listed(tail.variables).map(({ name, turn }) => [name, turn?.text])).toEqual([["a", undefined], ["b", ""]]);

  const all = prepend(tail, whole.slice(0, 3));
  expect(listed(all.variables).map(({ name, turn }) => [name, turn?.text])).toEqual([["a", undefined], ["b", "Second"]]);
});
