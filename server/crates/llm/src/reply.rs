//! What a model answers, in nobody's dialect.

use serde_json::Value;
use switchboard_protocol::Usage;

use super::calls::{CallParts, UnreadableCall};
use super::error::LlmError;
use switchboard_events::ToolCall;

/// More tokens than any model has taken or given: such a figure is not true.
const MAX_TOKENS: u64 = 1_000_000_000;

/// A whole reply.
#[derive(Debug, Clone, PartialEq)]
pub struct LlmReply {
    /// Its text; empty when the model only calls functions.
    pub text: String,
    /// The calls, in the model's order, no id twice. Names and arguments are the model's: check them.
    pub tool_calls: Vec<ToolCall>,
    /// Calls that must not run, because their arguments cannot be read; tell the model what is wrong.
    pub unreadable_calls: Vec<UnreadableCall>,
    /// What it cost, if the provider says so in figures that can be true.
    pub usage: Option<Usage>,
    /// Why it ended.
    pub finish: FinishReason,
}

impl LlmReply {
    /// The reply, once it has come to its end.
    ///
    /// # Errors
    /// When there is nothing in it, and no reason for that.
    pub(super) fn whole(
        text: String,
        parts: CallParts,
        finish: FinishReason,
        usage: Option<Usage>,
    ) -> Result<Self, LlmError> {
        let (tool_calls, unreadable_calls) = parts.finish(finish == FinishReason::Length);
        let is_empty = text.trim().is_empty() && tool_calls.is_empty() && unreadable_calls.is_empty();
        if is_empty && matches!(finish, FinishReason::Stop | FinishReason::Unknown | FinishReason::ToolCalls) {
            return Err(LlmError::Empty);
        }
        Ok(Self { text, tool_calls, unreadable_calls, usage, finish })
    }
}

/// A figure of what a reply cost; one that cannot be true counts as not given.
pub(super) fn tokens(usage: Option<&Value>, name: &str) -> Option<u64> {
    usage?.get(name)?.as_u64().filter(|&tokens| tokens <= MAX_TOKENS)
}

/// Why a reply ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FinishReason {
    /// The model had said all.
    Stop,
    /// It reached `max_tokens`: the text is cut off.
    Length,
    /// It calls functions.
    ToolCalls,
    /// The provider's filter, or the model's refusal: the text, if there is one, is the refusal.
    Filtered,
    /// The provider did not say, or said a word that nobody knows.
    Unknown,
}
