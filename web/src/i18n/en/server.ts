//! English: what the server has.

/** Tools, MCP servers and specialists, as the settings show them. */
export const server = {
  filter: "Find a tool",
  some: "{shown} of {tools}",
  unused: "not used yet",
  call: { one: "{n} call", many: "{n} calls" },
  restart: "Restart",
  restartThis: "Restart {server}",
  restartHint: "The answer comes in the conversation",
  modes: {
    ask: "Where no rule applies, reading runs without asking, and everything else asks.",
    auto: "Everything that no rule denies runs without asking, also what a rule would ask about.",
    deny: "Where no rule applies, reading runs, and everything else is denied, also what a rule would ask about.",
  },
  noRules: "There are no rules in the settings.",
  order: "A rule that denies takes precedence over one that asks, and that over one that allows.",
  effect: "Effect",
  rule: "Rule",
  place: "Source",
  effects: { allow: "Runs", ask: "Asks", deny: "Denied" },
  ownRules: "Rules of this conversation",
  agentsLead: "A specialist is an agent that others call as a tool. Switches hold for all conversations until the server stops.",
  primary: "runs the conversations",
  switchThis: "{agent} may be called",
  on: "On",
  off: "Off",
};
