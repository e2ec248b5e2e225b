//! `/try <tool> [text]`: the last request once more, or this one, with a tool of the user's choice. It is a message like
//! others, and waits, joins or replaces as they do; only its turn may begin with no other tool.

use super::{Command, CommandContext, Outcome, short};
use crate::state::Taken;
use switchboard_runtime::nearest;

/// How many names are offered for one that there is not.
const NEAR: usize = 3;

/// From which confidence on a tool is offered because of what it does.
const ALIKE: f64 = 0.3;

pub(super) const COMMAND: Command = Command {
    name: "try",
    usage: "/try <tool> [text]",
    about: "runs your last request, or the text, with the tool you name",
    run,
};

fn run(context: &CommandContext<'_>, arguments: &str) -> Outcome {
    let (named, text) = parted(arguments);
    if named.is_empty() {
        return Outcome::Wrong("Name the tool to try. `/tools` lists them.".to_owned());
    }
    let names = context.services.registry.names();
    let found =
        names.iter().find(|name| *name == named).or_else(|| names.iter().find(|name| name.eq_ignore_ascii_case(named)));
    let Some(tool) = found.cloned() else { return Outcome::Wrong(unknown(context, named, &names)) };
    let said = (!text.is_empty()).then(|| text.to_owned()).or_else(|| context.state.messages.last_request.clone());
    match said {
        Some(text) => Outcome::Try { tool, text },
        None => Outcome::Wrong(format!(
            "There is no earlier request in this conversation to try `{tool}` with. Write one after the name: `/try \
             {tool} …`."
        )),
    }
}

/// Whether the command with these arguments is what a message was taken from.
pub(crate) fn is_again(command: &Command, arguments: &str, taken: &Taken) -> bool {
    let (named, text) = parted(arguments.trim());
    let same_tool = taken.tool.as_deref().is_some_and(|tool| tool.eq_ignore_ascii_case(named));
    command.name == COMMAND.name && same_tool && (text.is_empty() || taken.digest == Taken::digest(text))
}

/// The tool's name and the text behind it.
fn parted(arguments: &str) -> (&str, &str) {
    let (named, text) = arguments.split_once(char::is_whitespace).unwrap_or((arguments, ""));
    (named.trim_matches('`'), text.trim())
}

fn unknown(context: &CommandContext<'_>, named: &str, names: &[String]) -> String {
    let shown = short(named, 60).replace('`', "'");
    let (agents, _) = context.services.agents.list();
    if let Some(agent) = agents.iter().find(|agent| agent.definition.id == named && !agent.enabled) {
        let id = &agent.definition.id;
        return format!("The specialist `{id}` is switched off. `/agents on {id}` switches it on.");
    }
    let mut near: Vec<&str> = nearest(named, names.iter().map(String::as_str), NEAR);
    let words = named.replace('_', " ");
    let found = context.services.index.search(&words, NEAR, ALIKE);
    near.extend(found.iter().map(|found| found.name.as_str()).filter(|name| !near.contains(name)).collect::<Vec<_>>());
    near.truncate(NEAR);
    let near: Vec<String> = near.iter().map(|name| format!("`{name}`")).collect();
    match near.as_slice() {
        [] => format!("There is no tool `{shown}`. `/tools` lists them all."),
        [one] => format!("There is no tool `{shown}`. Did you mean {one}?"),
        several => format!("There is no tool `{shown}`. Did you mean one of {}?", several.join(", ")),
    }
}
