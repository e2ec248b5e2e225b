//! A reply in pieces: whole when `message_stop` has come, an error otherwise.

use serde_json::Value;

use super::reply::{Cost, Stop, field, take_sources, whole};
use crate::calls::{CallParts, CallPiece};
use crate::client::TextSink;
use crate::dialect::{Progress, StreamReader, most_bytes};
use crate::error::LlmError;
use crate::excerpt::excerpt;
use crate::refusal;
use crate::reply::{LlmReply, Sources};
use crate::sse::SseEvent;

/// Puts a reply together.
pub(super) struct Reader {
    /// The tool whose arguments are text of the reply, and the number of the block in which they come.
    answer: Option<String>,
    answer_block: Option<u64>,
    text: String,
    calls: CallParts,
    /// The block in which the provider says what it searches for, which is not a call of ours.
    search_block: Option<u64>,
    sources: Sources,
    stop: Stop,
    cost: Cost,
    has_stopped: bool,
    most_bytes: usize,
}

impl Reader {
    pub(super) fn new(max_tokens: u32, answer: Option<&str>) -> Self {
        Self {
            answer: answer.map(ToOwned::to_owned),
            answer_block: None,
            text: String::new(),
            calls: CallParts::default(),
            search_block: None,
            sources: Sources::default(),
            stop: Stop::default(),
            cost: Cost::default(),
            has_stopped: false,
            most_bytes: most_bytes(max_tokens),
        }
    }

    fn begin(&mut self, index: Option<u64>, block: &Value, sink: &mut (dyn TextSink + Send)) -> Result<(), LlmError> {
        let name = field(block, "name");
        match field(block, "type") {
            "text" => self.say(field(block, "text"), sink),
            "server_tool_use" => {
                self.search_block = index;
                Ok(())
            }
            "web_search_tool_result" => {
                take_sources(block, &mut self.sources);
                Ok(())
            }
            "tool_use" if self.answer.as_deref() == Some(name) => {
                self.answer_block = index;
                Ok(())
            }
            "tool_use" => self.calls.take(&CallPiece { index, id: field(block, "id"), name, arguments: "" }),
            _ => Ok(()),
        }
    }

    fn go_on(&mut self, index: Option<u64>, delta: &Value, sink: &mut (dyn TextSink + Send)) -> Result<(), LlmError> {
        let json = field(delta, "partial_json");
        match field(delta, "type") {
            "text_delta" => self.say(field(delta, "text"), sink),
            "input_json_delta" if index.is_some() && index == self.search_block => Ok(()),
            "citations_delta" => {
                self.sources.cite(delta.get("citation").unwrap_or(&Value::Null));
                Ok(())
            }
            "input_json_delta" if index.is_some() && index == self.answer_block => self.say(json, sink),
            "input_json_delta" if self.calls.has(index) => {
                self.calls.take(&CallPiece { index, arguments: json, ..CallPiece::default() })
            }
            // Thoughts and their signatures, and what goes into tools that the provider runs itself.
            _ => Ok(()),
        }
    }

    fn say(&mut self, piece: &str, sink: &mut (dyn TextSink + Send)) -> Result<(), LlmError> {
        if piece.is_empty() {
            return Ok(());
        }
        self.text.push_str(piece);
        sink.text(piece);
        if self.text.len() > self.most_bytes {
            return Err(LlmError::TooLong(format!("{} bytes of text arrived without an end", self.text.len())));
        }
        Ok(())
    }
}

impl StreamReader for Reader {
    fn take(&mut self, event: &SseEvent, sink: &mut (dyn TextSink + Send)) -> Result<Progress, LlmError> {
        let data = event.data.trim();
        if data.is_empty() {
            return Ok(Progress::More);
        }
        let Ok(said) = serde_json::from_str::<Value>(data) else {
            return Err(LlmError::Malformed(format!("part of the stream is not JSON: {}", excerpt(data))));
        };
        if let Some(error) = said.get("error").filter(|error| !error.is_null()) {
            return Err(refusal::of_value(error));
        }
        let part = |name: &str| said.get(name).unwrap_or(&Value::Null);
        let index = said.get("index").and_then(Value::as_u64);
        match field(&said, "type") {
            "message_start" => self.cost.take(part("message").get("usage")),
            "content_block_start" => self.begin(index, part("content_block"), sink)?,
            "content_block_delta" => self.go_on(index, part("delta"), sink)?,
            "message_delta" => {
                self.stop = Stop::of(part("delta"));
                self.cost.take(said.get("usage"));
            }
            "message_stop" => {
                self.has_stopped = true;
                return Ok(Progress::Done);
            }
            // `ping`, the ends of blocks, and what nobody knows yet.
            _ => {}
        }
        Ok(Progress::More)
    }

    fn finish(self: Box<Self>) -> Result<LlmReply, LlmError> {
        if !self.has_stopped {
            let came = format!("after {} bytes of text, without an end", self.text.len());
            return Err(LlmError::BrokenOff(came));
        }
        let sources = self.sources;
        whole(self.text, self.calls, &self.stop, &self.cost).map(|reply| reply.citing(sources))
    }
}
