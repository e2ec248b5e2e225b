//! `/export`: where the whole session can be fetched.

use super::{Command, CommandContext, Outcome, no_arguments};

pub(super) const COMMAND: Command =
    Command { name: "export", usage: "/export", about: "gives a link to the whole session as a file", run };

fn run(context: &CommandContext<'_>, arguments: &str) -> Outcome {
    no_arguments(arguments, || {
        let (session, events) = (context.session, context.state.last_seq);
        let address = format!("/api/sessions/{session}/export");
        Outcome::Say(format!(
            "The whole session, {events} events with all values, is at [{address}]({address}), one line of JSON per \
             event or value."
        ))
    })
}
