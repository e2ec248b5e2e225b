//! Checksums over the rows that are not records: those of the list, of pins, and of the history.
//!
//! Every part goes in with its length, so that no byte can move from one to another unseen.

use rusqlite::{Connection, Row};

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
    /// Its place in the list: the last one is the one that changed last.
    pub(super) changed: i64,
    /// Under which its records are kept; no two sessions have the same.
    pub(super) number: i64,
    /// The messages that are open, as JSON; none if there are none.
    pub(super) open: Option<String>,
    /// The checksum of its last record, 0 if it has none.
    pub(super) chain: i64,
}

macro_rules! listed {
    () => {
        "SELECT id, owner, title, created_at, updated_at, last_seq, changed, number, open, chain, crc FROM sessions"
    };
}

/// Reads all [`Listed`].
pub(super) const LISTED: &str = listed!();

/// Reads one of them.
pub(super) const LISTED_BY_ID: &str = concat!(listed!(), " WHERE id = ?1");

/// Reads one of them by its name as bytes, which may be no text.
pub(super) const LISTED_BY_BYTES: &str = concat!(listed!(), " WHERE id = CAST(?1 AS TEXT)");

/// Where their checksum is.
pub(super) const CRC: usize = 10;

/// What is said of a session whose entry in the list is not as it was written.
pub(super) const ENTRY_DAMAGED: &str = "its entry in the list of sessions is damaged";

impl Listed {
    /// The row, and whether its checksum is right. What cannot be read in it has become something else, and so its checksum
    /// is wrong.
    pub(super) fn of(row: &Row<'_>) -> rusqlite::Result<(Self, bool)> {
        let number = |column| row.get_ref(column).map(|value| value.as_i64().unwrap_or(0));
        let listed = Self {
            id: text(row, 0)?.unwrap_or_default(),
            owner: text(row, 1)?.unwrap_or_default(),
            title: text(row, 2)?,
            created_at: text(row, 3)?.unwrap_or_default(),
            updated_at: text(row, 4)?.unwrap_or_default(),
            last_seq: number(5)?,
            changed: number(6)?,
            number: number(7)?,
            open: text(row, 8)?,
            chain: number(9)?,
        };
        let crc: Option<i64> = row.get(CRC).unwrap_or(None);
        let sound = crc == Some(listed.crc());
        Ok((listed, sound))
    }

    pub(super) fn crc(&self) -> i64 {
        let Self { id, owner, title, created_at, updated_at, last_seq, changed, number, open, chain } = self;
        let texts = [Some(&**id), Some(owner), title.as_deref(), Some(created_at), Some(updated_at), open.as_deref()];
        crc(&texts, &[*last_seq, *changed, *number, *chain])
    }
}

/// A text, with other characters in the place of bytes that are none.
pub(super) fn text(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<String>> {
    let bytes = row.get_ref(column)?.as_bytes_or_null().unwrap_or_default();
    Ok(bytes.map(|bytes| String::from_utf8_lossy(bytes).into_owned()))
}

pub(super) fn pin(session: &str) -> i64 {
    crc(&[Some(session)], &[])
}

pub(super) fn history(generation: &str, entries: i64, chain: i64, sessions: i64) -> i64 {
    crc(&[Some(generation)], &[entries, chain, sessions])
}

pub(super) fn crc(texts: &[Option<&str>], numbers: &[i64]) -> i64 {
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

/// The pins that are not as they were written, as parts of a sentence.
pub(super) fn damaged_pins(connection: &Connection) -> Result<Vec<String>, LogError> {
    let pins = rows(connection, "SELECT session, crc FROM pins", |row| match row.get::<_, String>(0) {
        Ok(session) if row.get::<_, Option<i64>>(1)? == Some(pin(&session)) => Ok(None),
        Ok(session) => Ok(Some(format!("the pin of session {session}"))),
        Err(error) => unreadable(error, "a pin"),
    })?;
    Ok(pins.into_iter().flatten().collect())
}

/// A row that holds what cannot be there; all else is an error of the store.
fn unreadable(error: rusqlite::Error, what: &str) -> rusqlite::Result<Option<String>> {
    if error.sqlite_error_code().is_some() { Err(error) } else { Ok(Some(what.to_owned())) }
}

/// All rows of a question.
pub(super) fn rows<T>(
    connection: &Connection,
    sql: &str,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>, LogError> {
    let mut statement = connection.prepare(sql).map_err(|error| store_error(&error))?;
    let rows = statement.query_map([], read).map_err(|error| store_error(&error))?;
    rows.collect::<Result<_, _>>().map_err(|error| store_error(&error))
}
