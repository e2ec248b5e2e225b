//! `/fork [seq]`: a new session from this one, as it was.

use super::{Command, CommandContext, Outcome};

pub(super) const COMMAND: Command = Command {
    name: "fork",
    usage: "/fork [seq]",
    about: "makes a new session from everything said and done here, or from everything up to event seq",
    run,
};

fn run(context: &CommandContext<'_>, arguments: &str) -> Outcome {
    let last = context.state.last_seq;
    let upto = match arguments {
        "" => Some(last),
        number => number.parse().ok().filter(|seq| (1..=last).contains(seq)),
    };
    match upto {
        Some(0) => Outcome::Wrong("Nothing has been said here yet, so there is nothing to fork.".to_owned()),
        Some(upto) => Outcome::Fork { upto, message: None },
        None => Outcome::Wrong(format!("seq is the number of an event, from 1 to {last}.")),
    }
}
