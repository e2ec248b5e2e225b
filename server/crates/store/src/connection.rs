//! Connections to the file, set up so that a commit is a promise: every setting is read back, and a file system that
//! does not grant one is refused.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::error::store_error;
use super::presence::{Presence, lost};
use super::schema;
use switchboard_events::LogError;

/// The log's file in the data folder.
pub(super) const FILE: &str = "switchboard.db";

/// How long a connection waits for another program that has the file.
pub(super) const BUSY: Duration = Duration::from_secs(5);

/// After this many bytes, the write-ahead log's file is cut back when it has been taken over into the main file.
const WAL_KEPT_BYTES: i64 = 4 * 1024 * 1024;

/// Pages of 4 KiB in a gibibyte.
const PAGES_PER_GIB: u32 = 256 * 1024;

/// So many pages a single commit may need, about.
const MOST_PAGES_AT_ONCE: i64 = 16 * 1024;

/// How the log treats its file.
#[derive(Debug, Clone, Copy)]
pub struct SqliteOptions {
    /// Whether a commit waits until the disk has it. Off for benchmarks only: then nothing is promised.
    pub sync: bool,
    /// The most pages of 4 KiB that the file may have; without a limit if there is none.
    pub max_pages: Option<u32>,
    /// The most sessions that there may be; without a limit if there is none.
    pub max_sessions: Option<u64>,
    /// Whether an empty log may be begun in a folder that has been used and has lost its database.
    pub new_log: bool,
}

impl Default for SqliteOptions {
    fn default() -> Self {
        Self { sync: true, max_pages: Some(50 * PAGES_PER_GIB), max_sessions: Some(100_000), new_log: false }
    }
}

/// Where the file is and how it is opened; cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Store {
    path: Arc<Path>,
    write_ahead: Arc<Path>,
    options: SqliteOptions,
}

impl Store {
    /// The store in this data folder; its file is made, readable by its owner only, if it does not exist.
    pub(super) fn new(folder: &Path, options: SqliteOptions) -> Result<Self, LogError> {
        let path = folder.join(FILE);
        let failed = |error: std::io::Error| LogError::Store(format!("{} cannot be opened: {error}", path.display()));
        let made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path);
        match made {
            Ok(_) => File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)?,
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(failed(error)),
        }
        Ok(Self { path: path.into(), write_ahead: folder.join(format!("{FILE}-wal")).into(), options })
    }

    /// The connection of the writer, to a file with the tables of this version.
    pub(super) fn open_writer(&self) -> Result<Connection, LogError> {
        let connection = self.open()?;
        schema::prepare(&connection).map_err(|error| self.explained(error, &connection))?;
        // Only then: an upgrade needs room before it gives some back.
        self.limit(&connection)?;
        Ok(connection)
    }

    /// A connection of the writer to a file that was prepared before.
    pub(super) fn reopen_writer(&self) -> Result<Connection, LogError> {
        let connection = self.open()?;
        self.limit(&connection)?;
        Ok(connection)
    }

    /// Where the database is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The database's name.
    pub(super) fn name(&self) -> &'static str {
        FILE
    }

    /// A connection that cannot write.
    pub(super) fn open_reader(&self) -> Result<Connection, LogError> {
        let connection = self.open()?;
        set(&connection, "query_only", "ON", 1)?;
        set(&connection, "cache_size", "-512", -512)?;
        Ok(connection)
    }

    /// The same while the log is open, for who asks by itself: SQLite would make another file in the place of one that was
    /// removed.
    pub(super) fn open_reader_beside(&self) -> Result<Connection, LogError> {
        if !self.write_ahead.exists() {
            return Err(lost(&self.write_ahead, "removed"));
        }
        self.open_reader()
    }

    /// The most sessions that there may be.
    pub(super) fn max_sessions(&self) -> Option<u64> {
        self.options.max_sessions
    }

    /// What a full file means: that the disk is full, or that the file is as large as it may be.
    pub(super) fn explained(&self, error: LogError, connection: &Connection) -> LogError {
        let Some(pages) = self.options.max_pages.filter(|_| matches!(error, LogError::Full)) else { return error };
        match pragma(connection, "page_count") {
            // What a refused write would have needed is not counted.
            Ok(there) if there + MOST_PAGES_AT_ONCE > i64::from(pages) => LogError::Limit(
                "the limit for stored data is reached (--max-stored-mib); delete sessions that are no longer needed, or \
                 raise it and start the server again",
            ),
            _ => error,
        }
    }

    /// How large the write-ahead log's file is.
    pub(super) fn wal_bytes(&self) -> u64 {
        std::fs::metadata(&self.write_ahead).map(|metadata| metadata.len()).unwrap_or(0)
    }

    /// Whether the files are still those of `known`.
    ///
    /// # Errors
    /// Which one was removed or replaced.
    pub(super) fn check(&self, known: &mut Presence) -> Result<(), LogError> {
        known.check(&self.path, &self.write_ahead)
    }

    fn open(&self) -> Result<Connection, LogError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.path, flags).map_err(|error| store_error(&error))?;
        connection.busy_timeout(BUSY).map_err(|error| store_error(&error))?;
        connection.set_prepared_statement_cache_capacity(32);
        self.configure(&connection)?;
        Ok(connection)
    }

    fn configure(&self, connection: &Connection) -> Result<(), LogError> {
        let mode: String = connection
            .pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))
            .map_err(|error| store_error(&error))?;
        if mode != "wal" {
            return Err(refused("journal_mode", "wal", &mode));
        }
        let (name, number) = if self.options.sync { ("FULL", 2) } else { ("OFF", 0) };
        set(connection, "synchronous", name, number)?;
        set(connection, "foreign_keys", "ON", 1)?;
        set(connection, "trusted_schema", "OFF", 0)?;
        set(connection, "journal_size_limit", &WAL_KEPT_BYTES.to_string(), WAL_KEPT_BYTES)?;
        let busy: i64 = pragma(connection, "busy_timeout")?;
        if u128::try_from(busy) != Ok(BUSY.as_millis()) {
            return Err(refused("busy_timeout", &BUSY.as_millis().to_string(), &busy.to_string()));
        }
        Ok(())
    }

    /// Sets how large the file may become.
    fn limit(&self, connection: &Connection) -> Result<(), LogError> {
        if let Some(pages) = self.options.max_pages {
            // A file that is larger already stays as large as it is.
            let most = i64::from(pages).max(pragma(connection, "page_count")?);
            set(connection, "max_page_count", &pages.to_string(), most)?;
        }
        Ok(())
    }
}

/// Sets a pragma and reads it back.
fn set(connection: &Connection, name: &str, value: &str, expected: i64) -> Result<(), LogError> {
    connection.execute_batch(&format!("PRAGMA {name} = {value}")).map_err(|error| store_error(&error))?;
    let found = pragma(connection, name)?;
    if found == expected { Ok(()) } else { Err(refused(name, value, &found.to_string())) }
}

fn pragma(connection: &Connection, name: &str) -> Result<i64, LogError> {
    connection.pragma_query_value(None, name, |row| row.get(0)).map_err(|error| store_error(&error))
}

fn refused(name: &str, wanted: &str, found: &str) -> LogError {
    LogError::Store(format!(
        "its file system does not allow {name} = {wanted} (it stays at {found}), so data could be lost; choose a \
         folder on a local disk with --data"
    ))
}
