//! One end of a migration: a log that no server has, whichever store keeps it.

use async_trait::async_trait;
use switchboard_events::{LogError, RecordNotes, SessionLog, StoredEvent};
use switchboard_protocol::SessionId;

use crate::listing::Listing;

/// How many events a page has at most.
pub(crate) const PAGE: u64 = 256;

/// Events of a session, and what the records say that end among them, each with its last event.
#[derive(Debug, Default)]
pub(crate) struct Page {
    pub(crate) events: Vec<StoredEvent>,
    pub(crate) notes: Vec<(u64, RecordNotes)>,
}

/// What a migration asks of a log beside what everybody does.
#[async_trait]
pub(crate) trait End: SessionLog {
    /// All sessions, the one that changed first first; of one that has no name, what is wrong.
    async fn sessions(&self) -> Result<Vec<Result<SessionId, String>>, LogError>;

    /// What the list says of a session, if it is there.
    async fn listing(&self, session: SessionId) -> Result<Option<Listing>, LogError>;

    /// The events behind `after`: [`PAGE`] of them, or those up to the end or in front of a damaged one. When that is the next one, it
    /// is [`LogError::Damaged`].
    async fn page(&self, session: SessionId, after: u64) -> Result<Page, LogError>;

    /// Gives a session its entry, at the end of the list.
    async fn settle(&self, session: SessionId, listing: Listing) -> Result<(), LogError>;

    /// Whether no server has it.
    async fn check_alone(&self) -> Result<(), LogError>;
}
