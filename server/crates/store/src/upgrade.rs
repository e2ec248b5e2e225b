//! A log of version 1 or 2 becomes one of this version, in place. What is small is changed at once; events become records in
//! transactions of bounded size, each of which takes away what it has moved. So a server that is killed in the middle leaves a
//! file with which the next start goes on.
//!
//! What was damaged stays so: an event whose checksum was wrong gets one that is wrong, and an entry of the list none. Where
//! SQLite cannot read all of the events' table, nothing is taken away from it: that would need the pages beside the damaged
//! ones. What can be read is copied, each start anew.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Row, params};
use switchboard_events::{LogError, RawEvent, RecordWriter};
use switchboard_protocol::SessionId;

use super::error::{is_damage, store_error};
use super::history::{self, History, Standing};
use super::records::{self, RECORD_BYTES};
use super::seal::{self, CRC, LISTED_BY_ID, Listed};
use super::tables::{EVENTS_GONE, MESSAGES_GONE, PINS, RECORDS, SEALED, VERSION, version};

/// How much a transaction moves, about.
const BATCH: Size = Size { events: 5000, bytes: 4 * 1024 * 1024 };

/// How much a record has at most, unless one event alone has more.
const RECORD: Size = Size { events: 64, bytes: RECORD_BYTES };

#[derive(Debug, Clone, Copy)]
struct Size {
    events: usize,
    bytes: usize,
}

/// A log that is being brought up to date.
pub(super) struct Upgrade<'a> {
    connection: &'a Connection,
    batch: Size,
    /// Which session's events come next.
    next: Next,
    /// Where the log stands, once its list is of this version.
    standing: Option<(Standing, History)>,
    /// Whether events are taken away when they are records.
    takes_away: Option<bool>,
}

/// The sessions of the list, and then what belongs to none of them; each time from this name on.
#[derive(Debug)]
enum Next {
    Listed(String),
    Unlisted(String),
}

impl<'a> Upgrade<'a> {
    /// Of a file with tables of an earlier version, or with those that an upgrade left that was cut off.
    pub(super) fn of(connection: &'a Connection) -> Result<Self, LogError> {
        let found = version(connection)?;
        tracing::info!(found, to = VERSION, "the log is brought up to date; this may take a while");
        let next = Next::Listed(String::new());
        Ok(Self { connection, batch: BATCH, next, standing: None, takes_away: None })
    }

    /// Moves so many events at once.
    #[cfg(test)]
    pub(super) fn with_batches_of(self, events: usize) -> Self {
        Self { batch: Size { events, ..BATCH }, ..self }
    }

    /// Does all that is left.
    pub(super) fn run(mut self) -> Result<(), LogError> {
        // A row may belong to a session that is not in the list: that is damage, and stays what it is.
        self.execute("PRAGMA foreign_keys = OFF")?;
        while self.step()? {}
        self.execute("PRAGMA foreign_keys = ON")
    }

    /// Does a transaction's part of it; whether there is more.
    pub(super) fn step(&mut self) -> Result<bool, LogError> {
        if version(self.connection)? < VERSION {
            let transaction = self.connection.unchecked_transaction().map_err(failed)?;
            self.change_tables()?;
            transaction.commit().map_err(failed)?;
            return Ok(true);
        }
        let takes_away = match self.takes_away {
            Some(takes_away) => takes_away,
            None => *self.takes_away.insert(self.is_whole()?),
        };
        let (mut standing, history) = match self.standing.take() {
            Some(standing) => standing,
            None => {
                let standing = Standing::read(self.connection)?;
                let history = standing.history();
                (standing, history)
            }
        };
        // Before the transaction: SQLite refuses to write in one that has met with damage.
        let (moves, more) = self.read_batch(takes_away, &mut standing)?;
        let transaction = self.connection.unchecked_transaction().map_err(failed)?;
        for moved in moves {
            moved.write(&transaction, takes_away, &mut standing).map_err(failed)?;
        }
        standing.carry_on(&history, &transaction)?;
        self.standing = Some((standing, history));
        if !more && takes_away {
            self.execute(EVENTS_GONE)?;
        }
        transaction.commit().map_err(failed)?;
        Ok(more)
    }

