//! A log that does some things differently from another one: whoever makes one says only what.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use switchboard_accounts::Principal;
use switchboard_protocol::SessionId;
use tokio::sync::broadcast;

use crate::{
    Append, BlobHash, Committed, EventLog, ListPage, LogError, LogRoom, Ownership, RemoteServer, Retention, ServerId,
    SessionChange, SessionIndex, SessionLog, SessionRow, StoredEvent,
};

/// A log over another one, which does all that is not said otherwise.
#[async_trait]
pub trait ChangedLog: Send + Sync + 'static {
    /// The log beneath.
    fn beneath(&self) -> &dyn EventLog;

    /// See [`SessionLog::claim`].
    async fn claim_over(&self, session: SessionId) -> Result<u64, LogError> {
        self.beneath().claim(session).await
    }

    /// See [`SessionLog::append`].
    fn append_over(&self, append: Append) -> Committed {
        self.beneath().append(append)
    }

    /// See [`SessionLog::is_crowded`].
    fn is_crowded_over(&self, bytes: usize) -> bool {
        self.beneath().is_crowded(bytes)
    }

    /// See [`SessionLog::room`].
    async fn room_over(&self) -> LogRoom {
        self.beneath().room().await
    }

    /// See [`SessionLog::read`].
    async fn read_over(&self, session: SessionId, after: u64, limit: u64) -> Result<Vec<StoredEvent>, LogError> {
        self.beneath().read(session, after, limit).await
    }

    /// See [`Ownership::was_written_elsewhere`].
    async fn was_written_elsewhere_over(&self, session: SessionId, event: u64) -> Result<bool, LogError> {
        self.beneath().was_written_elsewhere(session, event).await
    }

    /// See [`SessionLog::check`].
    async fn check_over(&self) -> Result<(), LogError> {
        self.beneath().check().await
    }
}

#[async_trait]
impl<L: ChangedLog> SessionLog for L {
    fn generation(&self) -> Arc<str> {
        self.beneath().generation()
    }

    fn report(&self) -> Option<String> {
        self.beneath().report()
    }

    async fn create(&self, session: SessionId, owner: &Principal) -> Result<(), LogError> {
        self.beneath().create(session, owner).await
    }

    async fn claim(&self, session: SessionId) -> Result<u64, LogError> {
        self.claim_over(session).await
    }

    fn append(&self, append: Append) -> Committed {
        self.append_over(append)
    }

    fn is_crowded(&self, bytes: usize) -> bool {
        self.is_crowded_over(bytes)
    }

    async fn room(&self) -> LogRoom {
        self.room_over().await
    }

    async fn read(&self, session: SessionId, after: u64, limit: u64) -> Result<Vec<StoredEvent>, LogError> {
        self.read_over(session, after, limit).await
    }

    async fn read_before(&self, session: SessionId, before: u64, limit: u64) -> Result<Vec<StoredEvent>, LogError> {
        self.beneath().read_before(session, before, limit).await
    }

    async fn blob(&self, session: SessionId, hash: &BlobHash) -> Result<Option<Bytes>, LogError> {
        self.beneath().blob(session, hash).await
    }

    async fn delete(&self, session: SessionId) -> Result<bool, LogError> {
        self.beneath().delete(session).await
    }

    async fn check(&self) -> Result<(), LogError> {
        self.check_over().await
    }

    async fn close(&self) {
        self.beneath().close().await;
    }
}

#[async_trait]
impl<L: ChangedLog> SessionIndex for L {
    async fn get(&self, session: SessionId, owner: &Principal) -> Result<Option<SessionRow>, LogError> {
        self.beneath().get(session, owner).await
    }

    async fn rows(&self, owner: &Principal, sessions: &[SessionId]) -> Result<Vec<SessionRow>, LogError> {
        self.beneath().rows(owner, sessions).await
    }

    async fn list(&self, owner: &Principal, page: &ListPage) -> Result<Vec<SessionRow>, LogError> {
        self.beneath().list(owner, page).await
    }

    async fn expired(&self, retention: &Retention, limit: u64) -> Result<Vec<SessionRow>, LogError> {
        self.beneath().expired(retention, limit).await
    }

    async fn pin(&self, session: SessionId, pinned: bool) -> Result<bool, LogError> {
        self.beneath().pin(session, pinned).await
    }

    async fn hand_over(&self, session: SessionId, owner: &Principal) -> Result<bool, LogError> {
        self.beneath().hand_over(session, owner).await
    }

    fn changes(&self) -> broadcast::Receiver<SessionChange> {
        self.beneath().changes()
    }
}

#[async_trait]
impl<L: ChangedLog> Ownership for L {
    fn server(&self) -> ServerId {
        self.beneath().server()
    }

    async fn owner(&self, session: SessionId) -> Result<Option<ServerId>, LogError> {
        self.beneath().owner(session).await
    }

    async fn elsewhere(&self, session: SessionId) -> Result<Option<RemoteServer>, LogError> {
        self.beneath().elsewhere(session).await
    }

    async fn was_written_elsewhere(&self, session: SessionId, event: u64) -> Result<bool, LogError> {
        self.was_written_elsewhere_over(session, event).await
    }

    async fn end_of(&self, server: &ServerId) {
        self.beneath().end_of(server).await;
    }

    async fn orphans(&self) -> Result<Vec<SessionRow>, LogError> {
        self.beneath().orphans().await
    }

    async fn next_orphans(&self) -> Vec<SessionRow> {
        self.beneath().next_orphans().await
    }

    async fn release(&self, session: SessionId) -> Result<(), LogError> {
        self.beneath().release(session).await
    }

    async fn leave(&self) -> bool {
        self.beneath().leave().await
    }

    fn losses(&self) -> broadcast::Receiver<SessionId> {
        self.beneath().losses()
    }
}
