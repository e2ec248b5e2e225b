//! `/clear`: variables and operations go.

use super::{Command, Outcome, Scene, no_arguments};

pub(super) const COMMAND: Command = Command {
    name: "clear",
    usage: "/clear",
    about: "removes the variables and the list of operations; the conversation stays",
    run,
};

fn run(scene: &Scene<'_>, arguments: &str) -> Outcome {
    no_arguments(arguments, || {
        let (variables, operations) = (scene.state.context.len(), scene.state.calls.operations.len());
        Outcome::Clear(format!("Removed {variables} variables and {operations} operations. The conversation stays."))
    })
}
