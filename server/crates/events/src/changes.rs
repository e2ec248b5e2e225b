//! News of the list of sessions: which one has changed, or is gone. Whoever watches reads the session's row; nothing
//! waits for watchers, and one that falls behind hears that it did.

use switchboard_accounts::Principal;
use switchboard_protocol::SessionId;
use tokio::sync::broadcast;

/// How many changes a watcher may be behind.
const BACKLOG: usize = 1024;

/// A session was made, got a title, took up or answered a message, was pinned, or is gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionChange {
    /// The session.
    pub session: SessionId,
    /// Whose it is, or was.
    pub owner: Principal,
    /// It was deleted.
    pub gone: bool,
}

/// What a store tells its watchers with.
#[derive(Debug)]
pub struct SessionChanges(broadcast::Sender<SessionChange>);

impl Default for SessionChanges {
    fn default() -> Self {
        Self(broadcast::channel(BACKLOG).0)
    }
}

impl SessionChanges {
    /// Tells a change that is durable.
    pub fn tell(&self, change: SessionChange) {
        // Without watchers there is nobody to tell.
        let _ = self.0.send(change);
    }

    /// Hears of every change from now on.
    #[must_use]
    pub fn watch(&self) -> broadcast::Receiver<SessionChange> {
        self.0.subscribe()
    }
}
