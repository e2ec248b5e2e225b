//! The log in a SQLite file: one thread writes and commits for everybody, a few connections read beside it.
//!
//! `writer` gathers appends and commits them together, `append` is what one of them does to the tables, `read` is what
//! is asked of them and where damage shows, `connection` opens the file so that a commit is a promise, and `lock` sees
//! that only one server has it.

mod append;
mod connection;
mod lock;
mod queue;
mod read;
mod readers;
mod schema;
mod writer;

use std::path::Path;

use async_trait::async_trait;
use bytes::Bytes;
use switchboard_protocol::SessionId;

use self::connection::Store;
use self::lock::DataLock;
use self::queue::Work;
use self::readers::Readers;
use self::writer::Writer;
use switchboard_accounts::Principal;
use switchboard_events::BlobHash;
use switchboard_events::LogError;
use switchboard_events::StoredEvent;
use switchboard_events::{Append, Committed, EventLog, SessionRow};

/// How the log treats its file.
#[derive(Debug, Clone, Copy)]
pub struct SqliteOptions {
    /// Whether a commit waits until the disk has it. Off for benchmarks only: then nothing is promised.
    pub sync: bool,
    /// The most pages of 4 KiB that the file may have; without a limit if there is none.
    pub max_pages: Option<u32>,
}

impl Default for SqliteOptions {
    fn default() -> Self {
        Self { sync: true, max_pages: None }
    }
}

/// Keeps events in a SQLite file.
#[derive(Debug)]
pub struct SqliteLog {
    writer: Writer,
    readers: Readers,
}

impl SqliteLog {
    /// Opens the log in the data folder `folder`, which is made if it is not there, and starts its writer.
    ///
    /// # Errors
    /// When another server has the folder, the log was written by a newer version, or the file cannot be used.
    pub fn open(folder: &Path, options: SqliteOptions) -> Result<Self, LogError> {
        let lock = DataLock::take(folder)?;
        let store = Store::new(folder, options)?;
        let readers = Readers::new(store.clone());
        Ok(Self { writer: Writer::start(store, lock)?, readers })
    }
}

#[async_trait]
impl EventLog for SqliteLog {
    async fn create(&self, session: SessionId, owner: &Principal) -> Result<(), LogError> {
        self.writer.submit(Work::Create { session, owner: owner.clone() }).await.map(drop)
    }

    fn append(&self, append: Append) -> Committed {
        let submitted = self.writer.submit(Work::Append(append));
        Box::pin(async move { submitted.await.map(drop) })
    }

    async fn session(&self, session: SessionId, owner: &Principal) -> Result<Option<SessionRow>, LogError> {
        let row = self.readers.with(move |connection| read::session(connection, session)).await?;
        Ok(row.filter(|row| row.owner == *owner))
    }

    async fn sessions(&self, owner: &Principal, offset: u64, limit: u64) -> Result<Vec<SessionRow>, LogError> {
        let owner = owner.clone();
        self.readers.with(move |connection| read::sessions(connection, &owner, offset, limit)).await
    }

    async fn unfinished(&self) -> Result<Vec<SessionRow>, LogError> {
        self.readers.with(read::unfinished).await
    }

    async fn read(&self, session: SessionId, after: u64, limit: u64) -> Result<Vec<StoredEvent>, LogError> {
        self.readers.with(move |connection| read::after(connection, session, after, limit)).await
    }

    async fn read_before(&self, session: SessionId, before: u64, limit: u64) -> Result<Vec<StoredEvent>, LogError> {
        self.readers.with(move |connection| read::before(connection, session, before, limit)).await
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

#[cfg(test)]
mod claims_tests;
#[cfg(test)]
mod damage_tests;
#[cfg(test)]
mod tests;
