//! Completion: `/` at the beginning of a line is a command, `@` anywhere a variable; a tool stands behind `/try`, and behind
//! `/mcp` what is done to which server.

use std::collections::BTreeSet;

use switchboard_protocol::{ServerFrame, ServerMessage, Variable};

/// The commands that a server knows, and the two that only leave.
const COMMANDS: [&str; 21] = [
    "/agents",
    "/checkpoints",
    "/clear",
    "/context",
    "/debug",
    "/exit",
    "/export",
    "/fork",
    "/help",
    "/history",
    "/load",
    "/mcp",
    "/model",
    "/new",
    "/permissions",
    "/quit",
    "/rerun",
    "/save",
    "/tools",
    "/try",
    "/undo",
];

/// The names that there are.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    variables: BTreeSet<String>,
    /// Prompts of MCP servers that `/help` or `/mcp` has shown, with their slash.
    prompts: BTreeSet<String>,
    /// Tools that were found, called, or listed by `/tools`.
    tools: BTreeSet<String>,
    /// MCP servers that `/mcp` has shown.
    servers: BTreeSet<String>,
}

/// What takes the name of a tool.
const TRY: &str = "/try ";

/// What takes the name of an MCP server, or first what is done to it.
const MCP: &str = "/mcp ";

/// What `/mcp` does to a server.
const MCP_VERBS: [&str; 4] = ["approve ", "off ", "on ", "restart "];

/// How many tools are kept in mind.
const MAX_TOOLS: usize = 10_000;

impl Vocabulary {
    /// Learns from a frame which variables there are.
    pub(super) fn hear(&mut self, frame: &ServerFrame) {
        match &frame.message {
            ServerMessage::SessionReady { snapshot: Some(snapshot), .. } => self.replace(&snapshot.variables),
            ServerMessage::ContextState { variables, .. } => self.replace(variables),
            ServerMessage::CommandResponse { command, text, .. } => match command.as_str() {
                "help" => self.prompts.extend(prompts(text)),
                "mcp" => {
                    self.prompts.extend(prompts(text));
                    self.servers.extend(servers(text).filter(|name| is_proper(name)).map(ToOwned::to_owned));
                }
                "tools" => self.learn(listed(text)),
                _ => {}
            },
            ServerMessage::AgentThinking { candidates: Some(candidates), .. } => {
                self.learn(candidates.iter().map(|tool| tool.name.as_str()));
            }
            ServerMessage::ToolCallStart { tool, .. } => self.learn([tool.as_str()]),
            ServerMessage::ContextCleared {} => self.variables.clear(),
            ServerMessage::ContextUpdate { set, removed } => {
                removed.iter().for_each(|name| {
                    self.variables.remove(name);
                });
                self.add(set);
            }
            _ => {}
        }
    }

    /// Where the word before the cursor begins, and what it could become.
    pub(super) fn complete(&self, line: &str, cursor: usize) -> (usize, Vec<String>) {
        let before = line.get(..cursor).unwrap_or(line);
        if before.starts_with('/') && !before.contains(char::is_whitespace) {
            let all = COMMANDS.into_iter().chain(self.prompts.iter().map(String::as_str));
            return (0, all.filter(|command| command.starts_with(before)).map(ToOwned::to_owned).collect());
        }
        if let Some(typed) = before.strip_prefix(TRY).filter(|typed| !typed.contains(char::is_whitespace)) {
            let fits = self.tools.iter().filter(|name| name.starts_with(typed));
            return (TRY.len(), fits.cloned().collect());
        }
        if let Some(typed) = before.strip_prefix(MCP) {
            let verb = MCP_VERBS.into_iter().find_map(|verb| typed.strip_prefix(verb));
            let typed = verb.unwrap_or(typed);
            let verbs = MCP_VERBS.into_iter().filter(|_| verb.is_none());
            let fits = verbs.chain(self.servers.iter().map(String::as_str)).filter(|word| word.starts_with(typed));
            return (before.len() - typed.len(), fits.map(ToOwned::to_owned).collect());
        }
        let Some(at) = before.rfind('@') else { return (cursor, Vec::new()) };
        let (head, word) = (&before[..at], &before[at + 1..]);
        let begins_a_word = head.chars().next_back().is_none_or(|character| !character.is_alphanumeric());
        if !begins_a_word || !word.chars().all(|character| character.is_ascii_alphanumeric() || character == '_') {
            return (cursor, Vec::new());
        }
        let fits = self.variables.iter().filter(|name| name.starts_with(word));
        (at, fits.map(|name| format!("@{name}")).collect())
    }

    fn replace(&mut self, variables: &[Variable]) {
        self.variables.clear();
        self.add(variables);
    }

    fn learn<'t>(&mut self, tools: impl IntoIterator<Item = &'t str>) {
        for name in tools.into_iter().filter(|name| is_proper(name)) {
            if self.tools.len() < MAX_TOOLS {
                self.tools.insert(name.to_owned());
            }
        }
    }

    /// Names come from the server, and are put on the terminal by the editor: only proper ones are taken.
    fn add(&mut self, variables: &[Variable]) {
        let proper = |name: &str| name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_');
        self.variables.extend(variables.iter().map(|variable| variable.name.clone()).filter(|name| proper(name)));
    }
}

/// Whether the editor may put the name on the terminal.
fn is_proper(name: &str) -> bool {
    name.chars().all(|sign| sign.is_ascii_alphanumeric() || "_-.".contains(sign))
}

/// The servers that the answer of `/mcp` shows: each at the beginning of its line, in bold.
fn servers(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| line.trim_start_matches("- ").strip_prefix("**")?.split("**").next())
}

