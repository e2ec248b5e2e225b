//! What one job does to the tables, inside the writer's transaction.
//!
//! An append first moves `sessions.last_seq` on, and only if it is what the append expects; so a refused append has
//! changed nothing, and one session has one writer.

use rusqlite::{Connection, OptionalExtension, params};
use switchboard_protocol::{MessageId, SessionId};

use super::error::store_error;
use super::queue::Work;
use super::read::checksum;
use switchboard_accounts::Principal;
use switchboard_events::Blob;
use switchboard_events::LogError;
use switchboard_events::{Append, EncodedEvent, SessionChange};
use switchboard_runtime as runtime;

/// Does it; what the list of sessions shows of it, once it is committed. Where there should have been a session
/// and was none, nothing.
pub(super) fn apply(
    connection: &Connection,
    max_sessions: Option<u64>,
    work: &Work,
) -> Result<Option<SessionChange>, LogError> {
    match work {
        Work::Create { session, owner } => {
            within(connection, max_sessions)?;
            create(connection, *session, owner)
        }
        Work::Append(work) => append(connection, work),
        Work::Pin { session, pinned } => pin(connection, *session, *pinned),
        Work::HandOver { session, owner } => hand_over(connection, *session, owner),
        Work::Delete { session } => {
            let owner =
                owner_of(connection, "DELETE FROM sessions WHERE id = ?1 RETURNING owner", [session.to_string()])?;
            Ok(owner.map(|owner| SessionChange { session: *session, owner, gone: true }))
        }
        Work::Check => check(connection).map(|()| None),
    }
}

/// Whether there may be one more session.
fn within(connection: &Connection, max_sessions: Option<u64>) -> Result<(), LogError> {
    let Some(most) = max_sessions else { return Ok(()) };
    let count = connection
        .prepare_cached("SELECT count(*) FROM sessions")
        .and_then(|mut statement| statement.query_row([], |row| row.get::<_, i64>(0)));
    match count.map_err(|error| store_error(&error))? {
        count if u64::try_from(count).is_ok_and(|count| count < most) => Ok(()),
        _ => Err(LogError::Limit(
            "there are as many sessions as there may be (--max-sessions); delete some that are no longer needed, or raise \
             the limit and start the server again",
        )),
    }
}

fn create(connection: &Connection, session: SessionId, owner: &Principal) -> Result<Option<SessionChange>, LogError> {
    let made = execute(
        connection,
        "INSERT INTO sessions (id, owner, created_at, updated_at, last_seq, changed)
         VALUES (?1, ?2, ?3, ?3, 0, (SELECT coalesce(max(changed), 0) + 1 FROM sessions)) ON CONFLICT (id) DO NOTHING",
        params![session.to_string(), owner.as_str(), runtime::timestamp()],
    )?;
    if made == 0 {
        return Err(LogError::Exists(session));
    }
    Ok(Some(SessionChange { session, owner: owner.clone(), gone: false }))
}

fn pin(connection: &Connection, session: SessionId, pinned: bool) -> Result<Option<SessionChange>, LogError> {
    let id = session.to_string();
    let Some(owner) = owner_of(connection, "SELECT owner FROM sessions WHERE id = ?1", [&id])? else {
        return Ok(None);
    };
    let sql = if pinned {
        "INSERT INTO pins VALUES (?1) ON CONFLICT DO NOTHING"
    } else {
        "DELETE FROM pins WHERE session = ?1"
    };
    execute(connection, sql, [id])?;
    Ok(Some(SessionChange { session, owner, gone: false }))
}

fn hand_over(
    connection: &Connection,
    session: SessionId,
    owner: &Principal,
) -> Result<Option<SessionChange>, LogError> {
    let sql = "UPDATE sessions SET owner = ?2, changed = (SELECT max(changed) + 1 FROM sessions) WHERE id = ?1";
    let changed = execute(connection, sql, params![session.to_string(), owner.as_str()])?;
    Ok((changed > 0).then(|| SessionChange { session, owner: owner.clone(), gone: false }))
}

/// Removes what an earlier server was importing when it was cut off.
pub(super) fn forget_imports(connection: &Connection) -> Result<(), LogError> {
    let removed = execute(connection, "DELETE FROM sessions WHERE owner = ?1", [Principal::importing().as_str()])?;
    if removed > 0 {
        tracing::warn!(
            removed,
            "sessions were being imported when the server ended; what there was of them is removed"
        );
    }
    Ok(())
}

