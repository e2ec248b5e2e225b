//! What one job does to the tables, inside the writer's transaction.
//!
//! An append first moves `sessions.last_seq` on, and only if it is what the append expects; so a refused append has
//! changed nothing, and one session has one writer.

use rusqlite::{Connection, OptionalExtension, params};
use switchboard_protocol::{MessageId, SessionId};

use super::error::store_error;
use super::history;
use super::queue::Work;
use super::read::checksum;
use super::seal::{self, ENTRY_DAMAGED, LISTED_BY_ID, Listed};
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
    let now = runtime::timestamp();
    let listed = Listed {
        id: session.to_string(),
        owner: owner.as_str().to_owned(),
        title: None,
        created_at: now.clone(),
        updated_at: now,
        last_seq: 0,
        changed: next_change(connection)?,
    };
    let made = execute(
        connection,
        "INSERT INTO sessions (id, owner, created_at, updated_at, last_seq, changed, crc)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (id) DO NOTHING",
        params![
            listed.id,
            listed.owner,
            listed.created_at,
            listed.updated_at,
            listed.last_seq,
            listed.changed,
            listed.crc()
        ],
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
    if pinned {
        let sql = "INSERT INTO pins (session, crc) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
        execute(connection, sql, params![id, seal::pin(&id)])?;
    } else {
        execute(connection, "DELETE FROM pins WHERE session = ?1", [id])?;
    }
    Ok(Some(SessionChange { session, owner, gone: false }))
}

fn hand_over(
    connection: &Connection,
    session: SessionId,
    owner: &Principal,
) -> Result<Option<SessionChange>, LogError> {
    let Some(mut listed) = listed(connection, session)? else { return Ok(None) };
    owner.as_str().clone_into(&mut listed.owner);
    relist(connection, listed)?;
    Ok(Some(SessionChange { session, owner: owner.clone(), gone: false }))
}

/// Removes what an earlier server was importing when it was cut off.
pub(super) fn forget_imports(connection: &Connection) -> Result<(), LogError> {
    // As one: a database with other sessions than it counts is taken for a damaged one.
    let transaction = connection.unchecked_transaction().map_err(|error| store_error(&error))?;
    let removed = execute(&transaction, "DELETE FROM sessions WHERE owner = ?1", [Principal::importing().as_str()])?;
    if removed > 0 {
        history::recount(&transaction)?;
    }
    transaction.commit().map_err(|error| store_error(&error))?;
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
    let owner = advance(connection, append)?;
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
fn advance(connection: &Connection, append: &Append) -> Result<Principal, LogError> {
    let Some(mut listed) = listed(connection, append.session)? else {
        return Err(LogError::UnknownSession(append.session));
    };
    let found = u64::try_from(listed.last_seq).unwrap_or(0);
    if found != append.expected {
        return Err(LogError::Conflict { session: append.session, expected: append.expected, found });
    }
    listed.last_seq += i64::try_from(append.events.len()).unwrap_or(i64::MAX);
    if let Some(event) = append.events.last() {
        listed.updated_at.clone_from(&event.at);
    }
    if append.title.is_some() {
        listed.title.clone_from(&append.title);
    }
    let owner = Principal::named(&listed.owner);
    relist(connection, listed)?;
    Ok(owner)
}

/// What the list says of a session, if it is there.
fn listed(connection: &Connection, session: SessionId) -> Result<Option<Listed>, LogError> {
    let found = connection
        .prepare_cached(LISTED_BY_ID)
        .and_then(|mut statement| statement.query_row([session.to_string()], Listed::of).optional());
    match found.map_err(|error| store_error(&error))? {
        Some((listed, true)) => Ok(Some(listed)),
        // Nothing is built upon what cannot be trusted.
        Some((listed, false)) => Err(LogError::Damaged {
            session,
            seq: u64::try_from(listed.last_seq).unwrap_or(0).saturating_add(1),
            detail: ENTRY_DAMAGED.to_owned(),
        }),
        None => Ok(None),
    }
}

/// Puts what the list says of a session back, as its last change.
fn relist(connection: &Connection, mut listed: Listed) -> Result<(), LogError> {
    listed.changed = next_change(connection)?;
    let sql = "UPDATE sessions SET owner = ?2, title = ?3, updated_at = ?4, last_seq = ?5, changed = ?6, crc = ?7
               WHERE id = ?1";
    let Listed { id, owner, title, updated_at, last_seq, changed, .. } = &listed;
    execute(connection, sql, params![id, owner, title, updated_at, last_seq, changed, listed.crc()]).map(drop)
}

fn next_change(connection: &Connection) -> Result<i64, LogError> {
    connection
        .prepare_cached("SELECT coalesce(max(changed), 0) + 1 FROM sessions")
        .and_then(|mut statement| statement.query_row([], |row| row.get(0)))
        .map_err(|error| store_error(&error))
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
    let sql = "INSERT INTO open_messages (session, message_id, seq, crc) VALUES (?1, ?2, ?3, ?4)
               ON CONFLICT (session, message_id) DO NOTHING";
    let seq = i64::try_from(seq).unwrap_or(i64::MAX);
    let crc = seal::open_message(session, message.as_str(), seq);
    execute(connection, sql, params![session, message.as_str(), seq, crc]).map(drop)
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
