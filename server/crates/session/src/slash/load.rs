//! `/load <name>`: the variables as they stood at `/save`.

use super::{Command, CommandContext, Outcome, short};
use switchboard_runtime::nearest;

pub(super) const COMMAND: Command = Command {
    name: "load",
    usage: "/load <name>",
    about: "restores the variables as they were at `/save <name>`",
    run,
};

fn run(context: &CommandContext<'_>, arguments: &str) -> Outcome {
    let saved = &context.state.saved;
    if let Some(seq) = saved.get(arguments) {
        return Outcome::Load(arguments.to_owned(), *seq);
    }
    let names: Vec<&str> = saved.keys().map(String::as_str).collect();
    let text = match (names.is_empty(), arguments) {
        (true, _) => "Nothing is saved yet. Use `/save <name>` to save the variables.".to_owned(),
        (false, "") => format!("Say which one: {}.", names.join(", ")),
        (false, wanted) => {
            let near = nearest(wanted, names.iter().copied(), 3);
            let offered = if near.is_empty() { &names } else { &near };
            format!("Nothing is saved as `{}`. Saved names: {}.", short(wanted, 64), offered.join(", "))
        }
    };
    Outcome::Wrong(text)
}
