//! The dialect of Anthropic's Messages API: `POST messages` with the key in `x-api-key`. The beginning of a prompt that
//! stays the same is marked, so that the provider keeps it and does not read it again for each question.

mod body;
mod reply;
mod schema;
mod stream;
mod turns;
mod unsupported_params;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

use self::stream::Reader;
use self::unsupported_params::UnsupportedParams;
use super::dialect::{Dialect, StreamReader};
use super::error::LlmError;
use super::reply::LlmReply;
use super::request::LlmRequest;
use switchboard_runtime::Secret;

/// The version of the API that is spoken here.
const VERSION: HeaderValue = HeaderValue::from_static("2023-06-01");

/// One model behind Anthropic's API.
pub(super) struct Anthropic {
    model: String,
    key: Option<Secret>,
    unsupported: UnsupportedParams,
}

impl Anthropic {
    /// A model, asked with this key.
    pub(super) fn new(model: &str, key: Option<Secret>) -> Self {
        Self { model: model.to_owned(), key, unsupported: UnsupportedParams::default() }
    }
}

impl Dialect for Anthropic {
    fn path(&self) -> &'static str {
        "messages"
    }

    /// As many on a page as there may be.
    fn models_path(&self) -> &'static str {
        "models?limit=1000"
    }

    fn body(&self, request: &LlmRequest, stream: bool) -> Value {
        body::body(&self.model, request, stream, &self.unsupported)
    }

    fn headers(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(HeaderName::from_static("anthropic-version"), VERSION);
        if let Some(mut key) = self.key.as_ref().and_then(|key| HeaderValue::from_str(key.reveal()).ok()) {
            key.set_sensitive(true);
            headers.insert(HeaderName::from_static("x-api-key"), key);
        }
        headers
    }

    fn reply(&self, body: &Value, request: &LlmRequest) -> Result<LlmReply, LlmError> {
        reply::reply(body, answer_of(request))
    }

    fn reader(&self, request: &LlmRequest) -> Box<dyn StreamReader> {
        Box::new(Reader::new(request.max_tokens, answer_of(request)))
    }

    fn learn(&self, refusal: &str, sent: &Value) -> bool {
        self.unsupported.learn(refusal, sent)
    }
}

/// The tool whose arguments are the reply, when a shape is asked for: see [`body`].
fn answer_of(request: &LlmRequest) -> Option<&str> {
    request.schema.as_ref().map(|schema| schema.name.as_str())
}

#[cfg(test)]
mod tests;
