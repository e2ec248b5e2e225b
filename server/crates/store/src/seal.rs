//! Checksums over the rows that are not events: those of the list, of open messages, of pins, and of the history.
//!
//! Every part goes in with its length, so that no byte can move from one to another unseen.

use rusqlite::{Connection, Row, params};

use super::error::store_error;
use switchboard_events::LogError;

/// What the list of sessions says of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Listed {
    pub(super) id: String,
    pub(super) owner: String,
    pub(super) title: Option<String>,
    pub(super) created_at: String,
    pub(super) updated_at: String,
    pub(super) last_seq: i64,
    pub(super) changed: i64,
}

/// Reads a [`Listed`].
pub(super) const LISTED_BY_ID: &str =
    "SELECT id, owner, title, created_at, updated_at, last_seq, changed, crc FROM sessions WHERE id = ?1";

/// Reads all of them.
const LISTED: &str = "SELECT id, owner, title, created_at, updated_at, last_seq, changed, crc FROM sessions";

/// What is said of a session whose entry in the list is not as it was written.
pub(super) const ENTRY_DAMAGED: &str = "its entry in the list of sessions is damaged";

impl Listed {
    /// The row, and whether its checksum is right.
    pub(super) fn of(row: &Row<'_>) -> rusqlite::Result<(Self, bool)> {
        let listed = Self {
            id: row.get(0)?,
            owner: row.get(1)?,
            title: row.get(2)?,
            created_at: row.get(3)?,
            updated_at: row.get(4)?,
            last_seq: row.get(5)?,
            changed: row.get(6)?,
        };
        let crc: Option<i64> = row.get(7)?;
        let sound = crc == Some(listed.crc());
        Ok((listed, sound))
    }

    pub(super) fn crc(&self) -> i64 {
        let title = self.title.as_deref();
        crc(
            &[Some(&self.id), Some(&self.owner), title, Some(&self.created_at), Some(&self.updated_at)],
            &[self.last_seq, self.changed],
        )
    }
}

pub(super) fn open_message(session: &str, message: &str, seq: i64) -> i64 {
    crc(&[Some(session), Some(message)], &[seq])
}

pub(super) fn pin(session: &str) -> i64 {
    crc(&[Some(session)], &[])
}

pub(super) fn history(generation: &str, entries: i64, chain: i64, sessions: i64) -> i64 {
    crc(&[Some(generation)], &[entries, chain, sessions])
}

fn crc(texts: &[Option<&str>], numbers: &[i64]) -> i64 {
    let mut hasher = crc32fast::Hasher::new();
    for text in texts {
        hasher.update(&text.map_or(u64::MAX, |text| text.len() as u64).to_le_bytes());
        hasher.update(text.unwrap_or_default().as_bytes());
    }
    for number in numbers {
        hasher.update(&number.to_le_bytes());
    }
    i64::from(hasher.finalize())
}

/// Gives every row its checksum: those of an earlier version have none.
pub(super) fn all(connection: &Connection) -> Result<(), LogError> {
    let failed = |error: rusqlite::Error| store_error(&error);
    for listed in rows(connection, LISTED, |row| Ok(Listed::of(row)?.0))? {
        let sql = "UPDATE sessions SET crc = ?2 WHERE id = ?1";
        connection.execute(sql, params![listed.id, listed.crc()]).map_err(failed)?;
    }
    for (session, message, seq) in rows(connection, "SELECT session, message_id, seq FROM open_messages", three)? {
        let sql = "UPDATE open_messages SET crc = ?3 WHERE session = ?1 AND message_id = ?2";
        connection.execute(sql, params![session, message, open_message(&session, &message, seq)]).map_err(failed)?;
    }
    for session in rows(connection, "SELECT session FROM pins", |row| row.get::<_, String>(0))? {
        connection
            .execute("UPDATE pins SET crc = ?2 WHERE session = ?1", params![session, pin(&session)])
            .map_err(failed)?;
    }
    Ok(())
}

/// What of these rows is not as it was written, as parts of a sentence.
pub(super) fn damaged(connection: &Connection) -> Result<Vec<String>, LogError> {
    let sessions = rows(connection, LISTED, |row| match Listed::of(row) {
        Ok((_, true)) => Ok(None),
        Ok((listed, false)) => Ok(Some(format!("the entry of session {} in the list", listed.id))),
        Err(error) => unreadable(error, "an entry in the list of sessions"),
    })?;
    let sql = "SELECT session, message_id, seq, crc FROM open_messages";
    let messages = rows(connection, sql, |row| match (three(row), row.get::<_, Option<i64>>(3)?) {
        (Ok((session, message, seq)), crc) if crc == Some(open_message(&session, &message, seq)) => Ok(None),
        (Ok((session, ..)), _) => Ok(Some(format!("a message of session {session} that waits"))),
        (Err(error), _) => unreadable(error, "a message that waits"),
    })?;
    let pins = rows(connection, "SELECT session, crc FROM pins", |row| match row.get::<_, String>(0) {
        Ok(session) if row.get::<_, Option<i64>>(1)? == Some(pin(&session)) => Ok(None),
        Ok(session) => Ok(Some(format!("the pin of session {session}"))),
        Err(error) => unreadable(error, "a pin"),
    })?;
    Ok(sessions.into_iter().chain(messages).chain(pins).flatten().collect())
}

/// A row that holds what cannot be there; all else is an error of the store.
fn unreadable(error: rusqlite::Error, what: &str) -> rusqlite::Result<Option<String>> {
    if error.sqlite_error_code().is_some() { Err(error) } else { Ok(Some(what.to_owned())) }
}

fn three(row: &Row<'_>) -> rusqlite::Result<(String, String, i64)> {
    Ok((row.get(0)?, row.get(1)?, row.get(2)?))
}

fn rows<T>(
    connection: &Connection,
    sql: &str,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>, LogError> {
    let mut statement = connection.prepare(sql).map_err(|error| store_error(&error))?;
    let rows = statement.query_map([], read).map_err(|error| store_error(&error))?;
    rows.collect::<Result<_, _>>().map_err(|error| store_error(&error))
}
