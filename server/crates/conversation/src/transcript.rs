//! The conversation as other programs know it: a list of messages in OpenAI's format, and back.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use switchboard_protocol::CallId;

use super::error::TranscriptError;
use switchboard_events::{ChatMessage, ChatRole, ToolCall};

/// The messages in OpenAI's format.
#[must_use]
pub fn to_transcript<'a>(messages: impl IntoIterator<Item = &'a ChatMessage>) -> Vec<Value> {
    messages
        .into_iter()
        .map(|message| serde_json::to_value(Message::from(message)).expect("a message has only text and lists"))
        .collect()
}

/// The messages that a transcript in OpenAI's format holds.
///
/// # Errors
/// When a message has no role, or a call's arguments are not a JSON object; says which and why.
pub fn from_transcript(transcript: &[Value]) -> Result<Vec<ChatMessage>, TranscriptError> {
    let numbered = transcript.iter().zip(1..);
    numbered
        .map(|(value, number)| {
            let problem = |problem: String| TranscriptError::Message { number, problem };
            let message = Message::deserialize(value).map_err(|error| problem(error.to_string()))?;
            message.try_into().map_err(problem)
        })
        .collect()
}

#[derive(Serialize, Deserialize)]
struct Message {
    role: ChatRole,
    #[serde(default, deserialize_with = "text_of")]
    content: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<Call>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<CallId>,
}

#[derive(Serialize, Deserialize)]
struct Call {
    id: CallId,
    #[serde(rename = "type", default = "function")]
    kind: String,
    function: Function,
}

#[derive(Serialize, Deserialize)]
struct Function {
    name: String,
    /// JSON text, not JSON.
    arguments: String,
}

/// A text, or parts of which the texts count.
fn text_of<'de, D: serde::Deserializer<'de>>(content: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Content {
        Text(String),
        Parts(Vec<Part>),
    }
    #[derive(Deserialize)]
    struct Part {
        #[serde(default)]
        text: String,
        #[serde(default, rename = "type")]
        kind: String,
    }
    let part = |part: Part| match part.kind.as_str() {
        "text" | "" => part.text,
        other => format!("[{other}]"),
    };
    Ok(Option::<Content>::deserialize(content)?.map(|content| match content {
        Content::Text(text) => text,
        Content::Parts(parts) => parts.into_iter().map(part).collect(),
    }))
}

fn function() -> String {
    "function".to_owned()
}

impl From<&ChatMessage> for Message {
    fn from(message: &ChatMessage) -> Self {
        let only_calls = message.content.is_empty() && !message.tool_calls.is_empty();
        Self {
            role: message.role,
            content: (!only_calls).then(|| message.content.clone()),
            tool_calls: message.tool_calls.iter().map(Call::from).collect(),
            tool_call_id: message.tool_call_id.clone(),
        }
    }
}

impl From<&ToolCall> for Call {
    fn from(call: &ToolCall) -> Self {
        let arguments = serde_json::to_string(&call.arguments).expect("a JSON object can be written");
        Self { id: call.id.clone(), kind: function(), function: Function { name: call.name.clone(), arguments } }
    }
}

impl TryFrom<Message> for ChatMessage {
    type Error = String;

    fn try_from(message: Message) -> Result<Self, String> {
        let tool_calls = message.tool_calls.into_iter().map(ToolCall::try_from).collect::<Result<_, _>>()?;
        let content = message.content.unwrap_or_default();
        Ok(Self { tool_calls, tool_call_id: message.tool_call_id, ..Self::new(message.role, content) })
    }
}

impl TryFrom<Call> for ToolCall {
    type Error = String;

    fn try_from(call: Call) -> Result<Self, String> {
        let text = if call.function.arguments.is_empty() { "{}" } else { &call.function.arguments };
        let arguments = serde_json::from_str(text)
            .map_err(|error| format!("the arguments of {} are not a JSON object: {error}", call.function.name))?;
        Ok(Self { id: call.id, name: call.function.name, arguments })
    }
}

#[cfg(test)]
#[path = "transcript_tests.rs"]
mod tests;
