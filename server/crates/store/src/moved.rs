//! Events of an earlier version become records of this one: some of a session at once, each as sound as it was.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Row, params};
use switchboard_events::{RawEvent, RecordWriter};
use switchboard_protocol::SessionId;

use super::error::is_damage;
use super::history::Standing;
use super::records::{self, RECORD_BYTES};
use super::seal::{LISTED_BY_BYTES, Listed};

/// How much of something.
#[derive(Debug, Clone, Copy)]
pub(super) struct Size {
    pub(super) events: usize,
    pub(super) bytes: usize,
}

/// How much a record has at most, unless one event alone has more.
const RECORD: Size = Size { events: 64, bytes: RECORD_BYTES };

/// Some events of a session, as records.
pub(super) struct Moved {
    /// Its name, which may be no text.
    session: Vec<u8>,
    /// What the list says of the session, if it is there, and whether that can be trusted.
    listed: Option<(Listed, bool)>,
    number: i64,
    /// The `seq` of the last event of each.
    pub(super) records: Vec<(i64, Vec<u8>)>,
    chain: u32,
}

impl Moved {
    /// Reads the next events of a session, as far as that goes where they are not taken away.
    pub(super) fn read(
        connection: &Connection,
        session: &[u8],
        (left, takes_away): (&mut Size, bool),
        standing: &mut Standing,
    ) -> rusqlite::Result<Self> {
        let listed = connection.prepare_cached(LISTED_BY_BYTES)?.query_row([session], Listed::of).optional()?;
        let (number, chain) = match &listed {
            Some((listed, _)) => (listed.number, u32::try_from(listed.chain).unwrap_or(0)),
            // What belongs to no session of the list is damage, and gets a number that no session has.
            None => (standing.take_number(), 0),
        };
        let mut moved = Self { session: session.to_vec(), listed, number, records: Vec::new(), chain };
        if moved.listed.is_none() && !takes_away {
            return Ok(moved);
        }
        // The name of a session that is not one is damage, and no checksum will fit what it has.
        let id = str::from_utf8(session)
            .ok()
            .and_then(|name| name.parse().ok())
            .unwrap_or_else(|| SessionId::from_bytes([0; 16]));
        let sql = "SELECT seq, at, frame, private, crc FROM events WHERE session = CAST(?1 AS TEXT) AND seq > ?2 ORDER BY seq";
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
    pub(super) fn write(
        self,
        connection: &Connection,
        takes_away: bool,
        standing: &mut Standing,
    ) -> rusqlite::Result<()> {
        let Self { session, listed, number, records, chain } = self;
        let Some(&(last, _)) = records.last() else { return Ok(()) };
        let mut insert = connection.prepare_cached("INSERT INTO records (key, record) VALUES (?1, ?2)")?;
        for (last, record) in &records {
            insert.execute(params![records::key(number, last.cast_unsigned()), record])?;
        }
        if takes_away {
            let sql = "DELETE FROM events WHERE session = CAST(?1 AS TEXT) AND seq <= ?2";
            connection.prepare_cached(sql)?.execute(params![session, last])?;
        }
        let Some((before, is_sound)) = listed else { return Ok(()) };
        let after = Listed { chain: i64::from(chain), ..before.clone() };
        if is_sound {
            standing.changed(&before, &after);
        }
        connection
            .prepare_cached("UPDATE sessions SET chain = ?2, crc = ?3 WHERE id = CAST(?1 AS TEXT)")?
            .execute(params![session, after.chain, is_sound.then(|| after.crc())])
            .map(drop)
    }
}

fn is_full(writer: &RecordWriter) -> bool {
    writer.events() >= RECORD.events || writer.text_bytes() >= RECORD.bytes
}

/// Takes a row into a record as it is, and as sound as it is.
fn push(writer: &mut RecordWriter, session: &[u8], row: &Row<'_>) -> rusqlite::Result<()> {
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
fn crc_of_event(session: &[u8], seq: u64, event: RawEvent<'_>) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&seq.to_le_bytes());
    for part in [Some(session), Some(event.at), Some(event.frame), event.private].into_iter().flatten() {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hasher.finalize()
}