    /// The tables of this version, with the list and the open messages in it.
    fn change_tables(&self) -> Result<(), LogError> {
        let connection = self.connection;
        let is_sealed = version(connection)? > 1;
        if !is_sealed {
            self.execute(PINS)?;
            self.execute(SEALED)?;
            for session in seal::rows(connection, "SELECT session FROM pins", |row| row.get::<_, String>(0))? {
                let sql = "UPDATE pins SET crc = ?2 WHERE session = ?1";
                connection.execute(sql, params![session, seal::pin(&session)]).map_err(failed)?;
            }
            let counts = "SELECT (SELECT count(*) FROM sessions), (SELECT coalesce(sum(last_seq), 0) FROM sessions)";
            let (sessions, events): (i64, i64) =
                connection.query_row(counts, [], |row| Ok((row.get(0)?, row.get(1)?))).map_err(failed)?;
            history::begin(connection, u64::try_from(sessions.saturating_add(events)).unwrap_or(0), sessions)?;
        }
        let history = history::of_version_2(connection)?;
        self.execute(RECORDS)?;
        let ids = seal::rows(connection, "SELECT id FROM sessions", |row| row.get::<_, String>(0))?;
        for (id, number) in ids.into_iter().zip(1..) {
            enter(connection, (&id, number), is_sealed)?;
        }
        let lost = "SELECT count(*) FROM open_messages WHERE session NOT IN (SELECT id FROM sessions)";
        let lost: i64 = connection.query_row(lost, [], |row| row.get(0)).map_err(failed)?;
        if lost > 0 {
            tracing::error!(lost, "the log is damaged: messages wait in sessions that are not in the list");
        }
        self.execute(MESSAGES_GONE)?;
        connection.pragma_update(None, "user_version", VERSION).map_err(failed)?;
        Standing::read(connection)?.carry_on(&history, connection)
    }

    /// Reads some events as records; whether there are more.
    fn read_batch(&mut self, takes_away: bool, standing: &mut Standing) -> Result<(Vec<Moved>, bool), LogError> {
        let (mut moves, mut left) = (Vec::new(), self.batch);
        while left.events > 0 && left.bytes > 0 {
            let Some(session) = self.next_session()? else {
                let is_over = matches!(self.next, Next::Unlisted(_));
                self.next = Next::Unlisted(String::new());
                return Ok((moves, !is_over));
            };
            let moved = Moved::read(self.connection, &session, (&mut left, takes_away), standing).map_err(failed)?;
            moves.push(moved);
            // Otherwise there may be more of it.
            if left.events > 0 && left.bytes > 0 {
                // The first name behind it.
                let (Next::Listed(from) | Next::Unlisted(from)) = &mut self.next;
                *from = format!("{session}\0");
            }
        }
        Ok((moves, true))
    }

    /// Whether SQLite can read all of the events' table.
    fn is_whole(&self) -> Result<bool, LogError> {
        let sql = "PRAGMA integrity_check('events')";
        let wrong = match self.connection.query_row(sql, [], |row| row.get::<_, String>(0)) {
            Ok(wrong) if wrong == "ok" => return Ok(true),
            Ok(wrong) => wrong,
            Err(error) if is_damage(&error) => error.to_string(),
            Err(error) => return Err(store_error(&error)),
        };
        tracing::error!(
            wrong,
            "pages with events of an earlier version are damaged; what can be read of them is taken over"
        );
        Ok(false)
    }

    /// The next session that may have events.
    fn next_session(&self) -> Result<Option<String>, LogError> {
        match &self.next {
            Next::Listed(from) => {
                self.found("SELECT id FROM sessions WHERE id >= ?1 ORDER BY id LIMIT 1", from).map_err(failed)
            }
            Next::Unlisted(from) => {
                match self.found("SELECT session FROM events WHERE session >= ?1 ORDER BY session LIMIT 1", from) {
                    Err(error) if is_damage(&error) => Ok(None),
                    found => found.map_err(failed),
                }
            }
        }
    }