fn append(connection: &Connection, append: &Append) -> Result<Option<SessionChange>, LogError> {
    let session = append.session.to_string();
    let owner = advance(connection, append, &session)?;
    let mut seq = append.expected;
    for event in &append.events {
        seq += 1;
        insert_event(connection, append.session, &session, seq, event)?;
    }
    for blob in &append.blobs {
        insert_blob(connection, &session, blob)?;
    }
    for message in &append.opened {
        open_message(connection, &session, message, seq)?;
    }
    for message in &append.closed {
        let sql = "DELETE FROM open_messages WHERE session = ?1 AND message_id = ?2";
        execute(connection, sql, params![session, message.as_str()])?;
    }
    Ok(append.is_listed().then_some(SessionChange { session: append.session, owner, gone: false }))
}

/// Moves the session on to the append's last event, or refuses; whose session it is.
fn advance(connection: &Connection, append: &Append, session: &str) -> Result<Principal, LogError> {
    let expected = i64::try_from(append.expected).unwrap_or(i64::MAX);
    let count = i64::try_from(append.events.len()).unwrap_or(i64::MAX);
    let moved = owner_of(
        connection,
        "UPDATE sessions SET last_seq = last_seq + ?3, updated_at = coalesce(?4, updated_at), title = coalesce(?5, title),
         changed = (SELECT max(changed) + 1 FROM sessions) WHERE id = ?1 AND last_seq = ?2 RETURNING owner",
        params![session, expected, count, append.events.last().map(|event| &event.at), append.title],
    )?;
    if let Some(owner) = moved {
        return Ok(owner);
    }
    let found = connection
        .prepare_cached("SELECT last_seq FROM sessions WHERE id = ?1")
        .and_then(|mut statement| statement.query_row([session], |row| row.get::<_, i64>(0)).optional())
        .map_err(|error| store_error(&error))?;
    Err(match found {
        None => LogError::UnknownSession(append.session),
        Some(found) => LogError::Conflict {
            session: append.session,
            expected: append.expected,
            found: u64::try_from(found).unwrap_or(0),
        },
    })
}

fn insert_event(
    connection: &Connection,
    id: SessionId,
    session: &str,
    seq: u64,
    event: &EncodedEvent,
) -> Result<(), LogError> {
    let crc = checksum(session, seq, &event.at, &event.frame, event.private.as_deref());
    let added = execute(
        connection,
        "INSERT INTO events (session, seq, at, frame, private, crc) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT (session, seq) DO NOTHING",
        params![
            session,
            i64::try_from(seq).unwrap_or(i64::MAX),
            event.at,
            &*event.frame,
            event.private.as_deref(),
            crc
        ],
    )?;
    if added == 0 {
        let detail = "there is an event where the next one belongs".to_owned();
        return Err(LogError::Damaged { session: id, seq, detail });
    }
    Ok(())
}

fn insert_blob(connection: &Connection, session: &str, blob: &Blob) -> Result<(), LogError> {
    let sql = "INSERT INTO blobs (session, hash, bytes) VALUES (?1, ?2, ?3) ON CONFLICT (session, hash) DO NOTHING";
    execute(connection, sql, params![session, blob.hash.as_str(), &blob.bytes[..]]).map(drop)
}

fn open_message(connection: &Connection, session: &str, message: &MessageId, seq: u64) -> Result<(), LogError> {
    let sql = "INSERT INTO open_messages (session, message_id, seq) VALUES (?1, ?2, ?3)
               ON CONFLICT (session, message_id) DO NOTHING";
    let seq = i64::try_from(seq).unwrap_or(i64::MAX);
    execute(connection, sql, params![session, message.as_str(), seq]).map(drop)
}

/// A real write that needs room: two pages are taken and given back.
fn check(connection: &Connection) -> Result<(), LogError> {
    execute(connection, "INSERT INTO probes (bytes) VALUES (zeroblob(8192))", [])?;
    execute(connection, "DELETE FROM probes", [])?;
    Ok(())
}

/// The owner of the one session that the statement changes or finds.
fn owner_of(
    connection: &Connection,
    sql: &str,
    parameters: impl rusqlite::Params,
) -> Result<Option<Principal>, LogError> {
    let changed = connection
        .prepare_cached(sql)
        .and_then(|mut statement| statement.query_row(parameters, |row| row.get::<_, String>(0)).optional());
    changed.map(|owner| owner.map(|owner| Principal::named(&owner))).map_err(|error| store_error(&error))
}

fn execute(connection: &Connection, sql: &str, parameters: impl rusqlite::Params) -> Result<usize, LogError> {
    connection
        .prepare_cached(sql)
        .and_then(|mut statement| statement.execute(parameters))
        .map_err(|error| store_error(&error))
}
