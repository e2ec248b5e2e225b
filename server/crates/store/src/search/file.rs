//! The file of the index: how it is opened, what its tables are, and how it goes away.
//!
//! A file of another version or of another history of the log, or one that is not a database, is replaced: nothing is in it
//! that the log does not have.

use std::fs::{OpenOptions, remove_file};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::{Connection, OpenFlags};

use crate::connection::BUSY;

/// Its name in the data folder.
const FILE: &str = "search.db";

/// The version of the tables; another one is built anew.
const VERSION: u32 = 1;

/// Deleted text leaves the file: pages are overwritten, and the lists of words too.
const TABLES: &str = "
BEGIN IMMEDIATE;
CREATE TABLE conversations (
    id      INTEGER PRIMARY KEY,
    session TEXT    NOT NULL UNIQUE,
    owner   TEXT    NOT NULL,
    title   TEXT    NOT NULL,
    indexed INTEGER NOT NULL,
    changed INTEGER NOT NULL
) STRICT;
CREATE TABLE places (
    id           INTEGER PRIMARY KEY,
    conversation INTEGER NOT NULL,
    seq          INTEGER NOT NULL,
    said_by      INTEGER NOT NULL,
    at           TEXT    NOT NULL,
    text         TEXT    NOT NULL
) STRICT;
CREATE INDEX places_of ON places (conversation);

CREATE VIRTUAL TABLE words USING fts5(
    text, content='places', content_rowid='id', tokenize='unicode61 remove_diacritics 2', prefix='2 3 4 5'
);
INSERT INTO words (words, rank) VALUES ('secure-delete', 1);
CREATE TRIGGER place_added AFTER INSERT ON places BEGIN
    INSERT INTO words (rowid, text) VALUES (new.id, new.text);
END;
CREATE TRIGGER place_removed AFTER DELETE ON places BEGIN
    INSERT INTO words (words, rowid, text) VALUES ('delete', old.id, old.text);
END;

CREATE VIRTUAL TABLE titles USING fts5(
    title, content='conversations', content_rowid='id', tokenize='unicode61 remove_diacritics 2', prefix='2 3 4 5'
);
INSERT INTO titles (titles, rank) VALUES ('secure-delete', 1);
CREATE TRIGGER title_added AFTER INSERT ON conversations BEGIN
    INSERT INTO titles (rowid, title) VALUES (new.id, new.title);
END;
CREATE TRIGGER title_removed AFTER DELETE ON conversations BEGIN
    INSERT INTO titles (titles, rowid, title) VALUES ('delete', old.id, old.title);
END;
CREATE TRIGGER title_changed AFTER UPDATE OF title ON conversations BEGIN
    INSERT INTO titles (titles, rowid, title) VALUES ('delete', old.id, old.title);
    INSERT INTO titles (rowid, title) VALUES (new.id, new.title);
END;
";

/// Where it is; cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct IndexFile {
    path: Arc<Path>,
    /// Of which history of the log it is: what was lost there must not be found here.
    history: u32,
}

impl IndexFile {
    /// The one of a log with this generation.
    pub(super) fn in_folder(folder: &Path, generation: &str) -> Self {
        // SQLite keeps the number with a sign, and 0 means that there is none.
        let history = (crc32fast::hash(generation.as_bytes()) >> 1).max(1);
        Self { path: folder.join(FILE).into(), history }
    }

    /// The connection that writes, and whether the file is new: it is made if it does not exist, and replaced if it cannot
    /// be used.
    pub(super) fn open_writer(&self) -> rusqlite::Result<(Connection, bool)> {
        match self.open_prepared() {
            Ok(Some(opened)) => return Ok(opened),
            Ok(None) => tracing::info!(
                "the index of conversations has another version or is that of another log; it is built again"
            ),
            Err(error) if is_broken(&error) => {
                tracing::warn!(%error, "the index of conversations cannot be used; it is built again");
            }
            Err(error) => return Err(error),
        }
        self.remove();
        self.open_prepared()?.ok_or(rusqlite::Error::QueryReturnedNoRows)
    }

    /// A connection that cannot write.
    pub(super) fn open_reader(&self) -> rusqlite::Result<Connection> {
        let connection = self.open()?;
        connection.execute_batch("PRAGMA query_only = ON; PRAGMA cache_size = -2048;")?;
        Ok(connection)
    }

    /// Whether it is where it was.
    pub(super) fn is_there(&self) -> bool {
        self.path.exists()
    }

    /// Takes it away, with what belongs to it.
    pub(super) fn remove(&self) {
        for end in ["", "-wal", "-shm"] {
            let mut path = self.path.as_os_str().to_owned();
            path.push(end);
            match remove_file(PathBuf::from(path)) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    tracing::warn!(%error, "the index of conversations cannot be removed");
                }
                _ => {}
            }
        }
    }

    /// With its tables, and whether they are new; none if it has others.
    fn open_prepared(&self) -> rusqlite::Result<Option<(Connection, bool)>> {
        // What was said is for its owner alone; a file that is there keeps its rights.
        let _ = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&self.path);
        let connection = self.open()?;
        connection.execute_batch("PRAGMA secure_delete = ON; PRAGMA journal_size_limit = 4194304;")?;
        match number(&connection, "user_version")? {
            VERSION if number(&connection, "application_id")? == self.history => Ok(Some((connection, false))),
            0 if is_empty(&connection)? => {
                let history = self.history;
                connection.execute_batch(&format!(
                    "{TABLES} PRAGMA user_version = {VERSION}; PRAGMA application_id = {history}; COMMIT;"
                ))?;
                Ok(Some((connection, true)))
            }
            _ => Ok(None),
        }
    }

    fn open(&self) -> rusqlite::Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.path, flags)?;
        connection.busy_timeout(BUSY)?;
        connection.set_prepared_statement_cache_capacity(16);
        // NORMAL: what the last seconds brought may be missing after a power loss, and is read from the log again.
        connection
            .execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA trusted_schema = OFF;")?;
        Ok(connection)
    }
}

/// Whether the file itself is at fault, so that another one would do. That it cannot be opened may be for want of
/// descriptors; only one that is not there has to be made.
pub(super) fn is_broken(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
    let no_such_table = || error.to_string().contains("no such");
    matches!(error.sqlite_error_code(), Some(DatabaseCorrupt | NotADatabase)) || no_such_table()
}

fn number(connection: &Connection, pragma: &str) -> rusqlite::Result<u32> {
    connection.pragma_query_value(None, pragma, |row| row.get(0))
}

fn is_empty(connection: &Connection) -> rusqlite::Result<bool> {
    connection.query_row("SELECT NOT EXISTS (SELECT 1 FROM sqlite_schema)", [], |row| row.get(0))
}
