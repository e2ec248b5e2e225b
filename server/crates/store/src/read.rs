//! What is asked of the list of sessions, and of large values, inside a reader's transaction.

use bytes::Bytes;
use rusqlite::{Connection, OptionalExtension, Row, params};
use switchboard_protocol::SessionId;

use super::error::store_error;
use super::seal::text;
use switchboard_accounts::Principal;
use switchboard_events::{BlobHash, ListPage, LogError, Retention, SessionRow};

const SESSION: &str = "SELECT id, owner, title, created_at, updated_at, last_seq, id IN (SELECT session FROM pins), changed FROM sessions";

/// One session, whoever owns it.
pub(super) fn session(connection: &Connection, session: SessionId) -> Result<Option<SessionRow>, LogError> {
    let rows = session_rows(connection, "WHERE id = ?1", [session.to_string()])?;
    Ok(rows.into_iter().next())
}

/// Those of these sessions that belong to `owner`, in this order.
pub(super) fn rows(
    connection: &Connection,
    owner: &Principal,
    sessions: &[SessionId],
) -> Result<Vec<SessionRow>, LogError> {
    let rows = sessions.iter().filter_map(|id| session(connection, *id).transpose());
    rows.filter(|row| row.as_ref().map_or(true, |row| row.owner == *owner)).collect()
}

/// The owner's sessions, the one that changed last first.
pub(super) fn list(connection: &Connection, owner: &Principal, page: &ListPage) -> Result<Vec<SessionRow>, LogError> {
    let &ListPage { pinned, behind, limit } = page;
    let which = match pinned {
        false => "WHERE owner = ?1 AND changed < ?2 ORDER BY changed DESC LIMIT ?3",
        true => "WHERE owner = ?1 AND changed < ?2 AND id IN (SELECT session FROM pins) ORDER BY changed DESC LIMIT ?3",
    };
    session_rows(connection, which, params![owner.as_str(), behind.map_or(i64::MAX, signed), signed(limit)])
}

/// Sessions with open messages, the one that changed first first.
pub(super) fn unfinished(connection: &Connection) -> Result<Vec<SessionRow>, LogError> {
    session_rows(connection, "WHERE open IS NOT NULL ORDER BY changed", [])
}

/// Sessions that are kept no longer, the one that changed first first.
pub(super) fn expired(connection: &Connection, retention: &Retention, limit: u64) -> Result<Vec<SessionRow>, LogError> {
    // What was imported keeps the times of its events, and is as old as its import.
    let which = "WHERE id IN (
        SELECT id FROM (
            SELECT id, MAX(updated_at, created_at) AS last, ROW_NUMBER() OVER (PARTITION BY owner ORDER BY changed DESC) AS place
            FROM sessions WHERE owner <> ?4
        )
        WHERE (last < ?1 OR place > ?2) AND id NOT IN (SELECT session FROM pins)
    ) AND open IS NULL ORDER BY changed LIMIT ?3";
    let newest = retention.newest.map(signed);
    session_rows(
        connection,
        which,
        params![retention.changed_since, newest, signed(limit), Principal::importing().as_str()],
    )
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
    let owner = text(row, 1)?.unwrap_or_default();
    let (last_seq, place): (i64, i64) = (row.get(5)?, row.get(7)?);
    Ok(SessionRow {
        session,
        owner: Principal::named(&owner),
        title: text(row, 2)?,
        created_at: text(row, 3)?.unwrap_or_default(),
        updated_at: text(row, 4)?.unwrap_or_default(),
        last_seq: u64::try_from(last_seq).unwrap_or(0),
        pinned: row.get(6)?,
        place: u64::try_from(place).unwrap_or(0),
    })
}

/// SQLite's integers have a sign; nothing that is counted here comes near their end.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
