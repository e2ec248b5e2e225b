//! The tables, and the version that says which they are.
//!
//! `sessions.changed` counts changes over all sessions: the list is sorted by it, and not by a clock that may jump.

use rusqlite::Connection;

use super::error::store_error;
use switchboard_events::LogError;

/// The schema version that this server writes.
pub(super) const VERSION: u32 = 1;

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

/// What came later and older servers need not know of: they leave it alone.
const ADDED: &str = "
CREATE TABLE IF NOT EXISTS pins (
    session TEXT NOT NULL PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
";

/// Makes the tables in an empty file; refuses a file that a newer server wrote.
pub(super) fn prepare(connection: &Connection) -> Result<(), LogError> {
    let found = version(connection)?;
    if found > VERSION {
        return Err(LogError::TooNew { found, known: VERSION });
    }
    if found < VERSION {
        connection
            .execute_batch(&format!("BEGIN IMMEDIATE; {TABLES} PRAGMA user_version = {VERSION}; COMMIT;"))
            .map_err(|error| store_error(&error))?;
    }
    connection.execute_batch(ADDED).map_err(|error| store_error(&error))
}

fn version(connection: &Connection) -> Result<u32, LogError> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0)).map_err(|error| store_error(&error))
}
