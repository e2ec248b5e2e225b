//! What a store of events must do, in three traits: [`SessionLog`] for what happened, [`SessionIndex`] for which sessions there
//! are, [`Ownership`] for which server has them. The crate `store` keeps them in a file, `memory` forgets them with the process.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use switchboard_protocol::{MessageId, SessionId, SessionSummary};
use tokio::sync::{OwnedSemaphorePermit, broadcast};

use super::changes::SessionChange;
use super::error::LogError;
use super::event::StoredEvent;
use super::value::{Blob, BlobHash};
use switchboard_accounts::Principal;

/// An event as it will be written; never serialized again.
#[derive(Debug, Clone)]
pub struct EncodedEvent {
    /// RFC 3339.
    pub at: String,
    /// The exact JSON text that clients get, with its `seq` in it.
    pub frame: Arc<str>,
    /// The JSON text of what only the server sees.
    pub private: Option<Arc<str>>,
}

/// Events to be written together, or not at all.
#[derive(Debug, Clone)]
pub struct Append {
    /// The session.
    pub session: SessionId,
    /// The session's last `seq` as the writer knows it; the store refuses the append if it is another.
    pub expected: u64,
    /// The events; the first gets `expected + 1`.
    pub events: Vec<EncodedEvent>,
    /// Large values that the events refer to.
    pub blobs: Vec<Blob>,
    /// Messages that are open from now on.
    pub opened: Vec<MessageId>,
    /// Messages that are answered.
    pub closed: Vec<MessageId>,
    /// The session's new title.
    pub title: Option<String>,
    /// Somebody waits for the commit: do not gather for up to 20 ms.
    pub urgent: bool,
}

impl Append {
    /// Whether the list of sessions shows it: a title, or a message that was taken up or answered. What is `urgent` includes
    /// sessions that are imported.
    #[must_use]
    pub fn is_listed(&self) -> bool {
        self.urgent || self.title.is_some() || !self.opened.is_empty() || !self.closed.is_empty()
    }
}

/// Completes when an append is durable or refused.
pub type Committed = Pin<Box<dyn Future<Output = Result<(), LogError>> + Send>>;

/// A session as the list shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionRow {
    /// The session.
    pub session: SessionId,
    /// Whose it is.
    pub owner: Principal,
    /// Its title, if it has one.
    pub title: Option<String>,
    /// RFC 3339.
    pub created_at: String,
    /// When its last event was, RFC 3339.
    pub updated_at: String,
    /// Its last event; 0 if it has none.
    pub last_seq: u64,
    /// The user keeps it at the top of the list. It is no event: the list is the user's, and the log the session's.
    pub pinned: bool,
    /// Its place in the list: of two sessions, the one that changed last has the higher one.
    pub place: u64,
}

/// Without where it was forked from, which the session's log says.
impl From<SessionRow> for SessionSummary {
    fn from(row: SessionRow) -> Self {
        let SessionRow { session, owner: _, title, created_at, updated_at, last_seq, pinned, place: _ } = row;
        let pinned = pinned.then_some(true);
        Self { session_id: session, title, created_at, updated_at, last_seq, pinned, forked_from: None }
    }
}

/// Which sessions are kept; without a limit, all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Retention {
    /// Those that were made or have changed since then, RFC 3339.
    pub changed_since: Option<String>,
    /// So many of each owner, those that changed last.
    pub newest: Option<u64>,
}

/// A part of a user's list of sessions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListPage {
    /// Only sessions that the user keeps at the top.
    pub pinned: bool,
    /// Only those behind this [`SessionRow::place`]; without one, from the top.
    pub behind: Option<u64>,
    /// How many at most.
    pub limit: u64,
}

impl ListPage {
    /// The first `limit` sessions.
    #[must_use]
    pub fn first(limit: u64) -> Self {
        Self { pinned: false, behind: None, limit }
    }

    /// The page behind this session.
    #[must_use]
    pub fn behind(self, row: &SessionRow) -> Self {
        Self { behind: Some(row.place), ..self }
    }
}

/// One server among those that share a store: a new one at each start.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ServerId(Arc<str>);

impl ServerId {
    /// One that no other server has.
    #[must_use]
    pub fn random() -> Self {
        Self(SessionId::random().to_string().into())
    }

    /// The server with this name, as the log keeps it.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self(name.into())
    }

    /// Its name, as the log keeps it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Another server that runs, as this one reaches it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteServer {
    /// The server.
    pub id: ServerId,
    /// Its `host:port`, if it says where it is.
    pub address: Option<String>,
}

/// The word that something may be appended. While the log is behind there is one at a time, so that those who waited do not
/// all append at once; dropping it lets the next one go on.
#[derive(Debug, Default)]
pub struct LogRoom {
    _only: Option<OwnedSemaphorePermit>,
}

impl From<OwnedSemaphorePermit> for LogRoom {
    fn from(only: OwnedSemaphorePermit) -> Self {
        Self { _only: Some(only) }
    }
}

