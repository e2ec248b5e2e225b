//! The session's settings: every wait and every queue has a limit that a test can shorten.

use std::time::Duration;

/// Limits of one session.
#[derive(Debug, Clone)]
pub struct SessionConfig {
    /// How long a session without a client and without work stays in memory; it comes back from its log.
    pub idle_close: Duration,
    /// How long an approval or a question waits for its answer; none: until there is one.
    pub approval_limit: Option<Duration>,
    /// How many messages wait behind the running turn.
    pub queue: usize,
    /// How many calls of the user's own run at once.
    pub user_calls: usize,
    /// How long canceled work may take to end before it is ended from outside.
    pub cancel_grace: Duration,
    /// How many bytes wait for one client before it counts as a slow reader.
    pub client_queue_bytes: usize,
    /// How long the session waits before it reads its log again after the store failed; doubles up to 10 s.
    pub store_retry: Duration,
}

impl Default for SessionConfig {
    fn default() -> Self {
        Self {
            idle_close: Duration::from_secs(600),
            approval_limit: None,
            queue: 32,
            user_calls: 4,
            cancel_grace: Duration::from_secs(10),
            client_queue_bytes: 1024 * 1024,
            store_retry: Duration::from_millis(500),
        }
    }
}
