//! The tables, version by version, and the number in the file that says which they are.
//!
//! `sessions.changed` counts changes over all sessions: the list is sorted by it, and not by a clock that may jump. It stays
//! what it is as long as the session is the one that changed last, so that a commit need not touch the index.

use rusqlite::Connection;

use super::error::store_error;
use switchboard_events::LogError;

/// The schema version that this server writes.
pub(super) const VERSION: u32 = 3;

/// Version 1.
pub(super) const TABLES: &str = "
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
pub(super) const PINS: &str = "
CREATE TABLE IF NOT EXISTS pins (
    session TEXT NOT NULL PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
";

/// Version 2: every row has a checksum, and the log knows how far it has come.
pub(super) const SEALED: &str = "
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

/// Version 3: what one append wrote is one row, which the index finds by the number of its session and the `seq` of its last event
/// (`records.rs`). Rows lie in the order in which they were written, so that a commit adds them to one page, whatever their
/// sessions are. An entry of the list has the checksum of the session's last record, and its open messages.
pub(super) const RECORDS: &str = "
CREATE TABLE records (
    key    INTEGER NOT NULL UNIQUE,
    record BLOB    NOT NULL
) STRICT;
ALTER TABLE sessions ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN open TEXT;
ALTER TABLE sessions ADD COLUMN chain INTEGER NOT NULL DEFAULT 0;
DROP INDEX sessions_by_change;
";

/// What version 3 has no use for.
pub(super) const MESSAGES_GONE: &str = "DROP TABLE open_messages;";

/// What version 3 has no use for either, once it is empty.
pub(super) const EVENTS_GONE: &str = "DROP TABLE events;";

/// The version that the file says.
pub(super) fn version(connection: &Connection) -> Result<u32, LogError> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0)).map_err(|error| store_error(&error))
}
