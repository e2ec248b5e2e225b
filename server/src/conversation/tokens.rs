//! About how many tokens a message has: a quarter of its characters. Good enough for a gauge of any model.

use crate::events::ChatMessage;

/// How many characters a token has, about.
const CHARACTERS: u64 = 4;

/// The message's tokens; what it calls, and with what, counts too.
pub(super) fn estimate(message: &ChatMessage) -> u64 {
    let calls: usize = message.tool_calls.iter().map(|call| characters(&call.name) + arguments(call)).sum();
    ((characters(&message.content) + calls) as u64).div_ceil(CHARACTERS)
}

fn arguments(call: &crate::events::ToolCall) -> usize {
    serde_json::to_string(&call.arguments).map_or(0, |text| characters(&text))
}

fn characters(text: &str) -> usize {
    text.chars().count()
}
