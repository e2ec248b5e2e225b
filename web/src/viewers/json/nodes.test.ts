//! What the tree says of a text is what stands in the text.

import { describe, expect, it } from "vitest";
import { find, MOST_PLACES } from "./find";
import { hasMembers, Tree, type Node } from "./nodes";
import { Fault } from "./read";
import { closedSiblings, firstOpen, parentRow, rowFrom, rowsOf } from "./rows";

/** All nodes of a tree with their paths. */
function all(tree: Tree, node: Node = tree.root): [string, Node][] {
  return [[tree.pathOf(node), node], ...tree.children(node).flatMap((child) => all(tree, child))];
}

/** Paths and lines of what is not a list or an object. */
function leaves(text: string, lines = false): [string, string][] {
  const tree = new Tree(text, lines);
  return all(tree).filter(([, node]) => !hasMembers(node)).map(([path, node]) => [path, tree.lineOf(node)]);
}

function faultOf(text: string, lines = false): number | undefined {
  try {
    new Tree(text, lines);
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error.at;
    throw error;
  }
}

describe("a tree", () => {
  it("shows numbers and repeated keys as they stand in the text", () => {
    expect(leaves('{"n": 12345678901234567890, "n": 1e400, "m": -0.10, "n": 1E+2, "t": true, "z": null}')).toEqual([
      ["$.n", "12345678901234567890"], ["$.n", "1e400"], ["$.m", "-0.10"], ["$.n", "1E+2"], ["$.t", "true"], ["$.z", "null"],
    ]);
    const tree = new Tree('{"a": 1, "\\u0061": 2, "b": 3, "__proto__": 4}');
    expect(tree.children(tree.root).map((node) => [tree.keyOf(node), tree.isRepeated(node)])).toEqual([["a", false], ["a", true], ["b", false], ["__proto__", false]]);
  });

  it("says of a key that was found whether it is repeated", () => {
    const tree = new Tree('[{"a": "x", "b": {"c": "x"}, "a": "x", "b": "x"}]');
    const kept = [...find(tree, "x").kept.values()].flat();
    expect(kept.filter((node) => tree.isRepeated(node)).map((node) => [tree.pathOf(node), node.index])).toEqual([["$[0].a", 2], ["$[0].b", 3]]);
  });

  it("names places as RFC 9535 does", () => {
    const text = '{"users": [{"first name": "a", "it\'s": 1, "größe": 2, "\\n\\"": 3, "": 4}]}';
    expect(leaves(text).map(([path]) => path)).toEqual([
      "$.users[0]['first name']", "$.users[0]['it\\'s']", "$.users[0].größe", "$.users[0]['\\n\"']", "$.users[0]['']",
    ]);
  });

  it("copies strings without quotes and all else as it stands", () => {
    const tree = new Tree(' {"s": "a\\n\\u00e4\\ud83d\\ude00", "o": { "x" : [1,  2.0] }} ');
    const [s, o] = tree.children(tree.root) as [Node, Node];
    expect([tree.valueOf(s), tree.valueOf(o)]).toEqual(["a\näö".slice(0, 3) + "😀", '{ "x" : [1,  2.0] }']);
    expect(tree.valueOf(tree.root)).toBe('{"s": "a\\n\\u00e4\\ud83d\\ude00", "o": { "x" : [1,  2.0] }}');
  });

  it("reads brackets and quotes inside of strings as text", () => {
    expect(leaves('["]", "}\\"", "\\\\", {"a\\"]": "[{"}]').map(([, line]) => JSON.parse(line))).toEqual(["]", '}"', "\\", "[{"]);
  });

  it("cuts long strings, but no escape in two", () => {
    for (let before = 985; before < 1000; before++) {
      const [[, line] = ["", ""]] = leaves(`["${"x".repeat(before)}\\u00e4\\\\\\"${"y".repeat(50)}"]`);
      expect(line).toMatch(/^"x+/);
      expect(line.endsWith("…")).toBe(true);
      expect(() => JSON.parse(`${line.slice(0, -1)}"`)).not.toThrow();
    }
  });

  it("has lines of their own for JSON Lines", () => {
    expect(leaves('{"a": 1}\r\n\n  [2]\n"x"\n', true)).toEqual([["$[0].a", "1"], ["$[1][0]", "2"], ["$[2]", '"x"']]);
    expect(faultOf('{"a": 1}\n{"a": \n', true)).toBe(15);
    expect(faultOf("1 2", true)).toBe(2);
  });

  it.each([
    "", " ", "{", "[1,]", '{"a":1,}', "[1 2]", "{a: 1}", "{'a': 1}", "[01]", "[1.]", "[.5]", "[+1]", "[NaN]", "[1e]", '["\n"]', '["\\x"]', '["\\u12"]', '["a]', "[1]]", "[1}", '{"a"}',
    "[1] // said", "nul", '{"a":}', "]", '{"a" 1}', "[undefined]", '"', "{}{}",
  ])("is none for %j", (text) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(faultOf(text)).toBeTypeOf("number");
  });

  it.each(["0", "-0", "[]", "{}", ' [ { } , [ ] ] ', '{"":""}', "[1E400,-1.5e-7]", '"\\u0000\\ud800"', "\t\n\r[true,false,null]\n"])("is one for %j", (text) => {
    expect(() => JSON.parse(text)).not.toThrow();
    expect(faultOf(text)).toBeUndefined();
  });

  it("is read at any depth", () => {
    const deep = 200_000;
    const tree = new Tree("[".repeat(deep) + "]".repeat(deep));
    expect(tree.count(tree.root)).toBe(1);
    expect(find(new Tree(`${"[".repeat(deep)}"here"${"]".repeat(deep)}`), "here").places.size).toBe(1);
  });
});

