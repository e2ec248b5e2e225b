//! The list of sessions as this server knows it: a file in the data folder that is made anew at each start from the entries in
//! NATS, and may be lost at any time.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, OptionalExtension, params};
use switchboard_accounts::Principal;
use switchboard_events::{ListPage, LogError, Retention, SessionRow};
use switchboard_protocol::SessionId;

use super::meta::Entry;
use crate::error::store_error;
use crate::read;

const FILE: &str = "index.db";

/// The tables that [`read`] asks.
const TABLES: &str = "
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    CREATE TABLE sessions (
        id TEXT PRIMARY KEY, owner TEXT NOT NULL, title TEXT, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
        last_seq INTEGER NOT NULL, changed INTEGER NOT NULL, open TEXT, server TEXT NOT NULL,
        workspace TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sessions_by_owner ON sessions (owner, changed);
    CREATE INDEX sessions_by_change ON sessions (changed);
    CREATE INDEX sessions_open ON sessions (changed) WHERE open IS NOT NULL;
    CREATE TABLE pins (session TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
";

/// Where a session is: the server that has claimed it, and its workspace.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) server: String,
    pub(super) workspace: String,
}

/// The list.
#[derive(Debug, Clone)]
pub(super) struct Index {
    connection: Arc<Mutex<Connection>>,
}

impl Index {
    /// An empty list in the data folder.
    pub(super) fn make(folder: &Path) -> Result<Self, LogError> {
        let path = folder.join(FILE);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(LogError::Store(format!("{} cannot be removed: {error}", path.display())));
            }
            _ => {}
        }
        let connection = Connection::open(&path).and_then(|connection| {
            connection.execute_batch(TABLES)?;
            Ok(connection)
        });
        let connection = connection.map_err(|error| store_error(&error))?;
        Ok(Self { connection: Arc::new(Mutex::new(connection)) })
    }

    /// Asks something where waiting for the disk keeps nobody waiting.
    pub(super) async fn with<T, F>(&self, question: F) -> Result<T, LogError>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, LogError> + Send + 'static,
    {
        let index = self.clone();
        let asked = tokio::task::spawn_blocking(move || question(&index.connection()));
        asked.await.unwrap_or_else(|error| Err(LogError::Store(error.to_string())))
    }

    /// The session, whoever owns it.
    pub(super) async fn row(&self, session: SessionId) -> Result<Option<SessionRow>, LogError> {
        self.with(move |connection| read::session(connection, session)).await
    }

    /// Sessions with open messages, the one that changed first first, each with where it is.
    pub(super) async fn open(&self) -> Result<Vec<(SessionRow, Place)>, LogError> {
        self.with(|connection| with_places(connection, read::unfinished(connection)?)).await
    }

    /// Sessions that are kept no longer, each with where it is.
    pub(super) async fn expired(
        &self,
        retention: &Retention,
        limit: u64,
    ) -> Result<Vec<(SessionRow, Place)>, LogError> {
        let retention = retention.clone();
        self.with(move |connection| with_places(connection, read::expired(connection, &retention, limit)?)).await
    }

    /// Sessions that are being imported, each with where that is done.
    pub(super) async fn imports(&self) -> Result<Vec<(SessionRow, Place)>, LogError> {
        let all = ListPage::first(u64::MAX);
        self.with(move |connection| with_places(connection, read::list(connection, &Principal::importing(), &all)?))
            .await
    }

    /// How many sessions there are.
    pub(super) async fn count(&self) -> Result<u64, LogError> {
        let count = |connection: &Connection| {
            let count = connection.query_row("SELECT count(*) FROM sessions", [], |row| row.get::<_, i64>(0));
            count.map(i64::cast_unsigned).map_err(|error| store_error(&error))
        };
        self.with(count).await
    }

    /// A place behind all that are given.
    pub(super) fn next_place(&self) -> Result<u64, LogError> {
        let connection = self.connection();
        let last = connection
            .prepare_cached("SELECT coalesce(max(changed), 0) FROM sessions")
            .and_then(|mut statement| statement.query_row([], |row| row.get::<_, i64>(0)));
        last.map(|last| last.cast_unsigned() + 1).map_err(|error| store_error(&error))
    }

    /// What is put from here to [`Self::commit`] is written together, which takes a fraction of the time.
    pub(super) fn begin(&self) -> Result<(), LogError> {
        self.connection().execute_batch("BEGIN").map_err(|error| store_error(&error))
    }

    /// Ends what [`Self::begin`] began.
    pub(super) fn commit(&self) -> Result<(), LogError> {
        self.connection().execute_batch("COMMIT").map_err(|error| store_error(&error))
    }

    /// Takes what the list says of a session; the owner whom it had, if it was there.
    pub(super) fn put(&self, session: SessionId, entry: &Entry) -> Result<Option<Principal>, LogError> {
        let failed = |error: rusqlite::Error| store_error(&error);
        let connection = self.connection();
        let id = session.to_string();
        let owner = connection
            .prepare_cached("SELECT owner FROM sessions WHERE id = ?1")
            .and_then(|mut statement| statement.query_row([&id], |row| row.get::<_, String>(0)).optional())
            .map_err(failed)?;
        let pins = if entry.pinned && !entry.gone {
            "INSERT INTO pins (session) VALUES (?1) ON CONFLICT DO NOTHING"
        } else {
            "DELETE FROM pins WHERE session = ?1"
        };
        connection.prepare_cached(pins).and_then(|mut statement| statement.execute([&id])).map_err(failed)?;
        let put = if entry.gone {
            let mut statement = connection.prepare_cached("DELETE FROM sessions WHERE id = ?1").map_err(failed)?;
            statement.execute([&id])
        } else {
            let open = (!entry.open.is_empty()).then(|| serde_json::json!(entry.open).to_string());
            let sql =
                "INSERT OR REPLACE INTO sessions (id, owner, title, created_at, updated_at, last_seq, changed, open,
                       server, workspace) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
            let (last, place) = (entry.last.cast_signed(), entry.place.cast_signed());
            connection.prepare_cached(sql).map_err(failed)?.execute(params![
                id,
                entry.owner,
                entry.title,
                entry.created_at,
                entry.updated_at,
                last,
                place,
                open,
                entry.server,
                entry.workspace
            ])
        };
        put.map_err(failed)?;
        Ok(owner.map(|owner| Principal::named(&owner)))
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn with_places(connection: &Connection, rows: Vec<SessionRow>) -> Result<Vec<(SessionRow, Place)>, LogError> {
    let place = |row: SessionRow| {
        connection
            .prepare_cached("SELECT server, workspace FROM sessions WHERE id = ?1")
            .and_then(|mut statement| {
                let place = |found: &rusqlite::Row<'_>| Ok(Place { server: found.get(0)?, workspace: found.get(1)? });
                statement.query_row([row.session.to_string()], place)
            })
            .map(|place| (row, place))
            .map_err(|error| store_error(&error))
    };
    rows.into_iter().map(place).collect()
}
