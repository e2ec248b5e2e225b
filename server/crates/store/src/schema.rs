//! Which tables a file has: they are made, brought up to date, or refused.

use std::collections::BTreeSet;

use rusqlite::Connection;

use super::error::store_error;
use super::history::{self, SessionList, Standing};
use super::seal;
use super::tables::{EVENTS_GONE, MESSAGES_GONE, PINS, RECORDS, SEALED, TABLES, VERSION, version};
use super::upgrade::Upgrade;
use switchboard_events::LogError;

/// Tables that are small, so that all of each can be looked through at the start.
const SMALL: [&str; 3] = ["sessions", "pins", "history"];

/// What was found in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Prepared {
    /// Nothing: its tables are made.
    New,
    /// The tables of an earlier version, or those of one that is being brought up to date.
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
    let is = |statements: &[&str]| expected(statements).map(|expected| expected == there);
    match found {
        0 if there.is_empty() => Ok(Prepared::New),
        1 if is(&[TABLES])? || is(&[TABLES, PINS])? => Ok(Prepared::Upgraded),
        2 if is(&[TABLES, PINS, SEALED])? => Ok(Prepared::Upgraded),
        VERSION if is(&[TABLES, PINS, SEALED, RECORDS, MESSAGES_GONE])? => Ok(Prepared::Upgraded),
        VERSION if is(&[TABLES, PINS, SEALED, RECORDS, MESSAGES_GONE, EVENTS_GONE])? => Ok(Prepared::Current),
        _ => Err(changed()),
    }
}

/// Makes the tables in an empty file and brings those of an earlier version up to date.
pub(super) fn prepare(connection: &Connection) -> Result<(), LogError> {
    match recognize(connection)? {
        Prepared::New => make(connection),
        Prepared::Upgraded => Upgrade::of(connection)?.run(),
        Prepared::Current => Ok(()),
    }
}

fn make(connection: &Connection) -> Result<(), LogError> {
    let failed = |error: rusqlite::Error| store_error(&error);
    let transaction = connection.unchecked_transaction().map_err(failed)?;
    for statements in [TABLES, PINS, SEALED, RECORDS, MESSAGES_GONE, EVENTS_GONE] {
        transaction.execute_batch(statements).map_err(failed)?;
    }
    history::begin(&transaction, 0, 0)?;
    transaction.pragma_update(None, "user_version", VERSION).map_err(failed)?;
    transaction.commit().map_err(failed)
}

/// Looks through the small tables, and says where the log stands and which of their rows are not as they were written; those of
/// records and large values are looked at as they are read.
///
/// # Errors
/// When one of them is damaged as a whole.
pub(super) fn look_through(connection: &Connection) -> Result<(Standing, Vec<String>), LogError> {
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
    let list = SessionList::read(connection)?;
    let standing = Standing::with(connection, &list)?;
    check_sessions(connection, &standing)?;
    Ok((standing, [list.damaged, seal::damaged_pins(connection)?].concat()))
}

/// Whether there are as many sessions as there should be.
///
/// # Errors
/// When there are not, or that cannot be told.
pub(super) fn check_sessions(connection: &Connection, standing: &Standing) -> Result<(), LogError> {
    let sessions: i64 = connection
        .query_row("SELECT count(*) FROM sessions", [], |row| row.get(0))
        .map_err(|error| store_error(&error))?;
    let should = standing.sessions();
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

/// Its tables are others.
fn changed() -> LogError {
    LogError::Store(
        "the tables in its file are not those that Switchboard makes: the file is damaged, or another program has changed \
         it; restore a copy, or choose another folder with --data"
            .to_owned(),
    )
}
