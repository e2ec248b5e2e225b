//! What the composer can finish for the user: slash commands at the beginning of a message, a tool's name after `/try`,
//! what is done to which server after `/mcp`, variables after `@`.

import type { McpServer } from "../connection/api";
import { t } from "../i18n";

/** A slash command of the server. */
export interface SlashCommand {
  name: string;
  usage: string;
  does: string;
}

/** The commands that there are. */
export const COMMANDS: readonly SlashCommand[] = Object.entries(t.writing.commands).map(([name, { usage, does }]) => ({ name, usage, does }));

/** One way to finish what is being written. */
export interface Completion {
  /** What stands in the list. */
  label: string;
  detail: string;
  /** What the text becomes, and where the cursor stands then. */
  text: string;
  cursor: number;
  /** It is written out already: Enter sends. */
  exact: boolean;
}

/** A tool as it is offered. */
export interface ToolName {
  name: string;
  does: string;
}

/** What is known of an MCP server when its name is finished. */
export type ServerName = Pick<McpServer, "name" | "state">;

type McpVerb = keyof typeof t.writing.mcp;

const MCP_VERBS = Object.keys(t.writing.mcp) as McpVerb[];

/** Whether `/mcp` can do this to the server. */
function canBe(verb: McpVerb, { state }: ServerName): boolean {
  return verb === "on" ? state === "off" : state !== "off" && state !== "disabled";
}

/** The ways to finish `text` at the cursor; `prompts` are commands that MCP servers bring along. */
export function completions(
  text: string,
  cursor: number,
  variables: readonly { name: string; preview: string }[],
  prompts: readonly SlashCommand[] = [],
  tools: readonly ToolName[] = [],
  servers: readonly ServerName[] = [],
): Completion[] {
  const before = text.slice(0, cursor);
  const after = text.slice(cursor);
  const slash = /^\/(\w*)$/.exec(before);
  if (slash) return commands(slash[1] ?? "", after, [...COMMANDS, ...prompts]);
  const tried = /^\/try +(\S*)$/.exec(before);
  if (tried) return toolNames(before, tried[1] ?? "", after, tools);
  const mcp = /^\/mcp +(?:(on|off|restart|approve) +)?(\S*)$/.exec(before);
  if (mcp) return mcpWords(before, mcp[1] as McpVerb | undefined, mcp[2] ?? "", after, servers);
  const at = /(?:^|[\s(["'{,])@([A-Za-z_]\w{0,63})?$/.exec(before);
  if (!at) return [];
  const typed = at[1] ?? "";
  const kept = before.slice(0, before.length - typed.length);
  return variables
    .filter(({ name }) => name.toLowerCase().startsWith(typed.toLowerCase()))
    .slice(0, 8)
    .map(({ name, preview }) => ({
      label: `@${name}`,
      detail: preview,
      text: kept + name + after,
      cursor: kept.length + name.length,
      exact: name === typed,
    }));
}

/** Tools whose name begins with what was typed, then those that have it elsewhere. */
function toolNames(before: string, typed: string, after: string, tools: readonly ToolName[]): Completion[] {
  if (/^\S/.test(after)) return [];
  const lower = typed.toLowerCase();
  const begins = tools.filter(({ name }) => name.toLowerCase().startsWith(lower));
  const holds = tools.filter((tool) => !begins.includes(tool) && tool.name.toLowerCase().includes(lower));
  const kept = before.slice(0, before.length - typed.length);
  return [...begins, ...holds].slice(0, 8).map(({ name, does }) => {
    const written = `${kept}${name} `;
    return { label: name, detail: does, text: written + after.trimStart(), cursor: written.length, exact: name === typed };
  });
}

/** What may be done to the servers, and their names; behind what is done, those that it can be done to. */
function mcpWords(before: string, verb: McpVerb | undefined, typed: string, after: string, servers: readonly ServerName[]): Completion[] {
  if (/^\S/.test(after)) return [];
  const verbs = verb ? [] : MCP_VERBS.filter((word) => servers.some((server) => canBe(word, server)));
  const named = verb ? servers.filter((server) => canBe(verb, server)) : servers;
  const kept = before.slice(0, before.length - typed.length);
  return [
    ...verbs.map((word) => ({ word, detail: t.writing.mcp[word], space: " " })),
    ...named.map(({ name, state }) => ({ word: name, detail: t.side.states[state], space: "" })),
  ]
    .filter(({ word }) => word.toLowerCase().startsWith(typed.toLowerCase()))
    .slice(0, 12)
    .map(({ word, detail, space }) => {
      const written = kept + word + space;
      return { label: word, detail, text: written + after.trimStart(), cursor: written.length, exact: space === "" && word === typed };
    });
}

function commands(typed: string, after: string, all: readonly SlashCommand[]): Completion[] {
  if (/^\S/.test(after)) return [];
  return all.filter(({ name }) => name.startsWith(typed.toLowerCase())).map(({ name, usage, does }) => {
    const written = usage === `/${name}` ? `/${name}` : `/${name} `;
    return { label: usage, detail: does, text: written + after.trimStart(), cursor: written.length, exact: name === typed };
  });
}
