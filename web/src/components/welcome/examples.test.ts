//! Examples are made of what is there, and of nothing that would not work.

import { describe, expect, it } from "vitest";
import { examplesOf, type Item } from "./examples";

const file = (name: string, bytes = 10): Item => ({ name, type: "file", bytes });
const folder = (name: string): Item => ({ name, type: "directory", bytes: 0 });
const texts = (entries: Item[], head?: string, cut?: boolean) => examplesOf(entries, head, cut).map(({ text }) => text);

describe("examples", () => {
  it("are of the files that are there, one of each kind", () => {
    expect(texts([])).toEqual([]);
    expect(texts([folder("src"), file("sales.csv"), file("cat.png"), file("dog.png"), file("notes.md"), file("README.md")], "region,amount\nNorth,3\n")).toEqual([
      "What is the total amount in sales.csv?", "Show cat.png", "Show README.md",
    ]);
    expect(texts([folder(".git"), folder("src"), file("package-lock.json"), file("config.json"), file("notes.txt")])).toEqual([
      "Show config.json", "How many lines are in notes.txt?", "Open the folder src",
    ]);
  });

  it("ask for a sum only where there is one", () => {
    const asked = (head: string, cut = false) => texts([file("t.csv")], head, cut);
    expect(asked("name,price\nTea,2.50\nMilk,-1\n")).toEqual(["What is the total price in t.csv?"]);
    for (const head of ["", "name\nTea\n", "id,year\n1,1999\n", "a b,price (EUR)\n1,2\n", 'name,price\n"Tea, green",2\n', "price\n2\nunknown\n", "a;amount\n1;2\n", "name,amount\nTea,1,2\n", "amount\n"]) {
      expect(asked(head), head).toEqual(["How many rows are in t.csv?"]);
    }
    // The last line is not whole.
    expect(asked("name,price\nTea,2\nMi", true)).toEqual(["What is the total price in t.csv?"]);
  });

  it("leave out what a request could not name, and what is empty", () => {
    expect(texts([file("my notes.txt"), file(".env.txt"), file("a;rm.txt"), file("empty.txt", 0), folder("my folder"), { name: "link.txt", type: "link", bytes: 3 }])).toEqual([]);
    expect(texts([file("Übersicht_1.2.txt")])).toEqual(["How many lines are in Übersicht_1.2.txt?"]);
  });
});
