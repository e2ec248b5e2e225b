//! What is asked of the tables, inside a reader's transaction.
//!
//! A row is believed only when its checksum fits, and a range only when nothing is missing in it or behind it; all else
//! is [`LogError::Damaged`] with the first `seq` that is wrong.

use bytes::Bytes;
use rusqlite::{Connection, OptionalExtension, Row, params};
use switchboard_protocol::SessionId;

use super::error::store_error;
use switchboard_accounts::Principal;
use switchboard_events::BlobHash;
use switchboard_events::LogError;
use switchboard_events::SessionRow;
use switchboard_events::StoredEvent;

const SESSION: &str =
    "SELECT id, owner, title, created_at, updated_at, last_seq, id IN (SELECT session FROM pins) FROM sessions";

/// One session, whoever owns it.
pub(super) fn session(connection: &Connection, session: SessionId) -> Result<Option<SessionRow>, LogError> {
    let rows = session_rows(connection, "WHERE id = ?1", [session.to_string()])?;
    Ok(rows.into_iter().next())
}

/// The owner's sessions, the one that changed last first.
pub(super) fn sessions(
    connection: &Connection,
    owner: &Principal,
    offset: u64,
    limit: u64,
) -> Result<Vec<SessionRow>, LogError> {
    let page = params![owner.as_str(), signed(limit), signed(offset)];
    session_rows(connection, "WHERE owner = ?1 ORDER BY changed DESC LIMIT ?2 OFFSET ?3", page)
}

/// The owner's pinned sessions, the one that changed last first.
pub(super) fn pinned(connection: &Connection, owner: &Principal, limit: u64) -> Result<Vec<SessionRow>, LogError> {
    let which = "WHERE owner = ?1 AND id IN (SELECT session FROM pins) ORDER BY changed DESC LIMIT ?2";
    session_rows(connection, which, params![owner.as_str(), signed(limit)])
}

/// Sessions with open messages, the one that changed first first.
pub(super) fn unfinished(connection: &Connection) -> Result<Vec<SessionRow>, LogError> {
    session_rows(connection, "WHERE id IN (SELECT session FROM open_messages) ORDER BY changed", [])
}

/// Events after `after`.
pub(super) fn after(
    connection: &Connection,
    session: SessionId,
    after: u64,
    limit: u64,
) -> Result<Vec<StoredEvent>, LogError> {
    let last = last_seq(connection, session)?;
    range(connection, session, after.saturating_add(1), last.min(after.saturating_add(limit)))
}

/// The last events before `before`.
pub(super) fn before(
    connection: &Connection,
    session: SessionId,
    before: u64,
    limit: u64,
) -> Result<Vec<StoredEvent>, LogError> {
    let last = last_seq(connection, session)?.min(before.saturating_sub(1));
    range(connection, session, last.saturating_sub(limit) + 1, last)
}

/// A large value.
pub(super) fn blob(connection: &Connection, session: SessionId, hash: &BlobHash) -> Result<Option<Bytes>, LogError> {
    let bytes: Option<Vec<u8>> = connection
        .prepare_cached("SELECT bytes FROM blobs WHERE session = ?1 AND hash = ?2")
        .and_then(|mut statement| {
            statement.query_row(params![session.to_string(), hash.as_str()], |row| row.get(0)).optional()
        })
        .map_err(|error| store_error(&error))?;
    Ok(bytes.map(Bytes::from))
}

/// CRC32 over a row: every part with its length, so that no byte can move from one to another unseen.
pub(super) fn checksum(session: &str, seq: u64, at: &str, frame: &str, private: Option<&str>) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&seq.to_le_bytes());
    for part in [Some(session), Some(at), Some(frame), private].into_iter().flatten() {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize()
}

/// The session's last event, as its row and its events both say.
fn last_seq(connection: &Connection, session: SessionId) -> Result<u64, LogError> {
    let sql =
        "SELECT last_seq, (SELECT coalesce(max(seq), 0) FROM events WHERE session = ?1) FROM sessions WHERE id = ?1";
    let (said, found): (i64, i64) = connection
        .prepare_cached(sql)
        .and_then(|mut statement| {
            statement.query_row([session.to_string()], |row| Ok((row.get(0)?, row.get(1)?))).optional()
        })
        .map_err(|error| store_error(&error))?
        .ok_or(LogError::UnknownSession(session))?;
    let (said, found) = (u64::try_from(said).unwrap_or(0), u64::try_from(found).unwrap_or(0));
    if said != found {
        let detail = format!("the session has {said} events, but the last one found is {found}");
        return Err(LogError::Damaged { session, seq: said.min(found) + 1, detail });
    }
    Ok(said)
}

