//! Events, read from the records that hold them, inside a reader's transaction.
//!
//! A record is believed only when its checksum fits and it follows the one in front of it, an event only when its own fits, and a
//! range only when nothing is missing in it or behind it; all else is [`LogError::Damaged`] with the first `seq` that is wrong.
//! What is sound in front of it can be read.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use rusqlite::{Connection, OptionalExtension, Row};
use switchboard_events::{LogError, Record, RecordDamage, RecordNotes, StoredEvent};
use switchboard_protocol::SessionId;

use super::error::{is_damage, store_error};
use super::seal::{ENTRY_DAMAGED, LISTED_BY_ID, Listed};

/// How much text a record has at most, unless one event alone has more: a reader of one event has all of its record read. What one
/// append wrote beyond that is in the next record, and as durable as the first.
pub(super) const RECORD_BYTES: usize = 64 * 1024;

/// The highest number that a session can have.
pub(super) const MAX_NUMBER: i64 = (1 << 30) - 1;

/// The keys that the records of a session can have.
pub(super) fn keys(number: i64) -> RangeInclusive<i64> {
    key(number, 0)..=key(number, u64::from(u32::MAX))
}

/// Under which a record is kept: the number of its session, and its last event.
pub(super) fn key(number: i64, last: u64) -> i64 {
    (number << 32) | i64::from(u32::try_from(last).unwrap_or(u32::MAX))
}

/// The last event of the record with this key.
pub(super) fn last_of(key: i64) -> u64 {
    u64::from(key.cast_unsigned() as u32)
}

/// The last number that a record has, also if it is of no session; 0 if there are none. One that no session comes to have is
/// damage.
pub(super) fn last_number(connection: &Connection) -> Result<i64, LogError> {
    let sql = "SELECT coalesce(max(key), 0) FROM records WHERE key <= ?1";
    let last = connection.query_row(sql, [keys(MAX_NUMBER).end()], |row| row.get::<_, i64>(0));
    match last {
        Ok(key) => Ok(key >> 32),
        Err(error) => Err(store_error(&error)),
    }
}

/// Events after `after`: those in front of a damaged one, and the damage itself when it is the next.
pub(super) fn after(
    connection: &Connection,
    session: SessionId,
    after: u64,
    limit: u64,
) -> Result<Vec<StoredEvent>, LogError> {
    let end = end(connection, session)?;
    let wanted = (after.saturating_add(1), end.last.min(after.saturating_add(limit)));
    let (events, damage) = range(connection, session, wanted, &end)?;
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
    match range(connection, session, (last.saturating_sub(limit) + 1, last), &end)? {
        (_, Some(damage)) => Err(damage),
        (events, None) => Ok(events),
    }
}

/// What the records say beside their events that end behind `after` and not behind `last`, each with its last event.
#[cfg_attr(not(feature = "nats"), expect(dead_code, reason = "only a migration asks for them"))]
pub(super) fn notes(
    connection: &Connection,
    (session, number): (SessionId, i64),
    (after, last): (u64, u64),
) -> Result<Vec<(u64, RecordNotes)>, LogError> {
    let sql = "SELECT key, record FROM records WHERE key > ?1 AND key <= ?2 ORDER BY key";
    let mut statement = connection.prepare_cached(sql).map_err(|error| store_error(&error))?;
    let rows = statement.query_map([key(number, after), key(number, last)], |row| {
        let bytes = row.get_ref(1)?.as_blob()?;
        Ok((last_of(row.get(0)?), Record::decode(bytes).and_then(|record| record.notes())))
    });
    let rows = rows.and_then(Iterator::collect::<rusqlite::Result<Vec<_>>>).map_err(|error| store_error(&error))?;
    let damaged = |seq, damage: RecordDamage| LogError::Damaged { session, seq, detail: damage.to_string() };
    rows.into_iter().map(|(last, notes)| Ok((last, notes.map_err(|damage| damaged(last, damage))?))).collect()
}

/// The last event that the records with this number have; 0 if there are none.
pub(super) fn last(connection: &Connection, number: i64) -> rusqlite::Result<u64> {
    let keys = keys(number);
    connection
        .prepare_cached("SELECT max(key) FROM records WHERE key BETWEEN ?1 AND ?2")?
        .query_row([keys.start(), keys.end()], |row| row.get::<_, Option<i64>>(0))
        .map(|key| key.map_or(0, last_of))
}

/// The numbers under which records of this session are, by what those say themselves; `others` are those of other sessions.
pub(super) fn numbers_of(connection: &Connection, session: &str, others: &HashSet<i64>) -> rusqlite::Result<Vec<i64>> {
    let mut next = connection.prepare("SELECT min(key) FROM records WHERE key > ?1")?;
    let mut records = connection.prepare("SELECT record FROM records WHERE key BETWEEN ?1 AND ?2 ORDER BY key")?;
    let (mut numbers, mut behind) = (Vec::new(), i64::MIN);
    while let Some(key) = next.query_row([behind], |row| row.get::<_, Option<i64>>(0))? {
        let number = key >> 32;
        let keys = keys(number);
        behind = *keys.end();
        if others.contains(&number) {
            continue;
        }
        let mut rows = records.query([keys.start(), keys.end()])?;
        while let Some(row) = rows.next()? {
            // The first one that can be read says whose they are.
            let Ok(record) =
                row.get_ref(0)?.as_blob().map_err(drop).and_then(|bytes| Record::decode(bytes).map_err(drop))
            else {
                continue;
            };
            if record.session().to_string() == session {
                numbers.push(number);
            }
            break;
        }
    }
    Ok(numbers)
}

