//! Rows and columns as people write them.

import { describe, expect, it } from "vitest";
import { asCsv, asTabs, isNumeric, ordered, tableOf } from "./rows";

describe("a table", () => {
  it("is read from CSV with quotes, Windows line ends and missing cells", () => {
    expect(tableOf('name,said\r\n"Smith, J.","He said ""hi""\nand left"\r\nLee\r\n')).toEqual({
      columns: ["name", "said"],
      rows: [["Smith, J.", 'He said "hi"\nand left'], ["Lee", ""]],
    });
  });

  it("is read with whatever separates its first line", () => {
    expect(tableOf("a;b\n1;2\n")?.rows).toEqual([["1", "2"]]);
    expect(tableOf("a\tb\n1\t2\n")?.rows).toEqual([["1", "2"]]);
  });

  it("is read from a list of objects", () => {
    expect(tableOf('[{"a": 1}, {"b": {"c": null}}]')).toEqual({ columns: ["a", "b"], rows: [["1", ""], ["", '{"c":null}']] });
  });

  it("is put in order as numbers where they are numbers", () => {
    const table = tableOf("n,t\n10,b\n9,c\n100,a\n") ?? { columns: [], rows: [] };
    expect(isNumeric(table, 0)).toBe(true);
    expect(ordered(table, "", { column: 0, down: false }).map(([n]) => n)).toEqual(["9", "10", "100"]);
    expect(ordered(table, "", { column: 1, down: true }).map(([n]) => n)).toEqual(["9", "10", "100"]);
    expect(ordered(table, "B").map(([n]) => n)).toEqual(["10"]);
  });

  it("is copied as spreadsheets take it", () => {
    expect(asTabs(["a", "b"], [["1\n2", "x\ty"]])).toBe("a\tb\n1 2\tx y");
  });

  it("is written as CSV that is read again as it was", () => {
    const [columns, rows] = [["name", "says"], [["Ann", 'a "b", c'], ["Bob", "two\nlines"]]];
    expect(asCsv(columns, rows)).toBe('name,says\r\nAnn,"a ""b"", c"\r\nBob,"two\nlines"\r\n');
    expect(tableOf(asCsv(columns, rows))).toEqual({ columns, rows });
  });
});
