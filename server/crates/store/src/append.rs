//! What one job does to the tables, inside the writer's transaction.
//!
//! An append first moves `sessions.last_seq` on, and only if it is what the append expects; so a refused append has
//! changed nothing, and one session has one writer. Appends that follow one another are written as one: one record, one entry
//! of the list.

use rusqlite::{Connection, OptionalExtension, params};
use switchboard_protocol::{MessageId, SessionId};

use super::error::store_error;
use super::history::{Entry, Standing};
use super::listing::Listing;
use super::queue::Work;
use super::records::{self, RECORD_BYTES};
use super::seal::{self, CRC, ENTRY_DAMAGED, LISTED_BY_ID, Listed};
use switchboard_accounts::Principal;
use switchboard_events::{Append, Blob, LogError, RawEvent, RecordNotes, RecordWriter, SessionChange};
use switchboard_runtime as runtime;

/// Does it; what the list of sessions shows of it, once it is committed. Where there should have been a session
/// and was none, nothing.
pub(super) fn apply(
    connection: &Connection,
    max_sessions: Option<u64>,
    work: &Work,
    standing: &mut Standing,
) -> Result<Option<SessionChange>, LogError> {
    match work {
        Work::Create { session, owner } => {
            within(connection, max_sessions)?;
            create(connection, *session, owner, standing)
        }
        Work::Append(append) => {
            let owner = append_all(connection, &[append], standing)?;
            Ok(shown(append, &owner))
        }
        Work::Pin { session, pinned } => pin(connection, *session, *pinned, standing),
        Work::HandOver { session, owner } => hand_over(connection, *session, owner, standing),
        Work::Settle { session, listing } => settle(connection, *session, listing, standing),
        Work::Delete { session } => {
            let owner = delete(connection, &session.to_string(), standing)?;
            Ok(owner.map(|owner| SessionChange { session: *session, owner, gone: true }))
        }
        Work::Check => check(connection).map(|()| None),
    }
}

