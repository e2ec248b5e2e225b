//! A reply in one piece, and what both kinds of replies have in common.

use serde_json::Value;
use switchboard_protocol::Usage;

use crate::calls::{CallParts, CallPiece};
use crate::error::LlmError;
use crate::refusal;
use crate::reply::{FinishReason, LlmReply, Sources, tokens};

/// Reads a reply; the arguments of a call of `answer` are text of it.
///
/// # Errors
/// When it is an error, or no reply.
pub(super) fn reply(body: &Value, answer: Option<&str>) -> Result<LlmReply, LlmError> {
    if let Some(error) = body.get("error").filter(|error| !error.is_null()) {
        return Err(refusal::of_value(error));
    }
    let Some(blocks) = body.get("content").and_then(Value::as_array) else {
        return Err(LlmError::Malformed("it is JSON, but has no \"content\"".to_owned()));
    };
    let (mut text, mut parts, mut sources) = (String::new(), CallParts::default(), Sources::default());
    for (index, block) in blocks.iter().enumerate() {
        let name = field(block, "name");
        let input = || block.get("input").map(Value::to_string).unwrap_or_default();
        match field(block, "type") {
            "text" => {
                text.push_str(field(block, "text"));
                take_sources(block, &mut sources);
            }
            "web_search_tool_result" => take_sources(block, &mut sources),
            "tool_use" if answer == Some(name) => text.push_str(&input()),
            "tool_use" => {
                let (index, arguments) = (u64::try_from(index).ok(), input());
                parts.take(&CallPiece { index, id: field(block, "id"), name, arguments: &arguments })?;
            }
            _ => {}
        }
    }
    let mut cost = Cost::default();
    cost.take(body.get("usage"));
    whole(text, parts, &Stop::of(body), &cost).map(|reply| reply.citing(sources))
}

/// The pages that a text cites, or that a search found.
pub(super) fn take_sources(block: &Value, sources: &mut Sources) {
    let list = |name: &str| block.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    list("citations").iter().for_each(|page| sources.cite(page));
    list("content").iter().for_each(|page| sources.find(page));
}

/// The reply, once it has come to its end.
///
/// # Errors
/// As [`LlmReply::whole`].
pub(super) fn whole(text: String, parts: CallParts, stop: &Stop, cost: &Cost) -> Result<LlmReply, LlmError> {
    let finish = stop.finish(!parts.is_empty());
    let text = match finish {
        FinishReason::Filtered if text.is_empty() => stop.explanation.clone(),
        _ => text,
    };
    LlmReply::whole(text, parts, finish, cost.usage())
}

pub(super) fn field<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// Why a reply ended, in the provider's words.
#[derive(Debug, Default)]
pub(super) struct Stop {
    reason: String,
    explanation: String,
}

impl Stop {
    /// What this says about it.
    pub(super) fn of(value: &Value) -> Self {
        let details = value.get("stop_details").unwrap_or(&Value::Null);
        Self { reason: field(value, "stop_reason").to_owned(), explanation: field(details, "explanation").to_owned() }
    }

    /// A turn that is paused is one that did not come to its end.
    fn finish(&self, has_calls: bool) -> FinishReason {
        match self.reason.as_str() {
            "max_tokens" | "model_context_window_exceeded" | "pause_turn" => FinishReason::Length,
            "refusal" => FinishReason::Filtered,
            _ if has_calls => FinishReason::ToolCalls,
            // The call of a tool, and there is none: its arguments are the reply.
            "end_turn" | "stop_sequence" | "tool_use" => FinishReason::Stop,
            _ => FinishReason::Unknown,
        }
    }
}

/// What a reply cost; figures that come later override earlier ones.
#[derive(Debug, Default)]
pub(super) struct Cost {
    read: Option<u64>,
    from_cache: Option<u64>,
    to_cache: Option<u64>,
    written: Option<u64>,
}

impl Cost {
    pub(super) fn take(&mut self, usage: Option<&Value>) {
        self.read = tokens(usage, "input_tokens").or(self.read);
        self.from_cache = tokens(usage, "cache_read_input_tokens").or(self.from_cache);
        self.to_cache = tokens(usage, "cache_creation_input_tokens").or(self.to_cache);
        self.written = tokens(usage, "output_tokens").or(self.written);
    }

    /// What was read from the prompt cache was read all the same: `input_tokens` are the others only.
    fn usage(&self) -> Option<Usage> {
        (self.read.is_some() || self.written.is_some()).then(|| {
            let read = [self.read, self.from_cache, self.to_cache].into_iter().flatten().sum();
            Usage { input_tokens: read, output_tokens: self.written.unwrap_or_default() }
        })
    }
}
