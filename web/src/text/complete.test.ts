//! Completion offers what fits where it fits, and nothing elsewhere.

import { describe, expect, it } from "vitest";
import { COMMANDS, completions } from "./complete";

const VARIABLES = [
  { name: "file_content", preview: "{…}" },
  { name: "answer", preview: "42" },
];

function labels(text: string, cursor = text.length): string[] {
  return completions(text, cursor, VARIABLES).map(({ label }) => label);
}

describe("commands", () => {
  it("are offered at the beginning of a message", () => {
    expect(labels("/")).toEqual(COMMANDS.map(({ usage }) => usage));
    expect(labels("/h")).toEqual(["/help [command]", "/history [n]"]);
    expect(labels("/H")).toEqual(["/help [command]", "/history [n]"]);
  });

  it("are not offered elsewhere", () => {
    for (const text of ["a /h", "//h", "/help me", "/xyz", "", "/h\n"]) expect(labels(text)).toEqual([]);
    expect(labels("/hello there", 2)).toEqual([]);
  });

  it("come from MCP servers, too", () => {
    const prompts = [{ name: "files__look_up", usage: "/files__look_up what=…", does: "Looks it up" }];
    expect(completions("/files__l", 9, [], prompts)).toMatchObject([{ label: "/files__look_up what=…", text: "/files__look_up " }]);
    expect(completions("/files__l", 9, [])).toEqual([]);
  });

  it("take the names of tools behind /try", () => {
    const tools = ["file_read", "grep", "tea__read"].map((name) => ({ name, does: `does ${name}` }));
    const names = (text: string, cursor = text.length) => completions(text, cursor, VARIABLES, [], tools).map(({ label }) => label);
    expect(names("/try ")).toEqual(["file_read", "grep", "tea__read"]);
    expect(names("/try read")).toEqual(["file_read", "tea__read"]);
    expect(names("/try GR")).toEqual(["grep"]);
    expect(completions("/try gr", 7, [], [], tools)).toMatchObject([{ text: "/try grep ", cursor: 10, exact: false }]);
    expect(completions("/try grep", 9, [], [], tools)).toMatchObject([{ exact: true }]);
    for (const text of ["/try grep tea", "x /try gr", "/tryst gr"]) expect(names(text)).toEqual([]);
    expect(names("/try grtea", 7)).toEqual([]);
  });

  it("take what is done, and the servers that it can be done to, behind /mcp", () => {
    const servers = [
      { name: "files", state: "ready" },
      { name: "tea", state: "off" },
      { name: "unwanted", state: "disabled" },
    ] as const;
    const words = (text: string, cursor = text.length) => completions(text, cursor, VARIABLES, [], [], servers).map(({ label }) => label);
    expect(words("/mcp ")).toEqual(["on", "off", "restart", "approve", "files", "tea", "unwanted"]);
    expect(words("/mcp o")).toEqual(["on", "off"]);
    expect(words("/mcp on ")).toEqual(["tea"]);
    expect(words("/mcp off ")).toEqual(["files"]);
    expect(words("/mcp restart F")).toEqual(["files"]);
    expect(completions("/mcp of", 7, [], [], [], servers)).toMatchObject([{ text: "/mcp off ", cursor: 9, exact: false }]);
    expect(completions("/mcp off files", 14, [], [], [], servers)).toMatchObject([{ text: "/mcp off files", exact: true }]);
    for (const text of ["/mcp off files now", "x /mcp o", "/mcps o", "/mcp stop f"]) expect(words(text)).toEqual([]);
    expect(words("/mcp off fies", 10)).toEqual([]);
    expect(labels("/mcp ")).toEqual([]);
  });

  it("leave room for an argument if they take one", () => {
    expect(completions("/sa", 3, [])).toMatchObject([{ text: "/save ", cursor: 6, exact: false }]);
    expect(completions("/clear", 6, [])).toMatchObject([{ text: "/clear", cursor: 6, exact: true }]);
  });
});

describe("variables", () => {
  it("are offered after @ at the beginning of a word", () => {
    expect(labels("Calculate @")).toEqual(["@file_content", "@answer"]);
    expect(labels("Calculate @an")).toEqual(["@answer"]);
    expect(labels("sum(@an")).toEqual(["@answer"]);
    expect(labels("mail bob@an")).toEqual([]);
    expect(labels("@@an")).toEqual([]);
  });

  it("take the place of what was typed, and the rest stays", () => {
    expect(completions("Add @an + 1", 7, VARIABLES)).toMatchObject([{ text: "Add @answer + 1", cursor: 11 }]);
  });
});