    fn found(&self, sql: &str, from: &str) -> rusqlite::Result<Option<String>> {
        self.connection.prepare_cached(sql)?.query_row([from], |row| row.get(0)).optional()
    }

    fn execute(&self, sql: &str) -> Result<(), LogError> {
        self.connection.execute_batch(sql).map_err(failed)
    }
}

/// Gives a session's entry its number, its open messages and its checksum, which it lacks from now on if it had a wrong one.
fn enter(connection: &Connection, (id, number): (&str, i64), is_sealed: bool) -> Result<(), LogError> {
    let read = |row: &Row<'_>| Ok((Listed::of(row)?.0, row.get::<_, Option<i64>>(CRC)?));
    let (mut listed, crc) = connection.query_row(LISTED_BY_ID, [id], read).map_err(failed)?;
    let mut is_sound = !is_sealed || crc == Some(crc_of_version_2(&listed));
    let columns = if is_sealed { "message_id, seq, crc" } else { "message_id, seq, NULL" };
    let mut statement = connection
        .prepare_cached(&format!("SELECT {columns} FROM open_messages WHERE session = ?1 ORDER BY seq, message_id"))
        .map_err(failed)?;
    let mut rows = statement.query([id]).map_err(failed)?;
    let mut open: Vec<String> = Vec::new();
    while let Some(row) = rows.next().map_err(failed)? {
        let (Ok(message), Ok(seq), crc) = (row.get::<_, String>(0), row.get::<_, i64>(1), row.get(2).unwrap_or(None))
        else {
            is_sound = false;
            continue;
        };
        is_sound &= !is_sealed || crc == Some(seal::crc(&[Some(id), Some(&message)], &[seq]));
        open.push(message);
    }
    listed.number = number;
    listed.open = (!open.is_empty()).then(|| serde_json::json!(open).to_string());
    let crc = is_sound.then(|| listed.crc());
    let sql = "UPDATE sessions SET number = ?2, open = ?3, crc = ?4 WHERE id = ?1";
    connection.execute(sql, params![id, number, listed.open, crc]).map(drop).map_err(failed)
}

fn crc_of_version_2(listed: &Listed) -> i64 {
    let Listed { id, owner, title, created_at, updated_at, last_seq, changed, .. } = listed;
    let texts = [Some(&**id), Some(owner), title.as_deref(), Some(created_at), Some(updated_at)];
    seal::crc(&texts, &[*last_seq, *changed])
}

/// Some events of a session, as records.
struct Moved {
    session: String,
    /// What the list says of the session, if it is there, and whether that can be trusted.
    listed: Option<(Listed, bool)>,
    number: i64,
    /// The `seq` of the last event of each.
    records: Vec<(i64, Vec<u8>)>,
    chain: u32,
}

