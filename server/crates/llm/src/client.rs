//! [`LlmClient`]: what the agent may ask of a language model, whoever serves it.

use async_trait::async_trait;

use super::error::LlmError;
use super::reply::LlmReply;
use super::request::LlmRequest;

/// One language model behind one provider. Everything is canceled by dropping the future.
#[async_trait]
pub trait LlmClient: Send + Sync {
    /// Which model it is, and what it can do.
    fn model(&self) -> &ModelInfo;

    /// Asks, and waits for the whole reply.
    ///
    /// # Errors
    /// After the retries that make sense; never a part of a reply.
    async fn complete(&self, request: &LlmRequest) -> Result<LlmReply, LlmError>;

    /// The same, and each piece of text goes to `sink` as it comes. A stream that breaks off is an error, never a short
    /// reply. Nothing is asked again once a piece has been given out, so the sink never hears a piece twice.
    ///
    /// # Errors
    /// As [`Self::complete`].
    async fn stream(&self, request: &LlmRequest, sink: &mut (dyn TextSink + Send)) -> Result<LlmReply, LlmError>;
}

/// Takes a reply's text while it is being written.
pub trait TextSink {
    /// The next piece; never empty, always whole characters.
    fn text(&mut self, piece: &str);
}

/// For those who only want the end.
impl TextSink for () {
    fn text(&mut self, _: &str) {}
}

#[cfg(test)]
impl TextSink for String {
    fn text(&mut self, piece: &str) {
        self.push_str(piece);
    }
}

/// A model, and what is known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelInfo {
    /// The provider's id, such as `openai` or `ollama`.
    pub provider: String,
    /// The model, as the provider calls it.
    pub name: String,
    /// How many tokens its window has, when that is known.
    pub context_tokens: Option<u64>,
    /// Whether it calls functions itself.
    pub supports_tools: bool,
    /// Whether it can be shown pictures.
    pub sees_pictures: bool,
    /// Whether its provider is asked to search the web for it.
    pub searches_web: bool,
}
