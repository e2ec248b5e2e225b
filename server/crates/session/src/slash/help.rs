//! `/help [command]`: what there is, and how one is used.

use super::{COMMANDS, Command, CommandContext, Outcome, find};
use switchboard_mcp::Prompt;
use switchboard_runtime::nearest;

pub(super) const COMMAND: Command =
    Command { name: "help", usage: "/help [command]", about: "lists the commands, or explains one", run };

fn run(context: &CommandContext<'_>, arguments: &str) -> Outcome {
    let name = arguments.trim_start_matches('/');
    let prompts = context.services.mcp.prompts();
    if name.is_empty() {
        return Outcome::Say(all(&prompts));
    }
    let prompt = || prompts.iter().find(|prompt| prompt.command == name);
    match (find(name), prompt()) {
        (Some(command), _) => Outcome::Say(format!("`{}` {}.", command.usage, command.about)),
        (None, Some(prompt)) => Outcome::Say(explained(prompt)),
        (None, None) => Outcome::Wrong(unknown(name, &prompts)),
    }
}

/// A prompt with what it takes, in its server's words.
fn explained(prompt: &Prompt) -> String {
    let mut text = format!(
        "`{}` sends a prompt from the MCP server {} as your message: {}",
        prompt.usage(),
        foreign(&prompt.server),
        foreign(&prompt.description)
    );
    for argument in &prompt.arguments {
        let needed = if argument.required { "required" } else { "optional" };
        text.push_str(&format!("\n- `{}` ({needed}): {}", argument.name, foreign(&argument.description)));
    }
    text.push_str("\n\nValues may also be written in order; put a value with spaces in quotes: `\"…\"`.");
    text
}

/// A server's words, which must not look like ours.
fn foreign(text: &str) -> String {
    match super::short(text, 300).replace('`', "'") {
        text if text.is_empty() => "no description".to_owned(),
        text => format!("`{text}`"),
    }
}

fn all(prompts: &[Prompt]) -> String {
    let lines: Vec<String> =
        COMMANDS.iter().map(|command| format!("- `{}` {}", command.usage, command.about)).collect();
    let of_servers: Vec<String> =
        prompts.iter().map(|prompt| format!("- `{}` {}", prompt.usage(), foreign(&prompt.description))).collect();
    let of_servers = match of_servers.as_slice() {
        [] => String::new(),
        lines => format!("\n\nPrompts from MCP servers, sent as your message:\n{}", lines.join("\n")),
    };
    format!(
        "{}{of_servers}\n\nAnything else is a message. To begin a message with the name of a command, write two \
         slashes: `//help`.",
        lines.join("\n")
    )
}

fn unknown(name: &str, prompts: &[Prompt]) -> String {
    let prompts = prompts.iter().map(|prompt| prompt.command.as_str());
    let near = nearest(name, COMMANDS.iter().map(|command| command.name).chain(prompts), 1);
    match near.first() {
        Some(near) => format!("There is no command `/{}`. Did you mean `/{near}`?", super::short(name, 40)),
        None => format!("There is no command `/{}`. `/help` lists them all.", super::short(name, 40)),
    }
}
