//! The conversation as Anthropic wants it: user and assistant take turns, a call's result stands at the beginning of the
//! very next turn, no id comes twice, and nothing is empty. Whatever the history looks like, what is sent is valid.

use std::collections::HashSet;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};
use switchboard_protocol::CallId;

use crate::request::Pictures;
use switchboard_events::{ChatMessage, ChatRole, Content, Part, Picture, ToolCall};

/// The longest id and the longest name that are sent.
const MAX_ID: usize = 64;

/// What stands for a message that there has to be.
const EARLIER: &str = "(Earlier messages are left out.)";
const GO_ON: &str = "Continue.";

/// The turns of a conversation.
#[derive(Default)]
pub(super) struct Turns {
    turns: Vec<Turn>,
    /// Calls whose results have not come.
    open: Vec<Open>,
    ids: HashSet<String>,
    /// The tools that were called.
    pub(super) tools: Vec<String>,
}

struct Turn {
    is_user: bool,
    blocks: Vec<Value>,
    /// How many of them are results; they come first.
    results: usize,
}

struct Open {
    call: CallId,
    id: String,
    turn: usize,
}

impl Turns {
    /// Of these messages; pictures that are not among `pictures` are told in words.
    pub(super) fn of(messages: &[Arc<ChatMessage>], pictures: &Pictures) -> Self {
        let mut turns = Self::default();
        for said in messages {
            let content = said.content.with_pictures_in_words(|picture| pictures.contains_key(&picture.hash));
            match said.role {
                ChatRole::System | ChatRole::User => {
                    let blocks = blocks(&content, pictures);
                    if !blocks.is_empty() {
                        turns.turn(true).blocks.extend(blocks);
                    }
                }
                ChatRole::Assistant => {
                    turns.say(false, &said.content.in_words());
                    said.tool_calls.iter().for_each(|call| turns.call(call));
                }
                ChatRole::Tool => turns.result(said, &content, pictures),
            }
        }
        for Open { id, turn, .. } in std::mem::take(&mut turns.open) {
            turns.answer(turn, &id, "There is no result.".into(), true);
        }
        if turns.turns.last().is_none_or(|last| !last.is_user) {
            turns.say(true, GO_ON);
        }
        turns
    }

    /// As they are sent, and behind them what holds at this moment only; the end of what will be said again is marked for
    /// the prompt cache if `marked`.
    pub(super) fn messages(mut self, situation: &str, marked: bool) -> Value {
        if marked && let Some(block) = self.turns.last_mut().and_then(|turn| turn.blocks.last_mut()) {
            mark(block);
        }
        self.say(true, situation);
        let message = |turn: Turn| {
            let role = if turn.is_user { "user" } else { "assistant" };
            json!({"role": role, "content": turn.blocks})
        };
        self.turns.into_iter().map(message).collect()
    }

    fn say(&mut self, is_user: bool, text: &str) {
        if !text.trim().is_empty() {
            self.turn(is_user).blocks.push(json!({"type": "text", "text": text}));
        }
    }

    fn call(&mut self, call: &ToolCall) {
        let (id, name) = (self.new_id(call.id.as_str()), plain(&call.name));
        let arguments = &call.arguments;
        self.turn(false).blocks.push(json!({"type": "tool_use", "id": id, "name": name, "input": arguments}));
        self.open.push(Open { call: call.id.clone(), id, turn: self.turns.len() - 1 });
        if !self.tools.contains(&name) {
            self.tools.push(name);
        }
    }

    /// A result that nobody waits for is left out.
    fn result(&mut self, said: &ChatMessage, content: &Content, pictures: &Pictures) {
        let waiting = self.open.iter().position(|open| said.tool_call_id.as_ref() == Some(&open.call));
        if let Some(position) = waiting {
            let Open { id, turn, .. } = self.open.remove(position);
            let content = match content.has_pictures() {
                true => blocks(content, pictures).into(),
                false => Value::from(content.text()),
            };
            self.answer(turn, &id, content, false);
        }
    }

    /// Puts a result behind the turn of its call.
    fn answer(&mut self, turn: usize, id: &str, content: Value, is_error: bool) {
        if turn + 1 == self.turns.len() {
            self.turn(true);
        }
        let next = &mut self.turns[turn + 1];
        let mut block =
            Map::from_iter([("type".to_owned(), "tool_result".into()), ("tool_use_id".to_owned(), id.into())]);
        if content != "" {
            block.insert("content".to_owned(), content);
        }
        if is_error {
            block.insert("is_error".to_owned(), true.into());
        }
        next.blocks.insert(next.results, block.into());
        next.results += 1;
    }

    /// The last turn, if it is this one's; else a new one. The first is the user's.
    fn turn(&mut self, is_user: bool) -> &mut Turn {
        let is_first = self.turns.is_empty();
        if is_first && !is_user {
            self.say(true, EARLIER);
        }
        if self.turns.last().is_none_or(|last| last.is_user != is_user) {
            self.turns.push(Turn { is_user, blocks: Vec::new(), results: 0 });
        }
        let last = self.turns.len() - 1;
        &mut self.turns[last]
    }

    /// An id that Anthropic takes and that no other call has: those of other providers may look otherwise, or come again.
    fn new_id(&mut self, id: &str) -> String {
        let id = plain(id);
        let numbered = (2_u64..).map(|number| format!("{id}_{number}"));
        let mut ids = std::iter::once(id.clone()).chain(numbered);
        ids.find(|id| self.ids.insert(id.clone())).unwrap_or_default()
    }
}

/// Texts and pictures in order; texts that say nothing are left out.
fn blocks(content: &Content, pictures: &Pictures) -> Vec<Value> {
    let block = |part: Part<'_>| match part {
        Part::Text(text) => (!text.trim().is_empty()).then(|| json!({"type": "text", "text": text})),
        Part::Picture(picture) => image(picture, pictures),
    };
    content.parts().filter_map(block).collect()
}

fn image(picture: &Picture, pictures: &Pictures) -> Option<Value> {
    let data = STANDARD.encode(pictures.get(&picture.hash)?);
    let source = json!({"type": "base64", "media_type": picture.format.media_type(), "data": data});
    Some(json!({"type": "image", "source": source}))
}

/// Marks a block as the end of what the provider's prompt cache is to keep.
pub(super) fn mark(block: &mut Value) {
    block["cache_control"] = json!({"type": "ephemeral"});
}

/// Only the signs that an id and a tool's name may have.
fn plain(text: &str) -> String {
    let sign = |sign: char| if sign.is_ascii_alphanumeric() || "_-".contains(sign) { sign } else { '_' };
    let text: String = text.chars().take(MAX_ID).map(sign).collect();
    if text.is_empty() { "none".to_owned() } else { text }
}