impl Moved {
    /// Reads the next events of a session, as far as that goes where they are not taken away.
    fn read(
        connection: &Connection,
        session: &str,
        (left, takes_away): (&mut Size, bool),
        standing: &mut Standing,
    ) -> rusqlite::Result<Self> {
        let listed = connection.prepare_cached(LISTED_BY_ID)?.query_row([session], Listed::of).optional()?;
        let (number, chain) = match &listed {
            Some((listed, _)) => (listed.number, u32::try_from(listed.chain).unwrap_or(0)),
            // What belongs to no session of the list is damage, and gets a number that no session has.
            None => (standing.take_number(), 0),
        };
        let mut moved = Self { session: session.to_owned(), listed, number, records: Vec::new(), chain };
        if moved.listed.is_none() && !takes_away {
            return Ok(moved);
        }
        // The name of a session that is not one is damage, and no checksum will fit what it has.
        let id = session.parse().unwrap_or_else(|_| SessionId::from_bytes([0; 16]));
        let sql = "SELECT seq, at, frame, private, crc FROM events WHERE session = ?1 AND seq > ?2 ORDER BY seq";
        let mut statement = connection.prepare_cached(sql)?;
        let mut rows = statement.query(params![session, records::last(connection, number)?.cast_signed()])?;
        let (mut writer, mut last): (Option<RecordWriter>, i64) = (None, 0);
        while left.events > 0 && left.bytes > 0 {
            let row = match rows.next() {
                Ok(Some(row)) => row,
                Ok(None) => break,
                Err(error) if !takes_away && is_damage(&error) => break,
                Err(error) => return Err(error),
            };
            let seq: i64 = row.get(0)?;
            if let Some(full) = writer.take_if(|writer| is_full(writer) || seq != last + 1) {
                moved.finish(last, full);
                if seq <= last {
                    // The order of the rows is damaged.
                    break;
                }
            }
            let writer = writer.get_or_insert_with(|| RecordWriter::new(id, seq.cast_unsigned(), moved.chain));
            let before = writer.text_bytes();
            push(writer, session, row)?;
            left.events -= 1;
            left.bytes = left.bytes.saturating_sub(writer.text_bytes() - before);
            last = seq;
        }
        if let Some(writer) = writer {
            moved.finish(last, writer);
        }
        Ok(moved)
    }

    fn finish(&mut self, last: i64, writer: RecordWriter) {
        let (record, checksum) = writer.finish();
        self.records.push((last, record));
        self.chain = checksum;
    }

    /// Writes them, and takes the events away.
    fn write(self, connection: &Connection, takes_away: bool, standing: &mut Standing) -> rusqlite::Result<()> {
        let Self { session, listed, number, records, chain } = self;
        let mut insert = connection.prepare_cached("INSERT INTO records (key, record) VALUES (?1, ?2)")?;
        for (last, record) in &records {
            insert.execute(params![records::key(number, last.cast_unsigned()), record])?;
        }
        if let Some((last, _)) = records.last().filter(|_| takes_away) {
            let sql = "DELETE FROM events WHERE session = ?1 AND seq <= ?2";
            connection.prepare_cached(sql)?.execute(params![session, last])?;
        }
        let Some((before, is_sound)) = listed else { return Ok(()) };
        let after = Listed { chain: i64::from(chain), ..before.clone() };
        if is_sound {
            standing.changed(&before, &after);
        }
        connection
            .prepare_cached("UPDATE sessions SET chain = ?2, crc = ?3 WHERE id = ?1")?
            .execute(params![session, after.chain, is_sound.then(|| after.crc())])
            .map(drop)
    }
}

fn is_full(writer: &RecordWriter) -> bool {
    writer.events() >= RECORD.events || writer.text_bytes() >= RECORD.bytes
}

/// Takes a row into a record as it is, and as sound as it is.
fn push(writer: &mut RecordWriter, session: &str, row: &Row<'_>) -> rusqlite::Result<()> {
    let (at, frame, private) = (row.get_ref(1)?, row.get_ref(2)?, row.get_ref(3)?);
    let private = if private == ValueRef::Null { None } else { Some(bytes(private)) };
    let event = RawEvent { at: bytes(at), frame: bytes(frame), private };
    let crc: Option<i64> = row.get(4).unwrap_or(None);
    let seq: i64 = row.get(0)?;
    writer.push(event, crc == Some(i64::from(crc_of_event(session, seq.cast_unsigned(), event))));
    Ok(())
}

fn bytes(value: ValueRef<'_>) -> &[u8] {
    match value {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes,
        ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) => &[],
    }
}

/// The checksum that version 1 and 2 gave an event.
fn crc_of_event(session: &str, seq: u64, event: RawEvent<'_>) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&seq.to_le_bytes());
    for part in [Some(session.as_bytes()), Some(event.at), Some(event.frame), event.private].into_iter().flatten() {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hasher.finalize()
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
fn failed(error: rusqlite::Error) -> LogError {
    store_error(&error)
}