/// The prompts that a text names: `/server__prompt` behind a backtick.
fn prompts(text: &str) -> impl Iterator<Item = String> {
    let proper = |character: char| character.is_ascii_alphanumeric() || character == '_';
    text.split('`').filter_map(move |part| {
        let name = part.strip_prefix('/')?.split(' ').next()?;
        (name.contains("__") && name.chars().all(proper)).then(|| format!("/{name}"))
    })
}

/// The tools that the answer of `/tools` lists: each at the beginning of its line, in backticks.
fn listed(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| line.strip_prefix("- `")?.split('`').next())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn vocabulary(names: &[&str]) -> Vocabulary {
        let variables: Vec<_> = names
            .iter()
            .map(|name| {
                json!({"name": name, "version": 1, "type": "text", "preview": "", "bytes": 0, "stale": false,
                       "origin": {"tool": "user", "inputs": []}})
            })
            .collect();
        let frame = json!({"type": "context-update", "set": variables, "removed": [], "timestamp": "now"});
        let mut vocabulary = Vocabulary::default();
        vocabulary.hear(&serde_json::from_value(frame).expect("a frame"));
        vocabulary
    }

    fn check(line: &str, at: usize, words: &[&str]) {
        let vocabulary = vocabulary(&["config", "config_text", "answer", "\x1b[2J"]);
        assert_eq!(
            vocabulary.complete(line, line.len()),
            (at, words.iter().map(|&w| w.to_owned()).collect()),
            "{line}"
        );
    }

    #[test]
    fn commands_are_completed_at_the_beginning_of_a_line() {
        check("/he", 0, &["/help"]);
        check("/ex", 0, &["/exit", "/export"]);
        check("/help to", 8, &[]);
        check("what is /he", 11, &[]);
    }

    #[test]
    fn prompts_are_completed_once_they_were_shown() {
        let mut vocabulary = vocabulary(&[]);
        let text = "- `/tea__order what=…` `orders`\n- `/tea\u{1b}__x`";
        let shown = json!({"type": "command-response", "command": "help", "text": text, "timestamp": "now"});

        vocabulary.hear(&serde_json::from_value(shown).expect("a frame"));

        assert_eq!(vocabulary.complete("/te", 3), (0, vec!["/tea__order".to_owned()]));
    }

    #[test]
    fn tools_are_completed_behind_try_once_they_were_seen() {
        let mut vocabulary = vocabulary(&[]);
        let found = json!({"type": "agent-thinking", "step": "searching", "message": "m", "timestamp": "now",
            "candidates": [{"name": "grep", "confidence": 0.5, "reasons": []}, {"name": "\u{1b}[2J", "confidence": 0.5, "reasons": []}]});
        let listed = json!({"type": "command-response", "command": "tools", "timestamp": "now",
            "text": "2 tools:\n- `glob` (files): with `grep2`\n- `file_read` (files): reads"});

        vocabulary.hear(&serde_json::from_value(found).expect("a frame"));
        vocabulary.hear(&serde_json::from_value(listed).expect("a frame"));

        assert_eq!(vocabulary.complete("/try g", 6), (5, vec!["glob".to_owned(), "grep".to_owned()]));
        assert_eq!(vocabulary.complete("/try ", 5).1.len(), 3);
        assert_eq!(vocabulary.complete("/try grep te", 12), (12, Vec::new()));
        assert_eq!(vocabulary.complete("/tr", 3), (0, vec!["/try".to_owned()]));
    }

    #[test]
    fn servers_are_completed_behind_mcp_once_they_were_shown() {
        let mut vocabulary = vocabulary(&[]);
        let text =
            "2 MCP servers:\n\n- **files** is ready with 1 tool\n- **tea** is switched off\n- **\u{1b}[2J** is ready";
        let shown = json!({"type": "command-response", "command": "mcp", "text": text, "timestamp": "now"});
        let check = |vocabulary: &Vocabulary, line: &str, at: usize, words: &[&str]| {
            let words = words.iter().map(|&word| word.to_owned()).collect();
            assert_eq!(vocabulary.complete(line, line.len()), (at, words), "{line}");
        };

        check(&vocabulary, "/mcp off ", 9, &[]);
        vocabulary.hear(&serde_json::from_value(shown).expect("a frame"));

        check(&vocabulary, "/mcp ", 5, &["approve ", "off ", "on ", "restart ", "files", "tea"]);
        check(&vocabulary, "/mcp o", 5, &["off ", "on "]);
        check(&vocabulary, "/mcp t", 5, &["tea"]);
        check(&vocabulary, "/mcp on ", 8, &["files", "tea"]);
        check(&vocabulary, "/mcp restart f", 13, &["files"]);
        check(&vocabulary, "/mcp off files ", 9, &[]);
        check(&vocabulary, "/mcpx o", 7, &[]);
    }

    #[test]
    fn variables_are_completed_anywhere() {
        check("@", 0, &["@answer", "@config", "@config_text"]);
        check("parse @con", 6, &["@config", "@config_text"]);
        check("(@ans", 1, &["@answer"]);
        check("mail bob@con", 12, &[]);
        check("@config.po", 10, &[]);
    }

    #[test]
    fn what_is_gone_is_not_offered() {
        let mut vocabulary = vocabulary(&["a", "b"]);
        let gone = json!({"type": "context-update", "set": [], "removed": ["a"], "timestamp": "now"});

        vocabulary.hear(&serde_json::from_value(gone).expect("a frame"));

        assert_eq!(vocabulary.complete("@", 1), (0, vec!["@b".to_owned()]));
    }
}
