//! How the log fails.

use switchboard_protocol::SessionId;

/// Why the log refused or could not do something; fragments finish "failed to …".
#[derive(Debug, Clone, thiserror::Error)]
pub enum LogError {
    /// Another writer was there: the session has moved on.
    #[error("append to session {session}: expected its last event to be {expected}, but it is {found}")]
    Conflict {
        /// The session.
        session: SessionId,
        /// What the append expected.
        expected: u64,
        /// What is there.
        found: u64,
    },
    /// The session is not there.
    #[error("find session {0}")]
    UnknownSession(SessionId),
    /// The store has no room left; nothing was written.
    #[error("write: the disk is full; free some space and try again")]
    Full,
    /// The log is damaged; what it says cannot be trusted beyond this point.
    #[error("read session {session}: its log is damaged at event {seq}: {detail}")]
    Damaged {
        /// The session.
        session: SessionId,
        /// The first event that is wrong or missing.
        seq: u64,
        /// What is wrong with it.
        detail: String,
    },
    /// Anything else that the store said.
    #[error("use the event log: {0}")]
    Store(String),
    /// The writer has ended.
    #[error("write: the event log is closed")]
    Closed,
}
