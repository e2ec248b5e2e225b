//! The conversation as other programs know it: a list of messages in OpenAI's format, and back.
//!
//! Pictures are data URLs. Those of a tool's result come in the message of the user behind it, as providers get them, and
//! go back to their result.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::Value;
use switchboard_protocol::CallId;

use super::error::TranscriptError;
use switchboard_events::{ChatMessage, ChatRole, Content, LoadedPicture, MAX_VALUE_BYTES, Part, Picture, ToolCall};
use switchboard_llm::{Pictures, openai_messages, shown_with};

/// What a transcript holds.
#[derive(Debug, Default, PartialEq)]
pub struct Transcript {
    /// The messages.
    pub messages: Vec<ChatMessage>,
    /// Their pictures, each once.
    pub pictures: Vec<LoadedPicture>,
}

/// The messages in OpenAI's format; pictures that are not among `pictures` are told in words.
#[must_use]
pub fn to_transcript<'a>(messages: impl IntoIterator<Item = &'a ChatMessage>, pictures: &Pictures) -> Vec<Value> {
    openai_messages(messages, pictures)
}

/// The messages that a transcript in OpenAI's format holds.
///
/// # Errors
/// When a message has no role, or a call's arguments are not a JSON object; says which and why.
pub fn from_transcript(transcript: &[Value]) -> Result<Transcript, TranscriptError> {
    let mut read = Transcript::default();
    for (value, number) in transcript.iter().zip(1..) {
        let problem = |problem: String| TranscriptError::Message { number, problem };
        let message = Message::deserialize(value).map_err(|error| problem(error.to_string()))?;
        let message = read.message(message).map_err(problem)?;
        read.take(message);
    }
    Ok(read)
}

impl Transcript {
    fn message(&mut self, message: Message) -> Result<ChatMessage, String> {
        let content = self.content(message.content);
        let tool_calls = message.tool_calls.into_iter().map(ToolCall::try_from).collect::<Result<_, _>>()?;
        Ok(ChatMessage { tool_calls, tool_call_id: message.tool_call_id, ..ChatMessage::new(message.role, content) })
    }

    fn content(&mut self, content: Option<MessageContent>) -> Content {
        let parts = match content {
            None => return Content::default(),
            Some(MessageContent::Text(text)) => return text.into(),
            Some(MessageContent::Parts(parts)) => parts,
        };
        let mut content = Content::default();
        for part in parts {
            match (part.kind.as_str(), part.image_url) {
                ("text" | "", _) => content.push_text(&part.text),
                ("image_url", Some(image)) => match self.picture(&image.url) {
                    Some(picture) => content.push_picture(picture),
                    None => content.push_text(&not_here(&image.url)),
                },
                (other, _) => content.push_text(&format!("[{other}]")),
            }
        }
        content
    }

    /// The picture that a data URL holds.
    fn picture(&mut self, url: &str) -> Option<Picture> {
        let (_, data) = url.strip_prefix("data:")?.split_once(";base64,")?;
        let data = STANDARD.decode(data.trim()).ok().filter(|data| data.len() <= MAX_VALUE_BYTES)?;
        let loaded = LoadedPicture::of(data.into())?;
        let picture = loaded.picture.clone();
        if !self.pictures.iter().any(|known| known.picture.hash == picture.hash) {
            self.pictures.push(loaded);
        }
        Some(picture)
    }

    fn take(&mut self, mut message: ChatMessage) {
        if message.role == ChatRole::User && message.content.has_pictures() {
            message.content = self.give_back(&message.content);
            if message.content.parts().next().is_none() {
                return;
            }
        }
        self.messages.push(message);
    }

    /// Gives the results right before it the pictures that a message shows of them; what is left of the message.
    fn give_back(&mut self, content: &Content) -> Content {
        let mut parts = content.parts().peekable();
        while let Some(Part::Text(text)) = parts.peek()
            && let Some(result) = result_called(&mut self.messages, text)
        {
            parts.next();
            while let Some(Part::Picture(picture)) = parts.next_if(|part| matches!(part, Part::Picture(_))) {
                result.content.push_picture(picture.clone());
            }
        }
        let mut left = Content::default();
        for part in parts {
            match part {
                Part::Text(text) => left.push_text(text),
                Part::Picture(picture) => left.push_picture(picture.clone()),
            }
        }
        left
    }
}

/// The result among the last messages that these words announce the pictures of.
fn result_called<'a>(messages: &'a mut [ChatMessage], text: &str) -> Option<&'a mut ChatMessage> {
    let mut results = messages.iter_mut().rev().take_while(|message| message.role == ChatRole::Tool);
    results.find(|result| result.tool_call_id.as_ref().is_some_and(|id| shown_with(id) == text))
}

/// What stands for a picture that is not in the file: nothing is fetched.
fn not_here(url: &str) -> String {
    match url.starts_with("data:") {
        true => "[image_url]".to_owned(),
        false => format!("[picture at {url}]"),
    }
}

#[derive(Deserialize)]
struct Message {
    role: ChatRole,
    #[serde(default)]
    content: Option<MessageContent>,
    #[serde(default)]
    tool_calls: Vec<Call>,
    #[serde(default)]
    tool_call_id: Option<CallId>,
}

/// A text, or parts.
#[derive(Deserialize)]
#[serde(untagged)]
enum MessageContent {
    Text(String),
    Parts(Vec<MessagePart>),
}

#[derive(Deserialize)]
struct MessagePart {
    #[serde(default)]
    text: String,
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    image_url: Option<ImageUrl>,
}

#[derive(Deserialize)]
struct ImageUrl {
    url: String,
}

#[derive(Deserialize)]
struct Call {
    id: CallId,
    function: Function,
}

#[derive(Deserialize)]
struct Function {
    name: String,
    /// JSON text, not JSON.
    arguments: String,
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
