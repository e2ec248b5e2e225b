//! How long a reply may be that was cut off within a call or a decision: what the window leaves, up to the model's own
//! limit.

use crate::reasoner::Reply;
use switchboard_conversation::{ToolAwareChatEngine, estimate_picture_tokens, estimate_tokens};
use switchboard_llm::{LlmError, LlmRequest, ModelInfo};

/// No reply is longer than this, in tokens.
const MOST: u64 = 64 * 1024;

/// How many tokens the reply may have, if that is at least twice what it had.
pub(in crate::reasoner) fn longer(
    request: &LlmRequest,
    conversation: &ToolAwareChatEngine,
    model: &ModelInfo,
) -> Option<u32> {
    let window = conversation.config().context_limit().min(model.context_tokens.unwrap_or(u64::MAX));
    let json = |value: serde_json::Result<String>| value.map_or(0, |text| estimate_tokens(&text));
    let messages = request.messages.iter().map(|message| {
        message.tool_calls.iter().map(|call| json(serde_json::to_string(&call.arguments))).sum::<u64>()
            + estimate_tokens(message.content.text())
            + message.content.pictures().map(estimate_picture_tokens).sum::<u64>()
    });
    let texts = estimate_tokens(&request.system) + estimate_tokens(&request.situation);
    let asked = texts + messages.sum::<u64>() + json(serde_json::to_string(&request.tools));
    larger(window.saturating_sub(asked).min(MOST), request.max_tokens)
}

/// A reply that its limit has cut off, with a note for the user.
pub(in crate::reasoner) fn cut_short(text: &str) -> Reply {
    let note = "*(The reply reached its length limit and is cut off here. Ask me to continue.)*";
    Reply { text: format!("{}…\n\n{note}", text.trim_end()), complete: false }
}

/// The limit that a model names when it refuses this request for asking for more.
pub(in crate::reasoner) fn own_limit(refusal: &LlmError, asked: u32, before: u32) -> Option<u32> {
    let (LlmError::BadRequest { detail, .. } | LlmError::ContextTooLong(detail)) = refusal else { return None };
    let numbers = detail.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse::<u64>().ok());
    larger(numbers.filter(|number| *number < u64::from(asked)).max()?, before)
}

fn larger(limit: u64, than: u32) -> Option<u32> {
    u32::try_from(limit).ok().filter(|limit| *limit >= than.saturating_mul(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_names_the_models_own_limit() {
        let refused = |detail: &str| {
            let refusal = LlmError::BadRequest { status: 400, detail: detail.to_owned() };
            own_limit(&refusal, 20_000, 1024)
        };
        let openai = "max_tokens is too large: 20000. This model supports at most 16384 completion tokens";
        let anthropic = "max_tokens: 20000 > 8192, which is the maximum allowed number of output tokens";
        assert_eq!((refused(openai), refused(anthropic)), (Some(16_384), Some(8192)));
        assert_eq!((refused("temperature must be 1"), refused("at most 1024 tokens")), (None, None));
    }
}
