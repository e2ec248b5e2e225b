//! A conversation as OpenAI's chat completions take it; an exported transcript is the same list.
//!
//! A tool's message takes only text. The pictures of a result follow in a message of the user, behind all results of the
//! reply, and in front of what the user says next: some models refuse two messages of the user in a row.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};
use switchboard_protocol::CallId;

use crate::request::Pictures;
use switchboard_events::{ChatMessage, ChatRole, Content, Part, Picture, ToolCall};

/// The messages; pictures that are not in `pictures` are told in words.
pub fn openai_messages<'a>(said: impl IntoIterator<Item = &'a ChatMessage>, pictures: &Pictures) -> Vec<Value> {
    let mut list = List { messages: Vec::new(), waiting: Vec::new(), pictures };
    said.into_iter().for_each(|message| list.take(message));
    list.show_waiting();
    list.messages
}

/// What stands before the pictures of a result.
#[must_use]
pub fn shown_with(call: &CallId) -> String {
    format!("Shown by the result of {call}:")
}

struct List<'a> {
    messages: Vec<Value>,
    /// Parts that show the pictures of results.
    waiting: Vec<Value>,
    pictures: &'a Pictures,
}

impl List<'_> {
    fn take(&mut self, said: &ChatMessage) {
        let content = said.content.with_pictures_in_words(|picture| self.has(picture));
        match said.role {
            ChatRole::User if !self.waiting.is_empty() && begins_with_words(&content) => {
                let shown = std::mem::take(&mut self.waiting);
                let parts: Vec<Value> = shown.into_iter().chain(self.parts(&content)).collect();
                self.messages.push(json!({"role": "user", "content": parts}));
            }
            ChatRole::User => {
                self.show_waiting();
                let content = match content.has_pictures() {
                    true => self.parts(&content).into(),
                    false => Value::from(content.text()),
                };
                self.messages.push(json!({"role": "user", "content": content}));
            }
            ChatRole::Tool => {
                if let Some(id) = said.tool_call_id.as_ref().filter(|_| content.has_pictures()) {
                    self.waiting.push(text(&shown_with(id)));
                    let images: Vec<Value> = content.pictures().filter_map(|picture| self.image(picture)).collect();
                    self.waiting.extend(images);
                }
                self.messages.push(message(said, content.text()));
            }
            ChatRole::System | ChatRole::Assistant => {
                self.show_waiting();
                self.messages.push(message(said, &said.content.in_words()));
            }
        }
    }

    fn show_waiting(&mut self) {
        if !self.waiting.is_empty() {
            let parts = std::mem::take(&mut self.waiting);
            self.messages.push(json!({"role": "user", "content": parts}));
        }
    }

    fn has(&self, picture: &Picture) -> bool {
        self.pictures.contains_key(&picture.hash)
    }

    fn parts(&self, content: &Content) -> Vec<Value> {
        let part = |part: Part<'_>| match part {
            Part::Text(said) => Some(text(said)),
            Part::Picture(picture) => self.image(picture),
        };
        content.parts().filter_map(part).collect()
    }

    fn image(&self, picture: &Picture) -> Option<Value> {
        let data = STANDARD.encode(self.pictures.get(&picture.hash)?);
        let url = format!("data:{};base64,{data}", picture.format.media_type());
        Some(json!({"type": "image_url", "image_url": {"url": url}}))
    }
}

/// Whether it can stand behind pictures that are not its own.
fn begins_with_words(content: &Content) -> bool {
    matches!(content.parts().next(), Some(Part::Text(text)) if !text.trim().is_empty())
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn message(said: &ChatMessage, text: &str) -> Value {
    let mut message = Map::new();
    let only_calls = text.is_empty() && !said.tool_calls.is_empty();
    let role = match said.role {
        ChatRole::System => "system",
        ChatRole::User => "user",
        ChatRole::Assistant => "assistant",
        ChatRole::Tool => "tool",
    };
    message.insert("role".to_owned(), role.into());
    message.insert("content".to_owned(), if only_calls { Value::Null } else { text.into() });
    if !said.tool_calls.is_empty() {
        message.insert("tool_calls".to_owned(), said.tool_calls.iter().map(call).collect());
    }
    if let Some(id) = &said.tool_call_id {
        message.insert("tool_call_id".to_owned(), id.as_str().into());
    }
    message.into()
}

fn call(call: &ToolCall) -> Value {
    let arguments = Value::Object(call.arguments.clone()).to_string();
    json!({"id": call.id.as_str(), "type": "function", "function": {"name": call.name, "arguments": arguments}})
}
