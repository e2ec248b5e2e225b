//! Slash commands, one file each. A command reads the session and says what should happen; the actor does it.
//!
//! A text is a command only if it is `/` and the exact name of one; `//x` is the text `/x`, anything else a message, but a
//! name that is almost one is answered with the command that could have been meant.

mod agents;
mod checkpoints;
mod clear;
mod context;
mod debug;
mod export;
mod fork;
mod help;
mod history;
mod load;
mod mcp;
mod model;
mod new;
mod permissions;
mod rerun;
mod save;
mod tools;
mod try_tool;
mod undo;

use switchboard_protocol::{MessageId, SessionId};

pub(super) use self::mcp::switched as mcp_switched;
pub(super) use self::permissions::MAX_RULES;
pub(super) use self::try_tool::is_again;
use super::archive::Rerun;
use super::services::SessionServices;
use super::state::SessionState;
use switchboard_events::ServerOnly;
use switchboard_mcp::Prompt;
use switchboard_runtime::nearest;

/// All commands, in the order in which `/help` lists them.
const COMMANDS: [&Command; 19] = [
    &help::COMMAND,
    &context::COMMAND,
    &clear::COMMAND,
    &new::COMMAND,
    &tools::COMMAND,
    &try_tool::COMMAND,
    &agents::COMMAND,
    &mcp::COMMAND,
    &model::COMMAND,
    &permissions::COMMAND,
    &history::COMMAND,
    &undo::COMMAND,
    &checkpoints::COMMAND,
    &debug::COMMAND,
    &save::COMMAND,
    &load::COMMAND,
    &export::COMMAND,
    &fork::COMMAND,
    &rerun::COMMAND,
];

/// A slash command.
pub(super) struct Command {
    /// Its name, without the slash.
    pub(super) name: &'static str,
    /// How it is used.
    pub(super) usage: &'static str,
    /// What it does.
    about: &'static str,
    /// Runs it with what follows its name.
    pub(super) run: fn(&CommandContext<'_>, &str) -> Outcome,
}

impl Command {
    /// Whether it becomes a message, here or in a fork, to which variables can belong.
    pub(super) fn takes_attachments(&self) -> bool {
        [try_tool::COMMAND.name, rerun::COMMAND.name].contains(&self.name)
    }
}

/// What a command can read.
pub(super) struct CommandContext<'a> {
    pub(super) session: SessionId,
    pub(super) state: &'a SessionState,
    pub(super) services: &'a SessionServices,
    /// The turn that runs.
    pub(super) running: Option<&'a MessageId>,
    pub(super) clients: usize,
}

/// What should happen.
pub(super) enum Outcome {
    /// Answer with this text.
    Say(String),
    /// It was used wrongly.
    Wrong(String),
    /// Remove variables and operations.
    Clear(String),
    /// Begin a new conversation.
    NewConversation(String),
    /// Note a change of the session's permissions.
    Permit(Box<ServerOnly>, String),
    /// Give the state as it is now this name.
    Save(String, String),
    /// Put back the files of this many changes, with a call of the user's own.
    Undo(u64),
    /// Take this text as a message that asks for this tool.
    Try { tool: String, text: String },
    /// Switch this MCP server on or off.
    SwitchMcp { server: String, on: bool },
    /// Make a new session of the events up to this one, and send this message there.
    Fork { upto: u64, message: Option<Rerun> },
    /// Bring back the variables as they were under this name, before this event.
    Load(String, u64),
}

/// What a text is.
pub(super) enum Text {
    /// A command and what follows its name.
    Command(&'static Command, String),
    /// A prompt of an MCP server and what follows its name.
    Prompt(Prompt, String),
    /// A message that begins with a slash, written with two.
    Escaped,
    /// A message.
    Message,
}

/// Whether a text is a command.
pub(super) fn parse(text: &str, prompts: impl FnOnce() -> Vec<Prompt>) -> Text {
    if text.starts_with("//") {
        return Text::Escaped;
    }
    let Some(rest) = text.strip_prefix('/') else { return Text::Message };
    let (name, arguments) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    match find(name) {
        Some(command) => Text::Command(command, arguments.to_owned()),
        // No command of our own has two underscores.
        None if name.contains("__") => match prompts().into_iter().find(|prompt| prompt.command == name) {
            Some(prompt) => Text::Prompt(prompt, arguments.to_owned()),
            None => Text::Message,
        },
        // The help says which one could have been meant.
        None if is_misspelled(name) => Text::Command(&help::COMMAND, name.to_owned()),
        None => Text::Message,
    }
}

/// What this text asks for that is more than chatting, if it is a command that does.
pub(super) fn beyond_chat(text: &str) -> Option<&'static str> {
    let Text::Command(command, arguments) = parse(text, Vec::new) else { return None };
    let arguments = arguments.trim();
    match command.name {
        "permissions" if !arguments.is_empty() => Some("change permissions"),
        "model" if !arguments.is_empty() => Some("change the model"),
        "agents" if !arguments.is_empty() => Some("switch agents"),
        // `/mcp NAME` shows one; with a verb before the name it does something.
        "mcp" if arguments.contains(char::is_whitespace) => {
            Some("switch or restart MCP servers or approve their tools")
        }
        "undo" => Some("undo changes by itself"),
        _ => None,
    }
}

/// Whether it is almost the name of a command; a short word may be anything.
fn is_misspelled(name: &str) -> bool {
    let near = nearest(&name.to_lowercase(), COMMANDS.iter().map(|command| command.name), 1);
    let alike = |near: &&str| near.len().abs_diff(name.len()) <= 1;
    name.len() > 3 && name.chars().all(|c| c.is_ascii_alphabetic()) && near.first().is_some_and(alike)
}

fn find(name: &str) -> Option<&'static Command> {
    COMMANDS.into_iter().find(|command| command.name == name)
}

fn no_arguments(arguments: &str, run: impl FnOnce() -> Outcome) -> Outcome {
    if arguments.is_empty() { run() } else { Outcome::Wrong("This command takes no arguments.".to_owned()) }
}

/// At most `limit` characters of a text, on one line.
fn short(text: &str, limit: usize) -> String {
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(limit) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

#[cfg(test)]
mod tests;
