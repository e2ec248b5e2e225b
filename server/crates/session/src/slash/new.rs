//! `/new`: a new conversation in this session.

use super::{Command, CommandContext, Outcome, no_arguments};

pub(super) const COMMAND: Command = Command {
    name: "new",
    usage: "/new",
    about: "begins a new conversation in this session and closes the windows; the variables stay",
    run,
};

fn run(context: &CommandContext<'_>, arguments: &str) -> Outcome {
    no_arguments(arguments, || match context.running {
        Some(_) => Outcome::Wrong("A turn is running. Stop it or wait until it ends, then try again.".to_owned()),
        None => Outcome::NewConversation("A new conversation begins here. The variables stay.".to_owned()),
    })
}
