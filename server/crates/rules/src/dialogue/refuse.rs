//! What is said when a request is not done: what it is, and the nearest thing that works when typed. Two lines.

use switchboard_protocol::ToolDefinition;

use super::account::told;
use super::meaning::Unknown;
use crate::ops::cut_line;
use switchboard_agent::TurnContext;
use switchboard_events::ChatRole;

/// How a language model is connected; said once in a session.
const CONNECT: &str = "I am not a language model; docs/models.md tells how to connect one.";

/// How many words without a part are listed.
const MAX_WORDS: usize = 5;

/// What begins an offer of something that is only near to the request.
pub(super) const NEAREST: &str = "The nearest that I can do:";

/// A request that nothing fits.
pub(super) fn not_understood(unknown: &Unknown, scene: &TurnContext<'_>) -> String {
    if let Some(said) = &unknown.said {
        return said.clone();
    }
    let request = cut_line(&unknown.request);
    let first = match unknown.unread.as_slice() {
        [] => format!("I cannot do \"{request}\": no tool here and nothing that I know fits it."),
        unread => format!(
            "I did not understand \"{request}\": {} has no place in what I know.",
            told(unread.iter().take(MAX_WORDS))
        ),
    };
    let second = match &unknown.near {
        Some(plan) if !plan.summary.is_empty() => format!("{NEAREST} {}", plan.summary),
        _ => "Ask \"what can you do\" for examples.".to_owned(),
    };
    let said = |text: &str| {
        let messages = scene.view.conversation.messages();
        messages
            .filter(|message| message.role == ChatRole::Assistant)
            .any(|message| message.content.text().contains(text))
    };
    if said(CONNECT) { format!("{first}\n\n{second}") } else { format!("{first} {CONNECT}\n\n{second}") }
}

/// A tool fits, but the request does not say all that it needs.
pub(super) fn lacking(request: &str, tool: &ToolDefinition, parameters: &[String]) -> String {
    let told = |name: &String| {
        let about = tool.parameters["properties"][name.as_str()]["description"].as_str();
        let about = about.map(|about| about.split(['.', ';', '\n']).next().unwrap_or(about));
        about.map_or_else(|| format!("`{name}`"), |about| format!("`{name}` ({})", cut_line(about)))
    };
    let missing: Vec<String> = parameters.iter().map(told).collect();
    format!(
        "`{}` fits \"{}\", but your request does not say: {}.\n\nSend the request again with it.",
        tool.name,
        cut_line(request),
        missing.join(", ")
    )
}

/// What was left undone.
pub(super) fn undone(requests: &[String]) -> String {
    let listed: Vec<String> = requests.iter().map(|request| format!("- {}", cut_line(request))).collect();
    format!("Not done:\n\n{}", listed.join("\n"))
}