/// Where a session's log ends.
struct End {
    /// The number of its records.
    number: i64,
    /// The last event that can be there.
    last: u64,
    /// The checksum of the last record, if that can be trusted.
    chain: Option<u32>,
    /// What is wrong behind it: the list and the records do not say the same.
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

/// The session's last event, as the list and its records both say.
fn end(connection: &Connection, session: SessionId) -> Result<End, LogError> {
    let row = connection
        .prepare_cached(LISTED_BY_ID)
        .and_then(|mut statement| statement.query_row([session.to_string()], Listed::of).optional())
        .map_err(|error| store_error(&error))?;
    let (listed, sound) = row.ok_or(LogError::UnknownSession(session))?;
    let said = u64::try_from(listed.last_seq).unwrap_or(0);
    let found = match last(connection, listed.number) {
        Ok(found) => found,
        // Reading towards it tells where the damage is.
        Err(error) if is_damage(&error) => said,
        Err(error) => return Err(store_error(&error)),
    };
    let wrong = match sound {
        _ if said != found => Some(format!("the session has {said} events, but the last one found is {found}")),
        true => None,
        false => Some(ENTRY_DAMAGED.to_owned()),
    };
    let chain = if wrong.is_none() { u32::try_from(listed.chain).ok() } else { None };
    Ok(End { number: listed.number, last: said.min(found), chain, wrong })
}

/// The events from `first` to `last`: every one of them, or those in front of the first damaged one, and what that is.
fn range(
    connection: &Connection,
    session: SessionId,
    (first, last): (u64, u64),
    end: &End,
) -> Result<(Vec<StoredEvent>, Option<LogError>), LogError> {
    let mut events = Vec::new();
    if first > last {
        return Ok((events, None));
    }
    // Together with the record in front: the first one must follow it.
    let sql = "SELECT key, record FROM records WHERE key BETWEEN ?1 AND ?2 ORDER BY key";
    let mut statement = connection.prepare_cached(sql).map_err(|error| store_error(&error))?;
    let keys = [key(end.number, (first - 1).max(1)), *keys(end.number).end()];
    let mut rows = statement.query(keys).map_err(|error| store_error(&error))?;
    let mut reading = Reading { session, next: first, last, before: None, end };
    while reading.next <= last {
        let read = match rows.next() {
            Ok(Some(row)) => reading.take(row, &mut events),
            Ok(None) => Err("it is missing".to_owned()),
            // SQLite sees damage of its own pages; then the events from here on cannot be read.
            Err(error) if is_damage(&error) => Err(error.to_string()),
            Err(error) => return Err(store_error(&error)),
        };
        if let Err(detail) = read {
            return Ok((events, Some(LogError::Damaged { session, seq: reading.next, detail })));
        }
    }
    Ok((events, None))
}

/// How far a range is read.
struct Reading<'a> {
    session: SessionId,
    /// The event that comes next.
    next: u64,
    last: u64,
    /// The last event of the record in front, and its checksum.
    before: Option<(u64, u32)>,
    end: &'a End,
}

impl Reading<'_> {
    /// Takes what a record has of the range, or says what is wrong with the next event.
    fn take(&mut self, row: &Row<'_>, events: &mut Vec<StoredEvent>) -> Result<(), String> {
        let unreadable = |error: rusqlite::Error| format!("it cannot be read: {error}");
        let last = last_of(row.get(0).map_err(unreadable)?);
        let bytes =
            row.get_ref(1).map_err(unreadable)?.as_blob().map_err(|error| format!("it cannot be read: {error}"))?;
        let decoded = Record::decode(bytes);
        if last < self.next {
            // Only what follows it is asked for.
            self.before = decoded.ok().map(|record| (last, record.checksum()));
            return Ok(());
        }
        let record = decoded.map_err(|damage| damage.to_string())?;
        self.check(&record, last)?;
        while self.next <= last.min(self.last) {
            let event = record.event(self.next).map_err(|damage| damage.to_string())?;
            events.push(event.stored(self.next));
            self.next += 1;
        }
        self.before = Some((last, record.checksum()));
        Ok(())
    }

    /// Whether it is the record that belongs here.
    fn check(&self, record: &Record<'_>, last: u64) -> Result<(), String> {
        if record.first() > self.next {
            return Err("it is missing".to_owned());
        }
        let follows = match self.before {
            _ if record.first() == 1 => record.previous() == 0 && self.before.is_none(),
            Some((before, checksum)) => record.first() == before + 1 && record.previous() == checksum,
            None => true,
        };
        if !follows || record.session() != self.session || record.last() != last {
            return Err("its record is another one's".to_owned());
        }
        if last == self.end.last && self.end.chain.is_some_and(|chain| chain != record.checksum()) {
            return Err("its record is not the one that the list of sessions knows".to_owned());
        }
        Ok(())
    }
}
