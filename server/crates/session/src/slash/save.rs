//! `/save <name>`: names this state, so that it can be found again.

use super::{Command, CommandContext, Outcome};
use switchboard_context::valid_name;

/// How many names a session has.
const MOST: usize = 100;

pub(super) const COMMAND: Command = Command {
    name: "save",
    usage: "/save <name>",
    about: "saves the current variables under a name, for `/load`",
    run,
};

fn run(context: &CommandContext<'_>, arguments: &str) -> Outcome {
    let saved = &context.state.saved;
    if arguments.is_empty() {
        return Outcome::Wrong("Say what name to save under.".to_owned());
    }
    if let Err(error) = valid_name(arguments) {
        return Outcome::Wrong(format!("Failed to {error}."));
    }
    if saved.len() >= MOST && !saved.contains_key(arguments) {
        return Outcome::Wrong(format!("All {MOST} names are taken; save under one of them again."));
    }
    let variables = context.state.context.len();
    let text = format!("Saved as `{arguments}`: {variables} variables. `/load {arguments}` restores them.");
    Outcome::Save(arguments.to_owned(), text)
}
