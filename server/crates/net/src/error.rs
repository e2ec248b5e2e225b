//! Why nothing was fetched, and what to do next.

use switchboard_protocol::ErrorType;

/// Why an address was not fetched, in the words that its reader gets.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct WebError {
    /// Whose fault it is.
    pub error_type: ErrorType,
    /// What happened.
    pub message: String,
    /// What to do next.
    pub suggestion: Option<String>,
}

impl WebError {
    /// An error without a suggestion.
    #[must_use]
    pub fn new(error_type: ErrorType, message: impl Into<String>) -> Self {
        Self { error_type, message: message.into(), suggestion: None }
    }

    /// The same error with what to do next.
    #[must_use]
    pub fn suggesting(mut self, suggestion: impl Into<String>) -> Self {
        self.suggestion = Some(suggestion.into());
        self
    }
}
