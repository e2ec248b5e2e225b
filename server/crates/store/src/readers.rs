//! The connections that read, on threads for blocking work; they see what was committed and never wait for the writer.
//!
//! Each question is one short transaction, so that no reader holds the write-ahead log back.

use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;
use tokio::sync::Semaphore;

use super::connection::Store;
use super::error::store_error;
use switchboard_events::LogError;

/// How many read at the same time.
const READERS: usize = 4;

/// A few connections, opened when they are first needed.
#[derive(Debug)]
pub(super) struct Readers {
    turns: Arc<Semaphore>,
    pool: Arc<Pool>,
}

#[derive(Debug)]
struct Pool {
    store: Store,
    idle: Mutex<Vec<Connection>>,
}

impl Readers {
    pub(super) fn new(store: Store) -> Self {
        let pool = Pool { store, idle: Mutex::default() };
        Self { turns: Arc::new(Semaphore::new(READERS)), pool: Arc::new(pool) }
    }

    /// Asks something on a connection, in one transaction.
    pub(super) async fn with<T, F>(&self, question: F) -> Result<T, LogError>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, LogError> + Send + 'static,
    {
        let turn = Arc::clone(&self.turns).acquire_owned().await.map_err(|_| LogError::Closed)?;
        let pool = Arc::clone(&self.pool);
        let asked = tokio::task::spawn_blocking(move || {
            let answer = pool.ask(question);
            drop(turn);
            answer
        });
        asked.await.unwrap_or_else(|error| Err(LogError::Store(error.to_string())))
    }

    /// Closes the connections that are not in use; later questions open new ones.
    pub(super) fn close(&self) {
        self.pool.idle().clear();
    }
}

impl Pool {
    fn ask<T>(&self, question: impl FnOnce(&Connection) -> Result<T, LogError>) -> Result<T, LogError> {
        let idle = self.idle().pop();
        let connection = match idle {
            Some(connection) => connection,
            None => self.store.open_reader()?,
        };
        let transaction = connection.unchecked_transaction().map_err(|error| store_error(&error))?;
        let answer = question(&transaction);
        let ended = transaction.finish();
        // A connection that the store failed on is not used again.
        if ended.is_ok() && !matches!(answer, Err(LogError::Store(_))) {
            self.idle().push(connection);
        }
        answer
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