/// What the list of sessions shows of an append to a session of this owner.
pub(super) fn shown(append: &Append, owner: &Principal) -> Option<SessionChange> {
    append.is_listed().then(|| SessionChange { session: append.session, owner: owner.clone(), gone: false })
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

fn create(
    connection: &Connection,
    session: SessionId,
    owner: &Principal,
    standing: &mut Standing,
) -> Result<Option<SessionChange>, LogError> {
    if standing.next_number() > records::MAX_NUMBER {
        return Err(LogError::Limit(
            "no more sessions can be made in this data folder; choose another one with --data",
        ));
    }
    let now = runtime::timestamp();
    let listed = Listed {
        id: session.to_string(),
        owner: owner.as_str().to_owned(),
        title: None,
        created_at: now.clone(),
        updated_at: now,
        last_seq: 0,
        changed: standing.next_change(),
        number: standing.next_number(),
        open: None,
        chain: 0,
    };
    let made = execute(
        connection,
        "INSERT INTO sessions (id, owner, created_at, updated_at, last_seq, changed, number, chain, crc)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (id) DO NOTHING",
        params![
            listed.id,
            listed.owner,
            listed.created_at,
            listed.updated_at,
            listed.last_seq,
            listed.changed,
            listed.number,
            listed.chain,
            listed.crc()
        ],
    )?;
    if made == 0 {
        return Err(LogError::Exists(session));
    }
    standing.entered(&listed);
    Ok(Some(SessionChange { session, owner: owner.clone(), gone: false }))
}

fn pin(
    connection: &Connection,
    session: SessionId,
    pinned: bool,
    standing: &mut Standing,
) -> Result<Option<SessionChange>, LogError> {
    let id = session.to_string();
    let owner = connection
        .prepare_cached("SELECT owner FROM sessions WHERE id = ?1")
        .and_then(|mut statement| statement.query_row([&id], |row| row.get::<_, String>(0)).optional())
        .map_err(|error| store_error(&error))?;
    let Some(owner) = owner else { return Ok(None) };
    if pinned {
        let sql = "INSERT INTO pins (session, crc) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
        execute(connection, sql, params![id, seal::pin(&id)])?;
    } else {
        execute(connection, "DELETE FROM pins WHERE session = ?1", [&id])?;
    }
    standing.note(Entry::Pinned, &id);
    Ok(Some(SessionChange { session, owner: Principal::named(&owner), gone: false }))
}

fn hand_over(
    connection: &Connection,
    session: SessionId,
    owner: &Principal,
    standing: &mut Standing,
) -> Result<Option<SessionChange>, LogError> {
    let Some(before) = listed(connection, session)? else { return Ok(None) };
    let after = Listed { owner: owner.as_str().to_owned(), changed: standing.next_change(), ..before.clone() };
    relist(connection, &before, &after, standing)?;
    standing.note(Entry::HandedOver, &after.id);
    Ok(Some(SessionChange { session, owner: owner.clone(), gone: false }))
}

/// Gives a session that was carried over its entry, at the end of the list.
fn settle(
    connection: &Connection,
    session: SessionId,
    listing: &Listing,
    standing: &mut Standing,
) -> Result<Option<SessionChange>, LogError> {
    let Some(before) = listed(connection, session)? else { return Ok(None) };
    let Listing { owner, title, created_at, updated_at, last: _, pinned, open } = listing.clone();
    let open = (!open.is_empty()).then(|| serde_json::json!(open).to_string());
    let changed = standing.next_change();
    let owner = owner.as_str().to_owned();
    let after = Listed { owner, title, created_at, updated_at, open, changed, ..before.clone() };
    execute(connection, "UPDATE sessions SET created_at = ?2 WHERE id = ?1", params![after.id, after.created_at])?;
    relist(connection, &before, &after, standing)?;
    standing.note(Entry::HandedOver, &after.id);
    if pinned {
        pin(connection, session, true, standing)
    } else {
        Ok(Some(SessionChange { session, owner: listing.owner.clone(), gone: false }))
    }
}

/// Removes a session with all that belongs to it, also one whose entry is damaged; whose it was, if it was there.
fn delete(connection: &Connection, session: &str, standing: &mut Standing) -> Result<Option<Principal>, LogError> {
    let failed = |error: rusqlite::Error| store_error(&error);
    let found = connection
        .prepare_cached(LISTED_BY_ID)
        .and_then(|mut statement| {
            statement.query_row([session], |row| Ok((Listed::of(row)?, row.get(CRC).unwrap_or(0)))).optional()
        })
        .map_err(failed)?;
    let Some(((listed, is_sound), crc)) = found else { return Ok(None) };
    // The number in a damaged entry may be another session's.
    let numbers = if is_sound { vec![listed.number] } else { numbers_of_damaged(connection, session)? };
    execute(connection, "DELETE FROM sessions WHERE id = ?1", [session])?;
    for keys in numbers.into_iter().map(records::keys) {
        execute(connection, "DELETE FROM records WHERE key BETWEEN ?1 AND ?2", [keys.start(), keys.end()])?;
    }
    standing.removed(session, listed.last_seq, crc);
    Ok(Some(Principal::named(&listed.owner)))
}

/// Where the records are of a session whose entry is damaged.
fn numbers_of_damaged(connection: &Connection, session: &str) -> Result<Vec<i64>, LogError> {
    let sound = seal::rows(connection, seal::LISTED, |row| {
        let (listed, is_sound) = Listed::of(row)?;
        Ok(is_sound.then_some(listed.number))
    })?;
    let others = sound.into_iter().flatten().collect();
    records::numbers_of(connection, session, &others).map_err(|error| store_error(&error))
}

/// Removes what an earlier server was importing when it was cut off.
pub(super) fn forget_imports(connection: &Connection, standing: &mut Standing) -> Result<(), LogError> {
    // As one: a database with other sessions than it counts is taken for a damaged one.
    let transaction = connection.unchecked_transaction().map_err(|error| store_error(&error))?;
    let before = standing.clone();
    let sql = format!("SELECT id FROM sessions WHERE owner = '{}'", Principal::importing().as_str());
    let sessions = seal::rows(&transaction, &sql, |row| row.get::<_, String>(0))?;
    for session in &sessions {
        delete(&transaction, session, standing)?;
    }
    standing.save(&before, &transaction)?;
    transaction.commit().map_err(|error| store_error(&error))?;
    if !sessions.is_empty() {
        tracing::warn!(
            removed = sessions.len(),
            "sessions were being imported when the server ended; what there was of them is removed"
        );
    }
    Ok(())
}

/// Writes appends of one session, each of which expects what the one in front of it leaves, or none of them; whose session it
/// is.
pub(super) fn append_all(
    connection: &Connection,
    appends: &[&Append],
    standing: &mut Standing,
) -> Result<Principal, LogError> {
    let Some(&&Append { session, expected, .. }) = appends.first() else { return Err(LogError::Closed) };
    let Some(before) = listed(connection, session)? else { return Err(LogError::UnknownSession(session)) };
    let found = u64::try_from(before.last_seq).unwrap_or(0);
    if found != expected {
        return Err(LogError::Conflict { session, expected, found });
    }
    let mut after = before.clone();
    insert_records(connection, appends, &mut after)?;
    let mut notes = RecordNotes::default();
    appends.iter().for_each(|append| notes.add(append));
    if let Some(event) = appends.iter().rev().find_map(|append| append.events.last()) {
        after.updated_at.clone_from(&event.at);
    }
    after.open = opened(session, &before, &notes)?;
    if notes.title.is_some() {
        after.title = notes.title;
    }
    if appends.iter().any(|append| append.is_listed()) && !standing.is_newest(before.changed) {
        after.changed = standing.next_change();
    }
    for blob in appends.iter().flat_map(|append| &append.blobs) {
        insert_blob(connection, &before.id, blob)?;
    }
    relist(connection, &before, &after, standing)?;
    Ok(Principal::named(&after.owner))
}

/// The messages that are open then, as the list has them.
fn opened(session: SessionId, before: &Listed, notes: &RecordNotes) -> Result<Option<String>, LogError> {
    if notes.opened.is_empty() && notes.closed.is_empty() {
        return Ok(before.open.clone());
    }
    let open = before.open.as_deref().map(serde_json::from_str::<Vec<String>>).transpose();
    let mut open = open.map_err(|_| entry_damaged(session, before))?.unwrap_or_default();
    for message in notes.opened.iter().map(MessageId::as_str) {
        if !open.iter().any(|there| there == message) {
            open.push(message.to_owned());
        }
    }
    open.retain(|message| !notes.closed.iter().any(|closed| closed.as_str() == message));
    Ok((!open.is_empty()).then(|| serde_json::json!(open).to_string()))
}

/// What the list says of a session, if it is there.
pub(super) fn listed(connection: &Connection, session: SessionId) -> Result<Option<Listed>, LogError> {
    let found = connection
        .prepare_cached(LISTED_BY_ID)
        .and_then(|mut statement| statement.query_row([session.to_string()], Listed::of).optional());
    match found.map_err(|error| store_error(&error))? {
        Some((listed, true)) => Ok(Some(listed)),
        // Nothing is built upon what cannot be trusted.
        Some((listed, false)) => Err(entry_damaged(session, &listed)),
        None => Ok(None),
    }
}

pub(super) fn entry_damaged(session: SessionId, listed: &Listed) -> LogError {
    let seq = u64::try_from(listed.last_seq).unwrap_or(0).saturating_add(1);
    LogError::Damaged { session, seq, detail: ENTRY_DAMAGED.to_owned() }
}

/// Puts what the list says of a session back. What is sorted by is left alone if it is the same, and with it the index.
fn relist(connection: &Connection, before: &Listed, after: &Listed, standing: &mut Standing) -> Result<(), LogError> {
    let Listed { id, owner, title, updated_at, last_seq, changed, open, chain, .. } = after;
    if (owner, changed) != (&before.owner, &before.changed) {
        let sql = "UPDATE sessions SET owner = ?2, changed = ?3 WHERE id = ?1";
        execute(connection, sql, params![id, owner, changed])?;
    }
    let sql = "UPDATE sessions SET title = ?2, updated_at = ?3, last_seq = ?4, open = ?5, chain = ?6, crc = ?7
               WHERE id = ?1";
    execute(connection, sql, params![id, title, updated_at, last_seq, open, chain, after.crc()])?;
    standing.changed(before, after);
    Ok(())
}

/// Writes the events as a session's next record, or as several if they are large, if its last one ends where the list says.
/// The entry of the list moves on with them.
fn insert_records(connection: &Connection, appends: &[&Append], listed: &mut Listed) -> Result<(), LogError> {
    let Some(&&Append { session, expected, .. }) = appends.first() else { return Ok(()) };
    let last = records::last(connection, listed.number).map_err(|error| store_error(&error))?;
    if last != expected {
        return Err(LogError::Damaged {
            session,
            seq: last.min(expected) + 1,
            detail: format!("the session has {expected} events, but the last one found is {last}"),
        });
    }
    let mut last = last;
    let next = |listed: &Listed, last| RecordWriter::new(session, last + 1, u32::try_from(listed.chain).unwrap_or(0));
    let mut record = next(listed, last);
    for append in appends {
        for event in append.events.iter().map(RawEvent::of) {
            if record.events() > 0 && record.text_bytes() + event.bytes() > RECORD_BYTES {
                insert_record(connection, listed, last, record)?;
                record = next(listed, last);
            }
            record.push(event, true);
            last += 1;
        }
        record.note(append);
    }
    if record.events() > 0 {
        insert_record(connection, listed, last, record)?;
    }
    Ok(())
}

fn insert_record(
    connection: &Connection,
    listed: &mut Listed,
    last: u64,
    record: RecordWriter,
) -> Result<(), LogError> {
    if last > u64::from(u32::MAX) {
        return Err(LogError::Limit("a session has as many events as it may have; go on in another one"));
    }
    let (record, checksum) = record.finish();
    let sql = "INSERT INTO records (key, record) VALUES (?1, ?2)";
    execute(connection, sql, params![records::key(listed.number, last), record])?;
    listed.last_seq = i64::try_from(last).unwrap_or(i64::MAX);
    listed.chain = i64::from(checksum);
    Ok(())
}

fn insert_blob(connection: &Connection, session: &str, blob: &Blob) -> Result<(), LogError> {
    let sql = "INSERT INTO blobs (session, hash, bytes) VALUES (?1, ?2, ?3) ON CONFLICT (session, hash) DO NOTHING";
    execute(connection, sql, params![session, blob.hash.as_str(), &blob.bytes[..]]).map(drop)
}

/// A real write that needs room: two pages are taken and given back.
fn check(connection: &Connection) -> Result<(), LogError> {
    execute(connection, "INSERT INTO probes (bytes) VALUES (zeroblob(8192))", [])?;
    execute(connection, "DELETE FROM probes", [])?;
    Ok(())
}

fn execute(connection: &Connection, sql: &str, parameters: impl rusqlite::Params) -> Result<usize, LogError> {
    connection
        .prepare_cached(sql)
        .and_then(|mut statement| statement.execute(parameters))
        .map_err(|error| store_error(&error))
}
