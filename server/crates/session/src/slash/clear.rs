//! `/clear`: variables and operations go.

use super::{Command, CommandContext, Outcome, no_arguments};

pub(super) const COMMAND: Command = Command {
    name: "clear",
    usage: "/clear",
    about: "removes the variables and the list of operations; the conversation stays",
    run,
};

fn run(context: &CommandContext<'_>, arguments: &str) -> Outcome {
    no_arguments(arguments, || {
        let (variables, operations) = (context.state.context.len(), context.state.calls.operations.len());
        Outcome::Clear(format!("Removed {variables} variables and {operations} operations. The conversation stays."))
    })
}
