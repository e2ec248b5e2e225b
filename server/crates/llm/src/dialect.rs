//! [`Dialect`]: how one kind of provider wants to be asked, and how it answers. No network here: values in, values out.

use reqwest::header::HeaderMap;
use serde_json::Value;

use super::client::TextSink;
use super::error::LlmError;
use super::reply::LlmReply;
use super::request::LlmRequest;
use super::sse::SseEvent;

/// A kind of provider's way of speaking.
pub(super) trait Dialect: Send + Sync {
    /// Where to send the request, beneath the base address.
    fn path(&self) -> &'static str;

    /// Where the models are listed, beneath the base address.
    fn models_path(&self) -> &'static str {
        "models"
    }

    /// The body of the request.
    fn body(&self, request: &LlmRequest, stream: bool) -> Value;

    /// The headers of every request, the key among them; marked sensitive.
    fn headers(&self) -> HeaderMap;

    /// The reply that came in one piece.
    fn reply(&self, body: &Value, request: &LlmRequest) -> Result<LlmReply, LlmError>;

    /// Reads a reply that comes in pieces.
    fn reader(&self, request: &LlmRequest) -> Box<dyn StreamReader>;

    /// The provider refused a request because of a field that can be left out: leaves it out from now on. Whether there
    /// was such a field.
    fn learn(&self, refusal: &str, sent: &Value) -> bool;
}

/// Puts a streamed reply together.
pub(super) trait StreamReader: Send {
    /// Takes an event; its text goes to `sink`.
    fn take(&mut self, event: &SseEvent, sink: &mut (dyn TextSink + Send)) -> Result<Progress, LlmError>;

    /// The stream is over: the reply, if it had come to its end.
    fn finish(self: Box<Self>) -> Result<LlmReply, LlmError>;
}

/// How far a stream has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    /// More will come.
    More,
    /// The reply is whole; what it cost may still come.
    Whole,
    /// Nothing more will come.
    Done,
}

/// Far more text than `tokens` tokens are: a stream that goes on beyond it has no end.
pub(super) fn most_bytes(tokens: u32) -> usize {
    4096 + 32 * tokens as usize
}
