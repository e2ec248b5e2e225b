//! `/checkpoints`: the changes that can be undone, the newest first, as `/undo` counts them.

use super::{Command, CommandContext, Outcome, no_arguments, short};
use switchboard_events::ChangingCall;

/// How many are listed.
const MOST: usize = 20;

pub(super) const COMMAND: Command = Command {
    name: "checkpoints",
    usage: "/checkpoints",
    about: "lists the changes of files that can be undone, by tools and by commands",
    run,
};

fn run(context: &CommandContext<'_>, arguments: &str) -> Outcome {
    no_arguments(arguments, || Outcome::Say(list(context)))
}

fn list(context: &CommandContext<'_>) -> String {
    let lines: Vec<String> = context
        .state
        .calls
        .files
        .to_undo()
        .take(MOST)
        .enumerate()
        .map(|(at, call)| format!("{}. {}", at + 1, line(context, call)))
        .collect();
    let commands = match context.services.checkpoints {
        Some(_) => "",
        None => "\n\nWhat commands change cannot be undone: this server runs with `--checkpoints off`.",
    };
    if lines.is_empty() {
        return format!("There is nothing to undo yet.{commands}");
    }
    let head = "Changes that can be undone, the newest first; `/undo n` undoes the first n:";
    format!("{head}\n\n{}{commands}", lines.join("\n"))
}

fn line(context: &CommandContext<'_>, call: &ChangingCall) -> String {
    let operation = context.state.calls.operations.iter().find(|operation| operation.call_id == call.call_id);
    let about = operation.and_then(|operation| {
        let inputs = &operation.inputs;
        let said = ["command", "path", "patch"].into_iter().find_map(|name| inputs.get(name)?.as_str());
        said.or_else(|| inputs.values().find_map(|value| value.as_str()))
    });
    let about = about.map(|about| format!(" `{}`", short(&about.replace('`', "'"), 60))).unwrap_or_default();
    let when = operation.map(|operation| format!(", {}", operation.timestamp)).unwrap_or_default();
    format!("{}{about}: {}{when}", call.tool, extent(call))
}

/// How much a call changed.
fn extent(call: &ChangingCall) -> String {
    let logged = call.changes.as_ref().map(|changes| changes.len() as u64);
    let known: Option<u64> = call.checkpoints.iter().map(|checkpoint| checkpoint.paths).sum();
    let is_known = known.is_some() && (logged.is_some() || !call.images);
    match (is_known, known.unwrap_or_default() + logged.unwrap_or_default()) {
        (false, _) => "cut off".to_owned(),
        (true, 1) => "1 change".to_owned(),
        (true, count) => format!("{count} changes"),
    }
}
