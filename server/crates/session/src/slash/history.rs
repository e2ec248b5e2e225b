//! `/history [n]`: the last operations.

use switchboard_protocol::Operation;

use super::{Command, CommandContext, Outcome, short};

/// How many are shown when nothing is said, and at most.
const USUAL: usize = 10;
const MOST: usize = 100;

pub(super) const COMMAND: Command = Command {
    name: "history",
    usage: "/history [n]",
    about: "shows the latest operations (10, or n up to 100) with request, tool, arguments and result",
    run,
};

fn run(context: &CommandContext<'_>, arguments: &str) -> Outcome {
    let count = match arguments {
        "" => Some(USUAL),
        number => number.parse().ok().filter(|count| (1..=MOST).contains(count)),
    };
    let Some(count) = count else {
        return Outcome::Wrong(format!("n is a number from 1 to {MOST}."));
    };
    let operations = &context.state.calls.operations;
    if operations.is_empty() {
        return Outcome::Say("No tool has run yet.".to_owned());
    }
    let from = operations.len().saturating_sub(count);
    Outcome::Say(operations.iter().skip(from).map(|operation| entry(operation)).collect::<Vec<_>>().join("\n"))
}

fn entry(operation: &Operation) -> String {
    let request = operation
        .request
        .as_deref()
        .map_or_else(|| "by the user".to_owned(), |request| format!("for “{}”", short(request, 100)));
    let inputs = serde_json::Value::Object(operation.inputs.clone()).to_string();
    let stored = operation.output_variable.as_ref().map_or_else(String::new, |name| format!(", stored as `@{name}`"));
    let word = if operation.success { "gave" } else { "failed:" };
    format!(
        "- {} `{}` {request}: `{}` {word} {}{stored}",
        operation.timestamp,
        operation.tool,
        short(&inputs, 300),
        short(&operation.outputs, 200),
    )
}
