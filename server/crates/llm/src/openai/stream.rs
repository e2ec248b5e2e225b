//! A reply in pieces: whole when a finish reason or `[DONE]` has come, an error otherwise.

use serde_json::Value;
use switchboard_protocol::Usage;

use super::reply;
use crate::calls::CallParts;
use crate::client::TextSink;
use crate::dialect::{Progress, StreamReader, most_bytes};
use crate::error::LlmError;
use crate::excerpt::excerpt;
use crate::refusal;
use crate::reply::{FinishReason, LlmReply, Sources};
use crate::sse::SseEvent;

/// Puts a reply together.
pub(super) struct Reader {
    text: String,
    refusal: String,
    calls: CallParts,
    sources: Sources,
    finish: Option<Value>,
    usage: Option<Usage>,
    done: bool,
    most_bytes: usize,
}

impl Reader {
    pub(super) fn new(max_tokens: u32) -> Self {
        Self {
            text: String::new(),
            refusal: String::new(),
            calls: CallParts::default(),
            sources: Sources::default(),
            finish: None,
            usage: None,
            done: false,
            most_bytes: most_bytes(max_tokens),
        }
    }

    fn take_choice(&mut self, choice: &Value, sink: &mut (dyn TextSink + Send)) -> Result<(), LlmError> {
        // Some providers repeat the whole message at the end: `delta` overrides it.
        if let Some(delta) = choice.get("delta") {
            let piece = reply::text(delta.get("content"));
            if !piece.is_empty() {
                self.text.push_str(&piece);
                sink.text(&piece);
            }
            self.refusal.push_str(&reply::text(delta.get("refusal")));
            reply::take_calls(delta, &mut self.calls)?;
            reply::take_sources(delta, &mut self.sources);
        }
        if let Some(word) = choice.get("finish_reason").filter(|word| word.is_string()) {
            self.finish = Some(word.clone());
        }
        if self.text.len() + self.refusal.len() > self.most_bytes {
            return Err(LlmError::TooLong(format!("{} bytes of text arrived without an end", self.text.len())));
        }
        Ok(())
    }
}

impl StreamReader for Reader {
    fn take(&mut self, event: &SseEvent, sink: &mut (dyn TextSink + Send)) -> Result<Progress, LlmError> {
        let data = event.data.trim();
        if data == "[DONE]" {
            self.done = true;
            return Ok(Progress::Done);
        }
        if data.is_empty() {
            return Ok(Progress::More);
        }
        let Ok(chunk) = serde_json::from_str::<Value>(data) else {
            return Err(LlmError::Malformed(format!("part of the stream is not JSON: {}", excerpt(data))));
        };
        if let Some(error) = chunk.get("error").filter(|error| !error.is_null()) {
            return Err(refusal::of_value(error));
        }
        // Some count up in every piece: the last figure is the right one.
        self.usage = reply::usage(chunk.get("usage")).or(self.usage.take());
        if let Some(choice) = chunk.get("choices").and_then(|choices| choices.get(0)) {
            self.take_choice(choice, sink)?;
        }
        Ok(if self.finish.is_some() { Progress::Whole } else { Progress::More })
    }

    fn finish(self: Box<Self>) -> Result<LlmReply, LlmError> {
        if self.finish.is_none() && !self.done {
            let came = format!("after {} bytes of text, without an end", self.text.len());
            return Err(LlmError::BrokenOff(came));
        }
        let mut finish = reply::finish(self.finish.as_ref(), !self.calls.is_empty());
        let mut text = self.text;
        if !self.refusal.is_empty() {
            finish = FinishReason::Filtered;
            if text.is_empty() {
                text = self.refusal;
            }
        }
        let sources = self.sources;
        LlmReply::whole(text, self.calls, finish, self.usage).map(|reply| reply.citing(sources))
    }
}
