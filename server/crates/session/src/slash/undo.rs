//! `/undo [n]`: files become again what they were before tools changed them.

use super::{Command, CommandContext, Outcome};

/// How many changes are undone at once, at most.
const MOST: u64 = 20;

pub(super) const COMMAND: Command = Command {
    name: "undo",
    usage: "/undo [n]",
    about: "restores files to how they were before the last change by a tool, or the last n changes (up to 20)",
    run,
};

fn run(context: &CommandContext<'_>, arguments: &str) -> Outcome {
    let count = match arguments {
        "" => Some(1),
        number => number.parse().ok().filter(|count| (1..=MOST).contains(count)),
    };
    let Some(count) = count else {
        return Outcome::Wrong(format!("n is a number from 1 to {MOST}."));
    };
    if context.state.calls.files.to_undo().next().is_none() {
        let text = "There is nothing to undo: no tool has changed a file here in a way that can be undone.";
        return Outcome::Say(text.to_owned());
    }
    Outcome::Undo(count)
}
