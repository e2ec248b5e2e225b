//! What a client hears when it cannot have what it asks for: an `agent-error` on its own socket, without `seq` and
//! without `messageIds`. The session goes on and nothing is kept.

use switchboard_protocol::{MessageId, ServerFrame, ServerMessage};

use super::frames;
use switchboard_events::LogError;

/// A refusal in the making.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal(Box<Parts>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Parts {
    code: &'static str,
    text: String,
    error: String,
    path: Option<String>,
    suggestions: Vec<String>,
    retry_after_ms: Option<u64>,
    about: Option<MessageId>,
}

impl Refusal {
    /// A refusal: a word for programs and a sentence for people.
    #[must_use]
    pub fn new(code: &'static str, text: impl Into<String>) -> Self {
        let text = text.into();
        Self(Box::new(Parts {
            code,
            error: text.clone(),
            text,
            path: None,
            suggestions: Vec::new(),
            retry_after_ms: None,
            about: None,
        }))
    }

    /// Something is wrong with a field.
    #[must_use]
    pub fn field(code: &'static str, path: &str, text: impl Into<String>) -> Self {
        let mut refusal = Self::new(code, text);
        refusal.0.path = Some(path.to_owned());
        refusal
    }

    /// The store cannot take the message now.
    pub(super) fn store(error: &LogError) -> Self {
        let (code, text) = match error {
            LogError::Full => ("storage-full", "The disk is full, so your message was not accepted."),
            LogError::Limit(_) => {
                ("storage-full", "This server's limit for stored data is reached, so your message was not accepted.")
            }
            LogError::Busy => (
                "overloaded",
                "The disk cannot keep up with the data waiting to be written, so your message was not accepted.",
            ),
            _ => ("storage-failed", "The event log could not be written, so your message was not accepted."),
        };
        let mut refusal = Self::new(code, text);
        refusal.0.error = error.to_string();
        refusal.suggesting("Send it again with the same messageId in a few seconds.").retry_after(5_000)
    }

    /// The same with what to do next.
    #[must_use]
    pub fn suggesting(mut self, suggestion: impl Into<String>) -> Self {
        self.0.suggestions.push(suggestion.into());
        self
    }

    /// The same with when to try again.
    #[must_use]
    pub fn retry_after(mut self, milliseconds: u64) -> Self {
        self.0.retry_after_ms = Some(milliseconds);
        self
    }

    /// The same with the message that was refused: the frame's `turnId`.
    #[must_use]
    pub fn about(mut self, message: Option<MessageId>) -> Self {
        self.0.about = message;
        self
    }

    /// As a frame.
    #[must_use]
    pub fn into_frame(self) -> ServerFrame {
        let Parts { code, text, error, path, suggestions, retry_after_ms, about } = *self.0;
        let message = ServerMessage::AgentError {
            message_ids: None,
            text,
            error,
            code: code.to_owned(),
            path,
            attempted_tools: Vec::new(),
            suggestions,
            retryable: retry_after_ms.is_some(),
            retry_after_ms,
        };
        frames::frame(None, about, message)
    }

    /// As a frame's JSON text.
    #[must_use]
    pub fn into_text(self) -> String {
        frames::text(&self.into_frame())
    }
}
