//! What the composer can finish for the user: slash commands at the beginning of a message, a tool's name after `/try`,
//! variables after `@`.

/** A slash command of the server. */
export interface SlashCommand {
  name: string;
  usage: string;
  does: string;
}

/** The commands that there are. */
export const COMMANDS: readonly SlashCommand[] = [
  { name: "help", usage: "/help [command]", does: "What the commands do" },
  { name: "context", usage: "/context", does: "The variables of this conversation" },
  { name: "clear", usage: "/clear", does: "Remove all variables and operations" },
  { name: "new", usage: "/new", does: "Begin a new conversation in this session" },
  { name: "tools", usage: "/tools [query]", does: "The tools, or those that fit a request" },
  { name: "try", usage: "/try <tool> [text]", does: "The last request again, with a tool you choose" },
  { name: "permissions", usage: "/permissions", does: "The rules for what may run; add and remove them" },
  { name: "undo", usage: "/undo [n]", does: "Restore files to how they were" },
  { name: "agents", usage: "/agents [on|off <id>]", does: "The specialists; switch them on and off" },
  { name: "model", usage: "/model [name]", does: "The language model in use, or another one" },
  { name: "mcp", usage: "/mcp [server]", does: "The MCP servers: state, restart, approve" },
  { name: "history", usage: "/history [n]", does: "The latest operations" },
  { name: "debug", usage: "/debug", does: "The state of this session" },
  { name: "save", usage: "/save <name>", does: "Save the current variables under a name" },
  { name: "load", usage: "/load <name>", does: "Restore saved variables" },
  { name: "export", usage: "/export", does: "The conversation as a file" },
  { name: "fork", usage: "/fork [seq]", does: "A new conversation from this one" },
  { name: "rerun", usage: "/rerun [messageId] [text]", does: "The last message again, in a new conversation" },
];

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

/** The ways to finish `text` at the cursor; `prompts` are commands that MCP servers bring along. */
export function completions(
  text: string,
  cursor: number,
  variables: readonly { name: string; preview: string }[],
  prompts: readonly SlashCommand[] = [],
  tools: readonly ToolName[] = [],
): Completion[] {
  const before = text.slice(0, cursor);
  const after = text.slice(cursor);
  const slash = /^\/(\w*)$/.exec(before);
  if (slash) return commands(slash[1] ?? "", after, [...COMMANDS, ...prompts]);
  const tried = /^\/try +(\S*)$/.exec(before);
  if (tried) return toolNames(before, tried[1] ?? "", after, tools);
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

function commands(typed: string, after: string, all: readonly SlashCommand[]): Completion[] {
  if (/^\S/.test(after)) return [];
  return all.filter(({ name }) => name.startsWith(typed.toLowerCase())).map(({ name, usage, does }) => {
    const written = usage === `/${name}` ? `/${name}` : `/${name} `;
    return { label: usage, detail: does, text: written + after.trimStart(), cursor: written.length, exact: name === typed };
  });
}
