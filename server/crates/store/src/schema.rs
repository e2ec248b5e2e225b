//! The tables, and the version that says which they are.
//!
//! `sessions.changed` counts changes over all sessions: the list is sorted by it, and not by a clock that may jump.

use std::collections::BTreeSet;

use rusqlite::Connection;

use super::error::store_error;
use super::{history, seal};
use switchboard_events::LogError;

/// The schema version that this server writes.
pub(super) const VERSION: u32 = 2;

/// Version 1.
const TABLES: &str = "
CREATE TABLE sessions (
    id         TEXT    NOT NULL PRIMARY KEY,
    owner      TEXT    NOT NULL,
    title      TEXT,
    created_at TEXT    NOT NULL,
    updated_at TEXT    NOT NULL,
    last_seq   INTEGER NOT NULL,
    changed    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX sessions_by_change ON sessions (changed);
CREATE INDEX sessions_of_owner ON sessions (owner, changed);

CREATE TABLE events (
    session TEXT    NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    seq     INTEGER NOT NULL,
    at      TEXT    NOT NULL,
    frame   TEXT    NOT NULL,
    private TEXT,
    crc     INTEGER NOT NULL,
    PRIMARY KEY (session, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE open_messages (
    session    TEXT    NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    message_id TEXT    NOT NULL,
    seq        INTEGER NOT NULL,
    PRIMARY KEY (session, message_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE blobs (
    session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    hash    TEXT NOT NULL,
    bytes   BLOB NOT NULL,
    UNIQUE (session, hash)
) STRICT;

CREATE TABLE probes (bytes BLOB NOT NULL) STRICT;
";

/// What version 1 was given later.
const PINS: &str = "
CREATE TABLE IF NOT EXISTS pins (
    session TEXT NOT NULL PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
";

/// Version 2: every row has a checksum, and the log knows how far it has come.
const SEALED: &str = "
ALTER TABLE sessions ADD COLUMN crc INTEGER;
ALTER TABLE open_messages ADD COLUMN crc INTEGER;
ALTER TABLE pins ADD COLUMN crc INTEGER;
CREATE TABLE history (
    id         INTEGER NOT NULL PRIMARY KEY,
    generation TEXT    NOT NULL,
    entries    INTEGER NOT NULL,
    chain      INTEGER NOT NULL,
    sessions   INTEGER NOT NULL,
    crc        INTEGER NOT NULL
) STRICT;
";

/// Tables that are small, so that all of each can be looked through at the start.
const SMALL: [&str; 4] = ["sessions", "open_messages", "pins", "history"];

/// What was found in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Prepared {
    /// Nothing: its tables are made.
    New,
    /// The tables of an earlier version, which become those of this one.
    Upgraded,
    /// The tables of this version.
    Current,
}

/// Which tables are in the file; refuses one that a newer server wrote, and one whose tables are not what they should be.
pub(super) fn recognize(connection: &Connection) -> Result<Prepared, LogError> {
    let found = version(connection)?;
    if found > VERSION {
        return Err(LogError::TooNew { found, known: VERSION });
    }
    let there = tables(connection).map_err(|error| store_error(&error))?;
    match found {
        0 if there.is_empty() => Ok(Prepared::New),
        1 if there == expected(&[TABLES])? || there == expected(&[TABLES, PINS])? => Ok(Prepared::Upgraded),
        VERSION if there == expected(&[TABLES, PINS, SEALED])? => Ok(Prepared::Current),
        _ => Err(changed()),
    }
}

/// Makes the tables in an empty file and brings those of an earlier version up to date; says what was there before.
pub(super) fn prepare(connection: &Connection) -> Result<Prepared, LogError> {
    let failed = |error: rusqlite::Error| store_error(&error);
    let prepared = recognize(connection)?;
    if prepared == Prepared::Current {
        return Ok(prepared);
    }
    let transaction = connection.unchecked_transaction().map_err(failed)?;
    if prepared == Prepared::New {
        transaction.execute_batch(TABLES).map_err(failed)?;
    }
    transaction.execute_batch(PINS).and_then(|()| transaction.execute_batch(SEALED)).map_err(failed)?;
    seal::all(&transaction)?;
    history::begin(&transaction)?;
    transaction.pragma_update(None, "user_version", VERSION).map_err(failed)?;
    transaction.commit().map_err(failed)?;
    Ok(prepared)
}

/// Looks through the small tables; those of events and large values are looked at as they are read.
///
/// # Errors
/// When one of them is damaged as a whole.
pub(super) fn look_through(connection: &Connection) -> Result<(), LogError> {
    for table in SMALL {
        let wrong: String = connection
            .query_row(&format!("PRAGMA integrity_check('{table}')"), [], |row| row.get(0))
            .map_err(|error| store_error(&error))?;
        if wrong != "ok" {
            return Err(LogError::Store(format!(
                "its table `{table}` is damaged ({wrong}); restore a copy, or choose another folder with --data"
            )));
        }
    }
    check_sessions(connection)
}

/// Whether there are as many sessions as there should be.
///
/// # Errors
/// When there are not, or that cannot be told.
pub(super) fn check_sessions(connection: &Connection) -> Result<(), LogError> {
    let sessions: i64 = connection
        .query_row("SELECT count(*) FROM sessions", [], |row| row.get(0))
        .map_err(|error| store_error(&error))?;
    let (_, should) = history::read(connection)?;
    if sessions != should {
        return Err(LogError::Store(format!(
            "its file is damaged: it has {sessions} sessions and should have {should}; restore a copy, or choose another \
             folder with --data"
        )));
    }
    Ok(())
}

/// Tables and indexes, as they were made.
type Made = BTreeSet<(String, String)>;

fn tables(connection: &Connection) -> rusqlite::Result<Made> {
    let mut statement = connection.prepare("SELECT name, coalesce(sql, tbl_name) FROM sqlite_schema")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.collect()
}

/// What these statements make.
fn expected(statements: &[&str]) -> Result<Made, LogError> {
    let made = Connection::open_in_memory().and_then(|connection| {
        statements.iter().try_for_each(|statement| connection.execute_batch(statement))?;
        tables(&connection)
    });
    made.map_err(|error| store_error(&error))
}

fn version(connection: &Connection) -> Result<u32, LogError> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0)).map_err(|error| store_error(&error))
}

/// Its tables are others.
fn changed() -> LogError {
    LogError::Store(
        "the tables in its file are not those that Switchboard makes: the file is damaged, or another program has changed \
         it; restore a copy, or choose another folder with --data"
            .to_owned(),
    )
}
