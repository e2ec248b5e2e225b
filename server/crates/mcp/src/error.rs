//! What can be wrong with the file of MCP servers, and why a server is not there. All of it is for the person who wrote
//! the file, so each text names the server and says what to do.

use std::time::Duration;

/// Why the file of MCP servers cannot be used; fragments finish "failed to …".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum McpError {
    /// The file does not exist, is too large, or is not JSON.
    #[error("read the MCP servers in {path}: {problem}")]
    File {
        /// The file.
        path: String,
        /// What is wrong with it.
        problem: String,
    },
    /// What it says of a server cannot be used.
    #[error("read the MCP servers in {path}: server \"{server}\", \"{key}\": {problem}")]
    Server {
        /// The file.
        path: String,
        /// The server.
        server: String,
        /// The key.
        key: String,
        /// What is wrong, and what would be right.
        problem: String,
    },
    /// The file of definitions that were agreed to is damaged.
    #[error(
        "read {path}, which records the MCP tools as you approved them: {problem}; delete it to approve the tools as \
         they are now"
    )]
    Definitions {
        /// The file.
        path: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The file of servers that are switched off is damaged.
    #[error(
        "read {path}, which says which MCP servers are switched off: {problem}; delete it to switch all of them on"
    )]
    SwitchedOff {
        /// The file.
        path: String,
        /// What is wrong with it.
        problem: String,
    },
}

/// Why a server is not there now.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum ServerFault {
    /// Its command could not be started.
    #[error("it could not be started: {0}")]
    NotStarted(String),
    /// It did not answer the greeting in time.
    #[error("it did not answer `initialize` within {} s", .0.as_secs_f64())]
    NoAnswer(Duration),
    /// The greeting failed.
    #[error("the handshake failed: {0}")]
    Greeting(String),
    /// Its tools could not be listed.
    #[error("its tools could not be listed: {0}")]
    NoTools(String),
    /// It ended, or the connection did.
    #[error("{0}")]
    Ended(String),
}
