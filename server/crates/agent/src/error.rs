//! Why a turn fails; each reason has its `code` in `agent-error`.

use switchboard_protocol::CallId;

use super::reasoner::ReasonerError;
use switchboard_events::RecordError;

/// Why a turn ends without a reply.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// A tool failed, and no other one could take its place.
    #[error("{message}")]
    ToolFailed {
        /// The call that failed last.
        call_id: CallId,
        /// The tool's message, as it came from the manager.
        message: String,
        /// The same for people.
        text: String,
        /// What to do next.
        suggestions: Vec<String>,
        /// Whether the same again may work: the tool ran out of time or the machine was at fault.
        retryable: bool,
    },
    /// The turn used all its rounds.
    #[error("the request was not finished after {0} rounds")]
    MaxIterations(u32),
    /// The model goes round in circles.
    #[error("{message}")]
    Stuck {
        /// The word for programs.
        code: &'static str,
        /// What it did, again and again.
        message: String,
    },
    /// Another version of Switchboard wrote down from where the turn goes on.
    #[error("the turn was interrupted: its plan was written by another version of Switchboard")]
    Unread {
        /// What was done, for people.
        text: String,
    },
    /// The user or the shutdown ended the turn.
    #[error("the turn was cancelled")]
    Cancelled,
    /// The reasoner could not decide.
    #[error(transparent)]
    Reasoner(#[from] ReasonerError),
    /// The session's log refused an event.
    #[error(transparent)]
    Record(#[from] RecordError),
}

impl AgentError {
    /// The word for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::ToolFailed { .. } => "tool-failed",
            Self::MaxIterations(_) => "max-iterations",
            Self::Stuck { code, .. } => code,
            Self::Unread { .. } => "interrupted",
            Self::Cancelled => "cancelled",
            Self::Reasoner(error) => error.code(),
            Self::Record(_) => "internal",
        }
    }
}
