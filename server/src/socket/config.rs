//! The socket's settings.

use std::time::Duration;

/// Limits of a connection.
#[derive(Debug, Clone)]
pub struct SocketConfig {
    /// How often a client is asked whether it is there; after two unanswered questions it counts as gone: within a minute.
    pub ping_every: Duration,
    /// How long a client that must go may take to hear why.
    pub close_within: Duration,
    /// The same when the server stops, which is not to wait for clients that do not answer.
    pub close_at_stop_within: Duration,
    /// How many clients are connected at once.
    pub connections: usize,
    /// Whether what comes is sent back and nothing else happens: for tests of the WebSocket protocol.
    pub echo: bool,
}

impl Default for SocketConfig {
    fn default() -> Self {
        Self {
            ping_every: Duration::from_secs(20),
            close_within: Duration::from_secs(5),
            close_at_stop_within: Duration::from_millis(500),
            connections: 20_000,
            echo: false,
        }
    }
}
