//! `/help [command]`: what there is, and how one is used.

use super::{COMMANDS, Command, Outcome, Scene, find};
use crate::runtime::nearest;

pub(super) const COMMAND: Command =
    Command { name: "help", usage: "/help [command]", about: "lists the commands, or explains one", run };

fn run(_: &Scene<'_>, arguments: &str) -> Outcome {
    let name = arguments.trim_start_matches('/');
    if name.is_empty() {
        return Outcome::Say(all());
    }
    match find(name) {
        Some(command) => Outcome::Say(format!("`{}` {}.", command.usage, command.about)),
        None => Outcome::Wrong(unknown(name)),
    }
}

fn all() -> String {
    let lines: Vec<String> =
        COMMANDS.iter().map(|command| format!("- `{}` {}", command.usage, command.about)).collect();
    format!(
        "{}\n\nAnything else is a message. A message that shall begin with the name of a command is written with two \
         slashes: `//help`.",
        lines.join("\n")
    )
}

fn unknown(name: &str) -> String {
    let near = nearest(name, COMMANDS.iter().map(|command| command.name), 1);
    match near.first() {
        Some(near) => format!("There is no command `/{}`. Did you mean `/{near}`?", super::short(name, 40)),
        None => format!("There is no command `/{}`. `/help` lists all.", super::short(name, 40)),
    }
}
