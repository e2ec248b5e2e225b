//! The dialect of OpenAI's chat completions, which most providers speak, each a little differently.

mod body;
mod messages;
mod reply;
mod stream;

use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use serde_json::Value;

use self::body::UnsupportedParams;
pub use self::messages::{openai_messages, shown_with};
use self::stream::Reader;
use super::dialect::{Dialect, StreamReader};
use super::error::LlmError;
use super::reply::LlmReply;
use super::request::LlmRequest;
use switchboard_runtime::Secret;

/// One model behind an OpenAI-compatible API.
pub(super) struct OpenAi {
    model: String,
    key: Option<Secret>,
    unsupported: UnsupportedParams,
}

impl OpenAi {
    /// `provider` is the id of whoever serves it: OpenAI's own newer models know `max_completion_tokens` only, and
    /// OpenRouter hands the marks for Anthropic's prompt cache on.
    pub(super) fn new(model: &str, key: Option<Secret>, provider: &str) -> Self {
        let marks = provider == "openrouter" && model.starts_with("anthropic/");
        Self {
            model: model.to_owned(),
            key,
            unsupported: UnsupportedParams::new(provider == "openai", marks, provider == "openrouter"),
        }
    }
}

impl Dialect for OpenAi {
    fn path(&self) -> &'static str {
        "chat/completions"
    }

    fn body(&self, request: &LlmRequest, stream: bool) -> Value {
        body::body(&self.model, request, stream, &self.unsupported)
    }

    fn headers(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        let bearer = self.key.as_ref().map(|key| format!("Bearer {}", key.reveal()));
        if let Some(mut value) = bearer.and_then(|bearer| HeaderValue::from_str(&bearer).ok()) {
            value.set_sensitive(true);
            headers.insert(AUTHORIZATION, value);
        }
        headers
    }

    fn reply(&self, body: &Value, _: &LlmRequest) -> Result<LlmReply, LlmError> {
        reply::reply(body)
    }

    fn reader(&self, request: &LlmRequest) -> Box<dyn StreamReader> {
        Box::new(Reader::new(request.max_tokens))
    }

    fn learn(&self, refusal: &str, sent: &Value) -> bool {
        self.unsupported.learn(refusal, sent)
    }
}
