//! `/model [name]`: the language model in use, the provider's others, and how to take another.

use std::fmt::Write;

use super::{Command, CommandContext, Outcome, short};

/// How many models are listed.
const MAX_LISTED: usize = 40;

/// The longest name that is shown, in characters.
const MAX_CHARS: usize = 200;

pub(super) const COMMAND: Command = Command {
    name: "model",
    usage: "/model [name]",
    about: "shows the language model in use, or switches to another one of its provider, for all sessions",
    run,
};

fn run(context: &CommandContext<'_>, name: &str) -> Outcome {
    let models = &context.services.models;
    if name.is_empty() {
        return Outcome::Say(shown(context));
    }
    if name.chars().count() > MAX_CHARS || name.chars().any(char::is_control) {
        return Outcome::Wrong("This is not a model name.".to_owned());
    }
    match models.use_model(name) {
        Ok(model) => {
            let text = format!("From now on, `{}` of {} answers in all sessions.", code(&model.name), model.provider);
            Outcome::Say(text)
        }
        Err(problem) => Outcome::Wrong(problem),
    }
}

fn shown(context: &CommandContext<'_>) -> String {
    let models = &context.services.models;
    let (Some(client), Some((provider, address))) = (models.current(), models.endpoint()) else {
        let why = models.why_none().unwrap_or_else(|| "none was found".to_owned());
        return format!(
            "No language model is in use: {why}. Set one up in the page's provider dialog. If you run the server, you \
             can also use `--llm-provider` or put a key such as `OPENAI_API_KEY` in its environment."
        );
    };
    let model = client.model();
    let mut text = format!("`{}` of {} at {}", code(&model.name), provider.name, code(&address));
    if let Some(tokens) = model.context_tokens {
        let _ = write!(text, "; its context window has {tokens} tokens");
    }
    let calls = if model.supports_tools { "calls tools itself" } else { "is asked stage by stage" };
    let sees = if model.sees_pictures { " and sees pictures" } else { "" };
    let _ = write!(text, "; it {calls}{sees}.");
    let all = models.providers();
    let others = all.iter().find(|status| status.active).map(|status| status.models.as_slice()).unwrap_or_default();
    if !others.is_empty() {
        let names: Vec<_> = others.iter().take(MAX_LISTED).map(|name| format!("`{}`", code(name))).collect();
        let more = others.len().saturating_sub(MAX_LISTED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let _ = write!(text, "\n\n{} has {}{more}. `/model <name>` switches to one.", provider.name, names.join(", "));
    }
    text
}

/// Foreign text, which must not look like ours.
fn code(text: &str) -> String {
    short(text, MAX_CHARS).replace('`', "'")
}
