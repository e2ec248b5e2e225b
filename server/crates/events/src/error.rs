//! The errors of the log.

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
    /// Another server has claimed the session; nothing was written.
    #[error("append to session {0}: another server has it now")]
    Moved(SessionId),
    /// The session's workspace is one that this server does not offer; nothing was written.
    #[error(
        "append to session {session}: it belongs to the workspace \"{workspace}\", which no server offers now; start one on \
         that folder with --workspace-id {workspace}"
    )]
    OtherWorkspace {
        /// The session.
        session: SessionId,
        /// The workspace's name.
        workspace: String,
    },
    /// The session does not exist.
    #[error("find session {0}")]
    UnknownSession(SessionId),
    /// A session with this id already exists.
    #[error("create session {0}: it already exists")]
    Exists(SessionId),
    /// The store has no room left; nothing was written.
    #[error("write: the disk is full; free some space and try again")]
    Full,
    /// A limit in the settings is reached; nothing was written.
    #[error("write: {0}")]
    Limit(&'static str),
    /// More waits for the disk than the store takes; nothing was written.
    #[error("write: the disk cannot keep up with the data waiting to be written; try again in a few seconds")]
    Busy,
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
    /// Another server writes to this data folder.
    #[error(
        "open the data folder {folder}: another Switchboard{} is using it; stop that one, or choose another folder with --data",
        pid.map(|pid| format!(" (process {pid})")).unwrap_or_default()
    )]
    InUse {
        /// The data folder.
        folder: String,
        /// The other server's process, if it said so.
        pid: Option<u32>,
    },
    /// The data folder has been used, and its database is gone.
    #[error(
        "open the data folder {folder}: it has been used, but its database {file} is {what}; put it back or restore a copy \
         (docs/operations.md), or start once with --new-log to begin with an empty log"
    )]
    Missing {
        /// The data folder.
        folder: String,
        /// The database's name.
        file: String,
        /// Whether it is missing or empty.
        what: &'static str,
    },
    /// The log was written by a newer version.
    #[error(
        "open the event log: it was written by a newer Switchboard (schema {found}; this version knows {known}); use \
         that version, or choose another folder with --data"
    )]
    TooNew {
        /// The schema version that the log has.
        found: u32,
        /// The newest schema version that this server knows.
        known: u32,
    },
    /// The store does not answer now; whether something was written may not be known.
    #[error("use the event log: {0}")]
    Unavailable(String),
    /// Anything else that the store said.
    #[error("use the event log: {0}")]
    Store(String),
    /// The writer has ended.
    #[error("write: the event log is closed")]
    Closed,
}
