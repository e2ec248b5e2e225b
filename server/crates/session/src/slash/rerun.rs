//! `/rerun [messageId] [text]`: a message once more, in a new session that knows only what was before it.

use uuid::Uuid;

use super::{Command, CommandContext, Outcome};
use crate::archive::Rerun;

pub(super) const COMMAND: Command = Command {
    name: "rerun",
    usage: "/rerun [messageId] [text]",
    about: "sends your last message, or the one with this id, again in a new session that knows only what came before \
            it; with a text, sends that text instead",
    run,
};

fn run(context: &CommandContext<'_>, arguments: &str) -> Outcome {
    let messages = &context.state.messages.taken;
    let (word, rest) = arguments.split_once(char::is_whitespace).unwrap_or((arguments, ""));
    let (replaced, text) = match messages.get_key_value(word) {
        Some(replaced) => (Some(replaced), rest.trim_start()),
        None if Uuid::try_parse(word).is_ok() => {
            return Outcome::Wrong(format!("No message of this session has the id `{word}`."));
        }
        None => (messages.iter().max_by_key(|(_, taken)| taken.seq), arguments),
    };
    let Some((id, taken)) = replaced else {
        return Outcome::Wrong("No message has been sent here yet, so there is none to run again.".to_owned());
    };
    let text = (!text.trim().is_empty()).then(|| text.to_owned());
    Outcome::Fork { upto: taken.seq - 1, message: Some(Rerun::of(id, taken.seq, text)) }
}
