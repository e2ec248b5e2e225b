//! Why a session cannot be opened or used, for whoever asks for it.

use switchboard_protocol::SessionId;

use switchboard_context::ContextError;
use switchboard_events::LogError;

/// Why a session could not be opened or asked; fragments finish "failed to …".
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// There is no such session, or it is somebody else's: the two look the same.
    #[error("find session {0}")]
    UnknownSession(SessionId),
    /// The client says it has seen more than there is.
    #[error("resume after event {after}: the session's last event is {last}")]
    Beyond {
        /// What the client says it has.
        after: u64,
        /// What there is.
        last: u64,
    },
    /// The session closed in this moment; asking again opens it from its log.
    #[error("reach the session: it has just closed; try again")]
    Gone,
    /// The session takes commands more slowly than they come.
    #[error("hand over the command: the session is busy; try again in a few seconds")]
    Busy,
    /// The server stops.
    #[error("open the session: the server is stopping; connect again when it is back")]
    Stopping,
    /// The session broke down several times.
    #[error(
        "open session {0}: it failed several times, and the server's log says why; restart the server to try again"
    )]
    Broken(SessionId),
    /// The session's log is damaged: it can be read up to there.
    #[error("add to session {0}: its log is damaged, so it is read-only; fork it to go on, or export it")]
    ReadOnly(SessionId),
    /// The variable belongs to a message that was sent.
    #[error("remove `{0}`: a message that was sent has it")]
    Attached(String),
    /// There is no variable with this name, or its value cannot be read.
    #[error(transparent)]
    Context(#[from] ContextError),
    /// The log refused.
    #[error(transparent)]
    Log(#[from] LogError),
}

/// Why a file is not a session that could be taken in; nothing of it was kept.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// A line is not as it should be.
    #[error("import the session: line {line} {problem}; export it again and send the file as it is")]
    Line {
        /// Which line, from 1.
        line: u64,
        /// What is wrong with it.
        problem: String,
    },
    /// The file could not be read to its end.
    #[error("read the file: {0}; send it again")]
    File(String),
    /// A variable of a message cannot be brought along.
    #[error(transparent)]
    Context(#[from] ContextError),
    /// The log refused.
    #[error(transparent)]
    Log(#[from] LogError),
}
