//! [`SqliteLog`]: what is written goes to the writer, what is asked to the readers.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use rusqlite::Connection;
use switchboard_protocol::SessionId;
use tokio::sync::broadcast;

use super::append;
use super::connection::{FILE, SqliteOptions, Store};
use super::history::Standing;
use super::lock::DataLock;
use super::opening;
use super::queue::Work;
use super::read;
use super::readers::Readers;
use super::records;
use super::writer::Writer;
use switchboard_accounts::Principal;
use switchboard_events::{
    Append, BlobHash, Committed, ListPage, LogError, LogRoom, Ownership, Retention, ServerId, SessionChange,
    SessionChanges, SessionIndex, SessionLog, SessionRow, StoredEvent,
};

/// Keeps events in a SQLite file.
#[derive(Debug)]
pub struct SqliteLog {
    pub(super) writer: Writer,
    pub(super) readers: Readers,
    store: Store,
    changes: Arc<SessionChanges>,
    generation: Arc<str>,
    report: Option<String>,
    server: ServerId,
}

impl SqliteLog {
    /// Opens the log in the data folder `folder`, which is created if it does not exist, and starts its writer.
    ///
    /// # Errors
    /// When another server has the folder, the log was written by a newer version, the folder has been used and its database
    /// is gone, or the file cannot be used.
    pub fn open(folder: &Path, options: SqliteOptions) -> Result<Self, LogError> {
        Self::start(folder, options, append::forget_imports)
    }

    /// Opens it and does something to it first.
    pub(super) fn start(
        folder: &Path,
        options: SqliteOptions,
        first: impl FnOnce(&Connection, &mut Standing) -> Result<(), LogError>,
    ) -> Result<Self, LogError> {
        let mut lock = DataLock::take(folder)?;
        let begun = opening::check_folder(folder, FILE, options.new_log)?;
        let store = Store::new(folder, options)?;
        lock.take_database(store.path())?;
        let connection = store.open_writer()?;
        let mut opened = opening::compare(folder, &store, &connection, begun)?;
        first(&connection, &mut opened.standing)?;
        let (generation, report) = (opened.standing.history().generation, opened.report);
        let readers = Readers::new(store.clone());
        let changes = Arc::default();
        let begun = (connection, opened.standing, opened.mark);
        let writer = Writer::start(store.clone(), begun, lock, Arc::clone(&changes))?;
        Ok(Self { writer, readers, store, changes, generation, report, server: ServerId::random() })
    }

    /// Where its file is.
    pub(super) fn store(&self) -> &Store {
        &self.store
    }
}

#[async_trait]
impl SessionLog for SqliteLog {
    fn generation(&self) -> Arc<str> {
        Arc::clone(&self.generation)
    }

    fn report(&self) -> Option<String> {
        self.writer.lost().or_else(|| self.report.clone())
    }

    async fn create(&self, session: SessionId, owner: &Principal) -> Result<(), LogError> {
        self.writer.submit(Work::Create { session, owner: owner.clone() }).await.map(drop)
    }

    /// The folder's lock keeps every other server out.
    async fn claim(&self, session: SessionId) -> Result<u64, LogError> {
        let row = self.readers.with(move |connection| read::session(connection, session)).await?;
        row.map(|row| row.last_seq).ok_or(LogError::UnknownSession(session))
    }

    fn append(&self, append: Append) -> Committed {
        let submitted = self.writer.submit(Work::Append(append));
        Box::pin(async move { submitted.await.map(drop) })
    }

    fn is_crowded(&self, bytes: usize) -> bool {
        self.writer.is_crowded(bytes)
    }

    async fn room(&self) -> LogRoom {
        self.writer.room().await
    }

    async fn read(&self, session: SessionId, after: u64, limit: u64) -> Result<Vec<StoredEvent>, LogError> {
        self.readers.with(move |connection| records::after(connection, session, after, limit)).await
    }

    async fn read_before(&self, session: SessionId, before: u64, limit: u64) -> Result<Vec<StoredEvent>, LogError> {
        self.readers.with(move |connection| records::before(connection, session, before, limit)).await
    }

    async fn blob(&self, session: SessionId, hash: &BlobHash) -> Result<Option<Bytes>, LogError> {
        let hash = hash.clone();
        self.readers.with(move |connection| read::blob(connection, session, &hash)).await
    }

    async fn delete(&self, session: SessionId) -> Result<bool, LogError> {
        self.writer.submit(Work::Delete { session }).await
    }

    async fn check(&self) -> Result<(), LogError> {
        self.writer.submit(Work::Check).await.map(drop)
    }

    async fn close(&self) {
        self.readers.close();
        self.writer.close().await;
    }
}

#[async_trait]
impl SessionIndex for SqliteLog {
    async fn get(&self, session: SessionId, owner: &Principal) -> Result<Option<SessionRow>, LogError> {
        let row = self.readers.with(move |connection| read::session(connection, session)).await?;
        Ok(row.filter(|row| row.owner == *owner))
    }

    async fn rows(&self, owner: &Principal, sessions: &[SessionId]) -> Result<Vec<SessionRow>, LogError> {
        let (owner, sessions) = (owner.clone(), sessions.to_vec());
        self.readers.with(move |connection| read::rows(connection, &owner, &sessions)).await
    }

    async fn list(&self, owner: &Principal, page: &ListPage) -> Result<Vec<SessionRow>, LogError> {
        let (owner, page) = (owner.clone(), page.clone());
        self.readers.with(move |connection| read::list(connection, &owner, &page)).await
    }

    async fn expired(&self, retention: &Retention, limit: u64) -> Result<Vec<SessionRow>, LogError> {
        let retention = retention.clone();
        self.readers.with(move |connection| read::expired(connection, &retention, limit)).await
    }

    async fn pin(&self, session: SessionId, pinned: bool) -> Result<bool, LogError> {
        self.writer.submit(Work::Pin { session, pinned }).await
    }

    async fn hand_over(&self, session: SessionId, owner: &Principal) -> Result<bool, LogError> {
        self.writer.submit(Work::HandOver { session, owner: owner.clone() }).await
    }

    fn changes(&self) -> broadcast::Receiver<SessionChange> {
        self.changes.watch()
    }
}

#[async_trait]
impl Ownership for SqliteLog {
    fn server(&self) -> ServerId {
        self.server.clone()
    }

    async fn owner(&self, session: SessionId) -> Result<Option<ServerId>, LogError> {
        let row = self.readers.with(move |connection| read::session(connection, session)).await?;
        Ok(row.map(|_| self.server()))
    }

    async fn orphans(&self) -> Result<Vec<SessionRow>, LogError> {
        self.readers.with(read::unfinished).await
    }
}