/// The events from `first` to `last`, every one of them.
fn range(connection: &Connection, session: SessionId, first: u64, last: u64) -> Result<Vec<StoredEvent>, LogError> {
    if first > last {
        return Ok(Vec::new());
    }
    let mut next = first;
    let damaged = |seq: u64, detail: String| LogError::Damaged { session, seq, detail };
    let text = session.to_string();
    let sql =
        "SELECT seq, at, frame, private, crc FROM events WHERE session = ?1 AND seq BETWEEN ?2 AND ?3 ORDER BY seq";
    let mut statement = connection.prepare_cached(sql).map_err(|error| store_error(&error))?;
    let mut rows = statement.query(params![text, signed(first), signed(last)]).map_err(|error| store_error(&error))?;
    let mut events = Vec::new();
    while next <= last {
        let row = rows.next().map_err(|error| damage_or_failure(session, next, &error))?;
        let Some(row) = row else { return Err(damaged(next, "it is missing".to_owned())) };
        let event = event(row, &text, next).map_err(|detail| damaged(next, detail))?;
        events.push(event);
        next += 1;
    }
    Ok(events)
}

/// The row as the event `expected`, or what is wrong with it.
fn event(row: &Row<'_>, session: &str, expected: u64) -> Result<StoredEvent, String> {
    let unreadable = |error: rusqlite::Error| format!("it cannot be read: {error}");
    let seq: i64 = row.get(0).map_err(unreadable)?;
    if u64::try_from(seq) != Ok(expected) {
        return Err("it is missing".to_owned());
    }
    let at: String = row.get(1).map_err(unreadable)?;
    let frame: std::sync::Arc<str> = row.get(2).map_err(unreadable)?;
    let private: Option<std::sync::Arc<str>> = row.get(3).map_err(unreadable)?;
    let crc: i64 = row.get(4).map_err(unreadable)?;
    if i64::from(checksum(session, expected, &at, &frame, private.as_deref())) != crc {
        return Err("its checksum does not match".to_owned());
    }
    Ok(StoredEvent { seq: expected, at, frame, private })
}

/// SQLite sees damage of its own pages; then the events from here on cannot be read.
fn damage_or_failure(session: SessionId, seq: u64, error: &rusqlite::Error) -> LogError {
    match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::DatabaseCorrupt | rusqlite::ErrorCode::NotADatabase) => {
            LogError::Damaged { session, seq, detail: error.to_string() }
        }
        _ => store_error(error),
    }
}

fn session_rows(
    connection: &Connection,
    which: &str,
    parameters: impl rusqlite::Params,
) -> Result<Vec<SessionRow>, LogError> {
    let mut statement =
        connection.prepare_cached(&format!("{SESSION} {which}")).map_err(|error| store_error(&error))?;
    let rows = statement.query_map(parameters, session_row).map_err(|error| store_error(&error))?;
    rows.collect::<Result<_, _>>().map_err(|error| store_error(&error))
}

/// A session's id as a column has it.
pub(super) fn session_id(text: &str, column: usize) -> rusqlite::Result<SessionId> {
    text.parse().map_err(|error: uuid::Error| {
        rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, Box::new(error))
    })
}

fn session_row(row: &Row<'_>) -> rusqlite::Result<SessionRow> {
    let id: String = row.get(0)?;
    let session = session_id(&id, 0)?;
    let owner: String = row.get(1)?;
    let last_seq: i64 = row.get(5)?;
    Ok(SessionRow {
        session,
        owner: Principal::named(&owner),
        title: row.get(2)?,
        created_at: row.get(3)?,
        updated_at: row.get(4)?,
        last_seq: u64::try_from(last_seq).unwrap_or(0),
        pinned: row.get(6)?,
    })
}

/// SQLite's integers have a sign; nothing that is counted here comes near their end.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
