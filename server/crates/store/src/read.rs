//! What is asked of the tables, inside a reader's transaction.
//!
//! A row is believed only when its checksum fits, and a range only when nothing is missing in it or behind it; all else
//! is [`LogError::Damaged`] with the first `seq` that is wrong. What is sound in front of it can be read.

use bytes::Bytes;
use rusqlite::{Connection, ErrorCode, OptionalExtension, Row, params};
use switchboard_protocol::SessionId;

use super::error::store_error;
use super::seal::{ENTRY_DAMAGED, LISTED_BY_ID, Listed};
use switchboard_accounts::Principal;
use switchboard_events::BlobHash;
use switchboard_events::LogError;
use switchboard_events::Retention;
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

/// Sessions that are kept no longer, the one that changed first first.
pub(super) fn expired(connection: &Connection, retention: &Retention, limit: u64) -> Result<Vec<SessionRow>, LogError> {
    // What was imported keeps the times of its events, and is as old as its import.
    let which = "WHERE id IN (
        SELECT id FROM (
            SELECT id, MAX(updated_at, created_at) AS last, ROW_NUMBER() OVER (PARTITION BY owner ORDER BY changed DESC) AS place
            FROM sessions WHERE owner <> ?4
        )
        WHERE (last < ?1 OR place > ?2)
          AND id NOT IN (SELECT session FROM pins) AND id NOT IN (SELECT session FROM open_messages)
    ) ORDER BY changed LIMIT ?3";
    let newest = retention.newest.map(signed);
    session_rows(
        connection,
        which,
        params![retention.changed_since, newest, signed(limit), Principal::importing().as_str()],
    )
}

/// Events after `after`: those in front of a damaged one, and the damage itself when it is the next.
pub(super) fn after(
    connection: &Connection,
    session: SessionId,
    after: u64,
    limit: u64,
) -> Result<Vec<StoredEvent>, LogError> {
    let end = end(connection, session)?;
    let (events, damage) =
        range(connection, session, after.saturating_add(1), end.last.min(after.saturating_add(limit)))?;
    match damage {
        Some(damage) if events.is_empty() => Err(damage),
        None if events.is_empty() && limit > 0 => end.whole(session).map(|()| events),
        _ => Ok(events),
    }
}

/// The last events before `before`, none of them damaged.
pub(super) fn before(
    connection: &Connection,
    session: SessionId,
    before: u64,
    limit: u64,
) -> Result<Vec<StoredEvent>, LogError> {
    let end = end(connection, session)?;
    let last = before.saturating_sub(1);
    if last > end.last {
        end.whole(session)?;
    }
    let last = last.min(end.last);
    match range(connection, session, last.saturating_sub(limit) + 1, last)? {
        (_, Some(damage)) => Err(damage),
        (events, None) => Ok(events),
    }
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

/// Where a session's log ends.
struct End {
    /// The last event that can be there.
    last: u64,
    /// What is wrong behind it: the row and the events do not say the same.
    wrong: Option<String>,
}

impl End {
    /// Whether nothing is wrong behind the last event.
    fn whole(&self, session: SessionId) -> Result<(), LogError> {
        match &self.wrong {
            None => Ok(()),
            Some(detail) => Err(LogError::Damaged { session, seq: self.last + 1, detail: detail.clone() }),
        }
    }
}

/// The session's last event, as its row and its events both say.
fn end(connection: &Connection, session: SessionId) -> Result<End, LogError> {
    let id = session.to_string();
    let row = connection
        .prepare_cached(LISTED_BY_ID)
        .and_then(|mut statement| statement.query_row([&id], Listed::of).optional())
        .map_err(|error| store_error(&error))?;
    let (listed, sound) = row.ok_or(LogError::UnknownSession(session))?;
    let said = u64::try_from(listed.last_seq).unwrap_or(0);
    let found = connection
        .prepare_cached("SELECT coalesce(max(seq), 0) FROM events WHERE session = ?1")
        .and_then(|mut statement| statement.query_row([&id], |row| row.get::<_, i64>(0)));
    let found = match found {
        Ok(found) => u64::try_from(found).unwrap_or(0),
        // Reading towards it tells where the damage is.
        Err(error) if is_damage(&error) => said,
        Err(error) => return Err(store_error(&error)),
    };
    let wrong = match sound {
        _ if said != found => Some(format!("the session has {said} events, but the last one found is {found}")),
        true => None,
        false => Some(ENTRY_DAMAGED.to_owned()),
    };
    Ok(End { last: said.min(found), wrong })
}

/// The events from `first` to `last`: every one of them, or those in front of the first damaged one, and what that is.
fn range(
    connection: &Connection,
    session: SessionId,
    first: u64,
    last: u64,
) -> Result<(Vec<StoredEvent>, Option<LogError>), LogError> {
    let mut events = Vec::new();
    if first > last {
        return Ok((events, None));
    }
    let text = session.to_string();
    let sql =
        "SELECT seq, at, frame, private, crc FROM events WHERE session = ?1 AND seq BETWEEN ?2 AND ?3 ORDER BY seq";
    let mut statement = connection.prepare_cached(sql).map_err(|error| store_error(&error))?;
    let mut rows = statement.query(params![text, signed(first), signed(last)]).map_err(|error| store_error(&error))?;
    for seq in first..=last {
        let found = match rows.next() {
            Ok(Some(row)) => event(row, &text, seq),
            Ok(None) => Err("it is missing".to_owned()),
            // SQLite sees damage of its own pages; then the events from here on cannot be read.
            Err(error) if is_damage(&error) => Err(error.to_string()),
            Err(error) => return Err(store_error(&error)),
        };
        match found {
            Ok(event) => events.push(event),
            Err(detail) => return Ok((events, Some(LogError::Damaged { session, seq, detail }))),
        }
    }
    Ok((events, None))
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

fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
}

fn session_rows(
    connection: &Connection,
    which: &str,
    parameters: impl rusqlite::Params,
) -> Result<Vec<SessionRow>, LogError> {
    let mut statement =
        connection.prepare_cached(&format!("{SESSION} {which}")).map_err(|error| store_error(&error))?;
    let rows = statement.query_map(parameters, session_row).map_err(|error| store_error(&error))?;
    let mut found = Vec::new();
    for row in rows {
        match row {
            Ok(row) => found.push(row),
            // It was reported at the start; the others can be read.
            Err(error) if error.sqlite_error_code().is_none() => {
                tracing::error!(%error, "an entry in the list of sessions is damaged");
            }
            Err(error) => return Err(store_error(&error)),
        }
    }
    Ok(found)
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