describe("many members", () => {
  const tree = new Tree(`[${Array.from({ length: 100_000 }, (_, at) => at).join(",")}]`);

  it("stand in groups", () => {
    const groups = tree.children(tree.root);
    expect(groups).toHaveLength(100);
    expect(groups.at(-1)?.range).toEqual([99_000, 100_000]);
    expect(tree.shown(tree.root)).toBe(100);
    const last = tree.children(groups.at(-1) as Node).at(-1) as Node;
    expect([tree.pathOf(last), tree.lineOf(last)]).toEqual(["$[99999]", "99999"]);
  });

  it("stand in groups of groups beyond a million", () => {
    const more = new Tree(`[${"1,".repeat(1_000_000)}1]`);
    const groups = more.children(more.root);
    expect(groups.map(({ range }) => range)).toEqual([[0, 1_000_000], [1_000_000, 1_000_001]]);
    expect(more.children(groups[0] as Node)).toHaveLength(1000);
  });

  it("are opened at first as far as the first group", () => {
    const rows = rowsOf(tree.root, (node) => tree.children(node), firstOpen(tree));
    expect(rows).toHaveLength(1 + 100 + 1000);
    expect(rows.slice(0, 3).map(({ level, position, siblings }) => [level, position, siblings])).toEqual([[1, 1, 1], [2, 1, 100], [3, 1, 1000]]);
  });
});

describe("the filter", () => {
  const kept = (text: string, words: string, lines = false) => {
    const tree = new Tree(text, lines);
    const found = find(tree, words);
    const rows = rowsOf(tree.root, (node) => found.kept.get(node.id) ?? [], new Set(found.kept.keys()));
    return rows.map(({ node }) => `${tree.pathOf(node)}${found.places.has(node.id) ? "!" : ""}`);
  };

  it("keeps keys and values that have the words, and what stands above them", () => {
    const text = '{"a": {"b": [1, "Apple", 3]}, "apples": {"c": 4}, "d": [12, 3]}';
    expect(kept(text, "APPLE")).toEqual(["$", "$.a", "$.a.b", "$.a.b[1]!", "$.apples!"]);
    expect(kept(text, "3")).toEqual(["$", "$.a", "$.a.b", "$.a.b[2]!", "$.d", "$.d[1]!"]);
    expect(kept(text, "nothing")).toEqual(["$"]);
  });

  it("reads escapes, and finds each of the keys that are the same", () => {
    expect(kept('{"\\u0061b": "\\u00e4", "ab": 1}', "ab")).toEqual(["$", "$.ab!", "$.ab!"]);
    expect(kept('["\\u00c4"]', "ä")).toEqual(["$", "$[0]!"]);
  });

  it("finds in lines", () => {
    expect(kept('{"a": 1}\n{"b": {"a": 2}}\n3\n', "a", true)).toEqual(["$", "$[0]", "$[0].a!", "$[1]", "$[1].b", "$[1].b.a!"]);
  });

  it("shows so many places and says that there are more", () => {
    const found = find(new Tree(`[${"7,".repeat(MOST_PLACES)}7]`), "7");
    expect([found.places.size, found.more]).toEqual([MOST_PLACES, true]);
    expect(find(new Tree(`[${"7,".repeat(MOST_PLACES - 1)}7]`), "7").more).toBe(false);
  });
});

describe("the keys", () => {
  const tree = new Tree('{"a": {"x": 1}, "b": {"y": {"z": 1}}, "c": 1, "d": []}');
  const open = new Set(["0"]);
  const rows = () => rowsOf(tree.root, (node) => tree.children(node), open);

  it("lead up, down, to both ends and by pages", () => {
    const to = (at: number, key: string) => rowFrom(rows(), at, key, 3);
    expect([to(0, "ArrowDown"), to(4, "ArrowDown"), to(0, "ArrowUp"), to(2, "Home"), to(2, "End"), to(0, "PageDown"), to(4, "PageUp")]).toEqual([1, 4, 0, 0, 4, 3, 1]);
    expect(to(0, "a")).toBeUndefined();
  });

  it("open all siblings, and lead to what stands above", () => {
    const siblings = closedSiblings(tree, rows(), 3, open);
    expect(siblings.map((node) => tree.pathOf(node))).toEqual(["$.a", "$.b", "$.d"]);
    siblings.forEach(({ id }) => open.add(id));
    expect(rows().map(({ node }) => tree.pathOf(node))).toEqual(["$", "$.a", "$.a.x", "$.b", "$.b.y", "$.c", "$.d"]);
    expect([parentRow(rows(), 4), parentRow(rows(), 5), parentRow(rows(), 0)]).toEqual([3, 0, 0]);
  });
});
