//! `/debug`: how the session is.

use super::{Command, CommandContext, Outcome, no_arguments};

pub(super) const COMMAND: Command = Command {
    name: "debug",
    usage: "/debug",
    about: "shows the state of the session: reasoner, events, running turn, queue, memory",
    run,
};

fn run(context: &CommandContext<'_>, arguments: &str) -> Outcome {
    no_arguments(arguments, || Outcome::Say(text(context)))
}

fn text(context: &CommandContext<'_>) -> String {
    let state = context.state;
    let reasoner = context.services.agent.info();
    let kind = serde_json::to_value(reasoner.kind).unwrap_or_default();
    let model = reasoner.model.map_or_else(|| "no model".to_owned(), |model| format!("model {model}"));
    let turn = match (context.running, &state.messages.turn) {
        (Some(id), Some(turn)) => format!("`{id}` at {}", serde_json::to_value(turn.step).unwrap_or_default()),
        (Some(id), None) => format!("`{id}` is starting"),
        (None, _) => "none".to_owned(),
    };
    let calls: Vec<String> =
        state.calls.open.iter().map(|call| format!("`{}` ({})", call.tool, call.call_id)).collect();
    [
        format!("- session: `{}`", context.session),
        format!("- reasoner: {} ({model})", kind.as_str().unwrap_or("unknown")),
        format!("- events: {}", state.last_seq),
        format!("- clients: {}", context.clients),
        format!("- running turn: {turn}"),
        format!("- running calls: {}", if calls.is_empty() { "none".to_owned() } else { calls.join(", ") }),
        format!("- waiting messages: {}", state.messages.waiting.len()),
        format!("- waiting questions: {}", state.pending.len()),
        format!("- conversation: {} messages, about {} tokens", state.conversation.len(), state.conversation.tokens()),
        format!("- variables: {}", state.context.len()),
        format!("- operations: {}", state.calls.operations.len()),
        format!("- tools: {}", context.services.registry.len()),
    ]
    .join("\n")
}
