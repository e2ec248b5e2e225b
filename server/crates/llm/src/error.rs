//! Why a model gave no reply. Texts of providers are kept short and without keys before they come here.

use std::fmt;
use std::time::Duration;

/// Why there is no reply; fragments finish "failed to …".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LlmError {
    /// Nothing answers there: the name, the connection or the certificate.
    #[error("reach the provider: {0}")]
    Unreachable(String),
    /// It took too long.
    #[error("get an answer in time: {which} took more than {} s", seconds(.limit))]
    Timeout {
        /// What took too long.
        which: Deadline,
        /// The limit.
        limit: Duration,
    },
    /// The key is missing, wrong, or not good for this.
    #[error("get access to the provider (status {status}): {detail}")]
    Authentication {
        /// 401 or 403.
        status: u16,
        /// What the provider says.
        detail: String,
    },
    /// There is no such model, or no such address.
    #[error("find the model: {0}")]
    UnknownModel(String),
    /// Too many requests; it was waited and asked again as far as the settings allow.
    #[error("get a reply: the provider asks to wait{}: {detail}", after(.retry_after.as_ref()))]
    RateLimited {
        /// When it may be tried again.
        retry_after: Option<Duration>,
        /// What the provider says.
        detail: String,
    },
    /// The provider has trouble of its own.
    #[error("get a reply: the provider is having trouble (status {status}): {detail}")]
    Overloaded {
        /// 5xx.
        status: u16,
        /// When it may be tried again.
        retry_after: Option<Duration>,
        /// What the provider says.
        detail: String,
    },
    /// The request does not fit into the model's window.
    #[error("fit the conversation into the model's context window: {0}")]
    ContextTooLong(String),
    /// The provider does not take the request.
    #[error("make a request that the provider accepts (status {status}): {detail}")]
    BadRequest {
        /// 4xx, or a redirect, which is not followed.
        status: u16,
        /// What the provider says.
        detail: String,
    },
    /// The provider's filter refused the request.
    #[error("get past the provider's content filter: {0}")]
    Filtered(String),
    /// The reply began and did not end.
    #[error("get the whole reply: it broke off ({0})")]
    BrokenOff(String),
    /// The reply goes on and on.
    #[error("get the end of the reply: {0}")]
    TooLong(String),
    /// The model said nothing, called nothing, and gave no reason.
    #[error("get a reply: the model gave an empty one")]
    Empty,
    /// What came is not a reply, or too large for one.
    #[error("read the reply: {0}")]
    Malformed(String),
}

/// What may take too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deadline {
    /// Until the connection stands.
    Connect,
    /// Until the first byte of the answer.
    FirstByte,
    /// Between two pieces of the answer.
    Idle,
    /// All of it, waits and retries included.
    Total,
}

impl LlmError {
    /// The word for programs, as `agent-error` carries it.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unreachable(_) => "provider-unreachable",
            Self::Timeout { .. } => "provider-timeout",
            Self::Authentication { .. } => "provider-authentication",
            Self::UnknownModel(_) => "provider-unknown-model",
            Self::RateLimited { .. } => "provider-rate-limited",
            Self::Overloaded { .. } => "provider-overloaded",
            Self::ContextTooLong(_) => "context-too-long",
            Self::BadRequest { .. } => "provider-bad-request",
            Self::Filtered(_) => "provider-filtered",
            Self::BrokenOff(_) => "provider-broken-off",
            Self::TooLong(_) => "budget-exceeded",
            Self::Empty => "model-failed",
            Self::Malformed(_) => "provider-malformed",
        }
    }

    /// Whether the same request may work another time.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Unreachable(_)
            | Self::Timeout { .. }
            | Self::RateLimited { .. }
            | Self::Overloaded { .. }
            | Self::BrokenOff(_)
            | Self::Empty
            | Self::Malformed(_) => true,
            Self::Authentication { .. }
            | Self::UnknownModel(_)
            | Self::ContextTooLong(_)
            | Self::BadRequest { .. }
            | Self::Filtered(_)
            | Self::TooLong(_) => false,
        }
    }

    /// When the provider wants to be asked again, if it said so.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::RateLimited { retry_after, .. } | Self::Overloaded { retry_after, .. } => *retry_after,
            _ => None,
        }
    }

    /// What a person can do about it.
    #[must_use]
    pub fn suggestion(&self) -> &'static str {
        match self {
            Self::Unreachable(_) => {
                "If you run this server, check that the provider is running and that --llm-base-url is right."
            }
            Self::Timeout { .. } => {
                "Try again. If you run this server, a slow model needs longer limits; see docs/models.md."
            }
            Self::Authentication { .. } => {
                "If you run this server, check the API key and that it belongs to this provider."
            }
            Self::UnknownModel(_) => "Choose a model that the provider has; /model lists them.",
            Self::RateLimited { .. } | Self::Overloaded { .. } => "Wait a moment, then send the message again.",
            Self::ContextTooLong(_) => {
                "Begin a new conversation with /new. If you run this server, you can also lower --context-tokens."
            }
            Self::BadRequest { .. } => "Read what the provider says, or try another model.",
            Self::Filtered(_) => "Rephrase your message.",
            Self::BrokenOff(_) => "Send the message again.",
            Self::TooLong(_) => "Ask for less at once. If you run this server, you can also raise --max-tokens.",
            Self::Empty => {
                "Send the message again, or in other words. If the model keeps silent, choose another one with /model."
            }
            Self::Malformed(_) => {
                "If you run this server, check that --llm-base-url is the address of this provider's kind of API."
            }
        }
    }
}

impl fmt::Display for Deadline {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Connect => "connecting",
            Self::FirstByte => "the first byte",
            Self::Idle => "the next piece of the reply",
            Self::Total => "the whole reply",
        })
    }
}

fn seconds(limit: &Duration) -> f64 {
    limit.as_secs_f64()
}

fn after(retry_after: Option<&Duration>) -> String {
    retry_after.map(|after| format!(" {} s", after.as_secs_f64().ceil())).unwrap_or_default()
}