/// What happened in each session.
#[async_trait]
pub trait SessionLog: Send + Sync + 'static {
    /// Which history its events belong to. It changes when something was lost, because the numbers of lost events are used
    /// again: who has read one history must not go on in another.
    fn generation(&self) -> Arc<str>;

    /// What was missing or damaged when it was opened, or is missing now, for people.
    fn report(&self) -> Option<String> {
        None
    }

    /// Makes a session, durably, and claims it. Making one that already exists is an error.
    async fn create(&self, session: SessionId, owner: &Principal) -> Result<(), LogError>;

    /// Makes this server the one that appends to the session, unless another one that runs has it ([`LogError::Moved`]), or its
    /// workspace is not this server's ([`LogError::OtherWorkspace`]): what another one appends from now on is refused. The
    /// session's last event; 0 if it has none. Of several servers that claim it in the same moment one has it.
    async fn claim(&self, session: SessionId) -> Result<u64, LogError>;

    /// Hands events to the writer without waiting. Appends of one session are written in the order of the calls; when
    /// one fails, those of its session behind it fail too.
    fn append(&self, append: Append) -> Committed;

    /// Whether so much waits to be written that nothing new of so many bytes is to begin. What belongs to something that has
    /// begun waits for [`Self::room`].
    fn is_crowded(&self, _bytes: usize) -> bool {
        false
    }

    /// Waits until the log is not behind. Whoever appends something that can wait waits here first, and holds the room until
    /// it is appended.
    async fn room(&self) -> LogRoom {
        LogRoom::default()
    }

    /// Up to `limit` events after `after`, oldest first. A hole or an event that cannot be read ends the page in front of it;
    /// when it is the next event it is [`LogError::Damaged`], so whoever reads until a page is empty cannot miss it.
    async fn read(&self, session: SessionId, after: u64, limit: u64) -> Result<Vec<StoredEvent>, LogError>;

    /// The last `limit` events before `before`, oldest first; [`LogError::Damaged`] when one of them is.
    async fn read_before(&self, session: SessionId, before: u64, limit: u64) -> Result<Vec<StoredEvent>, LogError>;

    /// A large value of the session.
    async fn blob(&self, session: SessionId, hash: &BlobHash) -> Result<Option<Bytes>, LogError>;

    /// Removes the session with all that belongs to it; whether it was there.
    async fn delete(&self, session: SessionId) -> Result<bool, LogError>;

    /// Whether the store can be written now, for `/readyz`.
    async fn check(&self) -> Result<(), LogError>;

    /// Writes what is left and ends the writer; later appends fail with [`LogError::Closed`].
    async fn close(&self);
}

/// Which sessions there are, and what is known of each without reading its events.
#[async_trait]
pub trait SessionIndex: Send + Sync + 'static {
    /// The session, if it is there and belongs to `owner`.
    async fn get(&self, session: SessionId, owner: &Principal) -> Result<Option<SessionRow>, LogError>;

    /// Those of these sessions that are there and belong to `owner`, in this order.
    async fn rows(&self, owner: &Principal, sessions: &[SessionId]) -> Result<Vec<SessionRow>, LogError>;

    /// A part of the sessions of `owner`; the one that changed last first, in a way that the list shows
    /// ([`Append::is_listed`]).
    async fn list(&self, owner: &Principal, page: &ListPage) -> Result<Vec<SessionRow>, LogError>;

    /// Up to `limit` sessions that are kept no longer, the one that changed first first: none that is pinned, has open messages, or is being
    /// imported.
    async fn expired(&self, retention: &Retention, limit: u64) -> Result<Vec<SessionRow>, LogError>;

    /// Keeps the session at the top of the list, or no longer; whether it is there.
    async fn pin(&self, session: SessionId, pinned: bool) -> Result<bool, LogError>;

    /// Gives the session to this owner; whether it is there.
    async fn hand_over(&self, session: SessionId, owner: &Principal) -> Result<bool, LogError>;

    /// Hears of changes that the list of sessions shows, from now on; each is durable when it is told.
    fn changes(&self) -> broadcast::Receiver<SessionChange>;
}

/// Which server has a session.
#[async_trait]
pub trait Ownership: Send + Sync + 'static {
    /// This server.
    fn server(&self) -> ServerId;

    /// The running server that has the session, if there is one. Whoever has a store for itself has every session in it.
    async fn owner(&self, session: SessionId) -> Result<Option<ServerId>, LogError>;

    /// The other server that requests for the session belong to: the one that has it, or, if none has it and its workspace is
    /// not this server's, one that can have it. None: they belong here.
    async fn elsewhere(&self, _session: SessionId) -> Result<Option<RemoteServer>, LogError> {
        Ok(None)
    }

    /// Whether the log has this event of the session, of which this server, that has the session in memory, knows nothing:
    /// another one has written it. Whoever has a store for itself knows all that it has.
    async fn was_written_elsewhere(&self, _session: SessionId, _event: u64) -> Result<bool, LogError> {
        Ok(false)
    }

    /// Completes when another server no longer runs.
    async fn end_of(&self, _server: &ServerId) {
        std::future::pending::<()>().await;
    }

    /// Sessions with open messages that no other running server has, and that this one is to have, the one that changed first
    /// first: their turns are to go on.
    async fn orphans(&self) -> Result<Vec<SessionRow>, LogError>;

    /// Waits until there are [orphans](Self::orphans) that another server has left behind. Whoever has a store for itself waits
    /// for ever.
    async fn next_orphans(&self) -> Vec<SessionRow> {
        std::future::pending().await
    }

    /// Lets go of the session, so that any server may claim it at once.
    async fn release(&self, _session: SessionId) -> Result<(), LogError> {
        Ok(())
    }

    /// This server is about to stop and claims nothing more; whether there is another one that goes on with its sessions.
    async fn leave(&self) -> bool {
        false
    }

    /// Hears of sessions that another server has claimed, from now on, so that this one lets go of them. Whoever has a store for
    /// itself hears nothing, and that there is nothing to hear.
    fn losses(&self) -> broadcast::Receiver<SessionId> {
        broadcast::channel(1).1
    }
}

/// A store of events, for whoever needs more than one side of it.
pub trait EventLog: SessionLog + SessionIndex + Ownership {}

impl<T: SessionLog + SessionIndex + Ownership> EventLog for T {}
