//! A reply in one piece, and what both kinds of replies have in common.

use serde_json::Value;
use switchboard_protocol::Usage;

use crate::calls::{CallParts, CallPiece};
use crate::error::LlmError;
use crate::refusal;
use crate::reply::{FinishReason, LlmReply, Sources, tokens};

/// Reads a reply.
///
/// # Errors
/// When it is an error, or no reply.
pub(super) fn reply(body: &Value) -> Result<LlmReply, LlmError> {
    if let Some(error) = body.get("error").filter(|error| !error.is_null()) {
        return Err(refusal::of_value(error));
    }
    let Some(choice) = body.get("choices").and_then(|choices| choices.get(0)) else {
        return Err(LlmError::Malformed("it is JSON, but has no \"choices\"".to_owned()));
    };
    let message = choice.get("message").unwrap_or(&Value::Null);
    let mut parts = CallParts::default();
    take_calls(message, &mut parts)?;
    let refused = message.get("refusal").and_then(Value::as_str).unwrap_or_default();
    let mut said = text(message.get("content"));
    let mut finish = finish(choice.get("finish_reason"), !parts.is_empty());
    if !refused.is_empty() {
        finish = FinishReason::Filtered;
        if said.is_empty() {
            refused.clone_into(&mut said);
        }
    }
    let mut sources = Sources::default();
    take_sources(message, &mut sources);
    LlmReply::whole(said, parts, finish, usage(body.get("usage"))).map(|reply| reply.citing(sources))
}

/// The pages that a message or a delta cites.
pub(super) fn take_sources(message: &Value, sources: &mut Sources) {
    let all = message.get("annotations").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    all.iter().filter_map(|annotation| annotation.get("url_citation")).for_each(|page| sources.cite(page));
}

/// The pieces of calls in a message or a delta, in the old form too.
///
/// # Errors
/// When there are too many.
pub(super) fn take_calls(message: &Value, parts: &mut CallParts) -> Result<(), LlmError> {
    let calls = message.get("tool_calls").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    for call in calls {
        let function = call.get("function").unwrap_or(&Value::Null);
        take_call(call.get("index").and_then(Value::as_u64), field(call, "id"), function, parts)?;
    }
    match message.get("function_call").filter(|function| function.is_object()) {
        Some(function) => take_call(Some(0), "", function, parts),
        None => Ok(()),
    }
}

fn take_call(index: Option<u64>, id: &str, function: &Value, parts: &mut CallParts) -> Result<(), LlmError> {
    let arguments = match function.get("arguments") {
        Some(Value::String(text)) => text.clone(),
        // Some providers send the object itself.
        Some(object @ Value::Object(_)) => object.to_string(),
        _ => String::new(),
    };
    parts.take(&CallPiece { index, id, name: field(function, "name"), arguments: &arguments })
}

fn field<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// A content: text, or a list of parts of which some are text.
pub(super) fn text(content: Option<&Value>) -> String {
    match content {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => parts.iter().map(|part| field(part, "text")).collect(),
        _ => String::new(),
    }
}

/// Why it ended, in the provider's word. Some say `stop` although the model calls functions.
pub(super) fn finish(word: Option<&Value>, has_calls: bool) -> FinishReason {
    match word.and_then(Value::as_str).unwrap_or_default().to_lowercase().as_str() {
        "length" | "max_tokens" | "model_length" => FinishReason::Length,
        "content_filter" | "safety" | "refusal" => FinishReason::Filtered,
        "tool_calls" | "function_call" | "tool_use" => FinishReason::ToolCalls,
        _ if has_calls => FinishReason::ToolCalls,
        "stop" | "end_turn" | "eos" | "stop_sequence" => FinishReason::Stop,
        _ => FinishReason::Unknown,
    }
}

/// What it cost; figures that cannot be true count as not given.
pub(super) fn usage(usage: Option<&Value>) -> Option<Usage> {
    let (input, output) = (tokens(usage, "prompt_tokens"), tokens(usage, "completion_tokens"));
    (input.is_some() || output.is_some())
        .then(|| Usage { input_tokens: input.unwrap_or_default(), output_tokens: output.unwrap_or_default() })
}
