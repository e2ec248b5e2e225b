//! How far the log has come, so that it can be compared with the mark beside it.
//!
//! What a session has gained stands in its entry of the list, which a commit writes anyway. A row of its own holds the rest, and
//! changes only when sessions are made, pinned, handed over or deleted. Both together are read at the start; from then on the
//! writer knows them.

use std::sync::Arc;

use rusqlite::{Connection, params};
use uuid::Uuid;

use super::error::store_error;
use super::records;
use super::seal::{self, CRC, LISTED, Listed};
use switchboard_events::LogError;

/// Which history a log has, and how far it has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct History {
    /// Changes when something was lost, so that the numbers of lost events can be used again without being mistaken.
    pub(super) generation: Arc<str>,
    /// How many events were ever written, and how often sessions were made, pinned, handed over or deleted.
    pub(super) entries: u64,
    /// A checksum over all that they came to.
    pub(super) chain: u32,
}

/// What is done to a session and is no event.
#[derive(Debug, Clone, Copy)]
pub(super) enum Entry {
    Made = 1,
    Pinned = 2,
    HandedOver = 3,
    Deleted = 4,
}

/// Where the log stands between two commits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Standing {
    row: HistoryRow,
    /// How many events the sessions of the list have.
    events: u64,
    /// The checksums of their entries, put together.
    listed: u32,
    /// The last place in the list.
    newest: i64,
    /// The last number that a session or a record has.
    last_number: i64,
}

/// What the list of sessions comes to, in one look through it.
#[derive(Debug, Default)]
pub(super) struct SessionList {
    events: u64,
    listed: u32,
    newest: i64,
    last_number: i64,
    /// The entries that are not as they were written, as parts of a sentence.
    pub(super) damaged: Vec<String>,
}

impl SessionList {
    pub(super) fn read(connection: &Connection) -> Result<Self, LogError> {
        let mut list = Self::default();
        for (entry, crc) in seal::rows(connection, LISTED, |row| Ok((Listed::of(row)?, row.get(CRC).unwrap_or(0))))? {
            let (entry, is_sound) = entry;
            list.events = list.events.saturating_add(count(entry.last_seq));
            list.listed ^= number(crc);
            // What is behind these comes from those that are as they were written.
            if is_sound {
                list.last_number = list.last_number.max(entry.number);
                list.newest = list.newest.max(entry.changed);
            } else {
                list.damaged.push(format!("the entry of session {} in the list", entry.id));
            }
        }
        Ok(list)
    }
}

/// What the sessions of the list do not say.
#[derive(Debug, Clone, PartialEq, Eq)]
struct HistoryRow {
    generation: Arc<str>,
    entries: u64,
    chain: u32,
    /// How many sessions there should be.
    sessions: i64,
}

impl Standing {
    /// What the database says.
    pub(super) fn read(connection: &Connection) -> Result<Self, LogError> {
        Self::with(connection, &SessionList::read(connection)?)
    }

    /// What the database says, whose list was read already.
    pub(super) fn with(connection: &Connection, list: &SessionList) -> Result<Self, LogError> {
        let SessionList { events, listed, newest, last_number, damaged: _ } = *list;
        let last_number = last_number.max(records::last_number(connection)?);
        Ok(Self { row: HistoryRow::read(connection)?, events, listed, newest, last_number })
    }

    pub(super) fn history(&self) -> History {
        History {
            generation: Arc::clone(&self.row.generation),
            entries: self.row.entries.saturating_add(self.events),
            chain: self.row.chain ^ self.listed,
        }
    }

    /// How many sessions there should be.
    pub(super) fn sessions(&self) -> i64 {
        self.row.sessions
    }

    /// The place behind all others of the list.
    pub(super) fn next_change(&self) -> i64 {
        self.newest.saturating_add(1)
    }

    /// The number of the next session.
    pub(super) fn next_number(&self) -> i64 {
        self.last_number.saturating_add(1)
    }

    /// A number that no session has, and will have.
    pub(super) fn take_number(&mut self) -> i64 {
        self.last_number = self.next_number();
        self.last_number
    }

    /// Whether this is the last place of the list.
    pub(super) fn is_newest(&self, changed: i64) -> bool {
        changed == self.newest
    }

    /// A session was made.
    pub(super) fn entered(&mut self, listed: &Listed) {
        self.row.sessions += 1;
        self.note(Entry::Made, &listed.id);
        self.gained(listed);
    }

    /// A session's entry in the list changed.
    pub(super) fn changed(&mut self, before: &Listed, listed: &Listed) {
        self.lost(before.last_seq, before.crc());
        self.gained(listed);
    }

    /// A session was deleted. Its events were written, and stay counted.
    pub(super) fn removed(&mut self, session: &str, last_seq: i64, crc: i64) {
        self.row.sessions -= 1;
        self.note(Entry::Deleted, session);
        self.lost(last_seq, crc);
        self.row.entries = self.row.entries.saturating_add(count(last_seq));
    }

    /// Something was done to a session that is no event.
    pub(super) fn note(&mut self, entry: Entry, session: &str) {
        self.row.entries = self.row.entries.saturating_add(1);
        let mut chain = crc32fast::Hasher::new_with_initial(self.row.chain);
        chain.update(&[entry as u8]);
        chain.update(session.as_bytes());
        self.row.chain = chain.finalize();
    }

    fn gained(&mut self, listed: &Listed) {
        self.events = self.events.saturating_add(count(listed.last_seq));
        self.listed ^= number(listed.crc());
        self.newest = self.newest.max(listed.changed);
        self.last_number = self.last_number.max(listed.number);
    }

    fn lost(&mut self, last_seq: i64, crc: i64) {
        self.events = self.events.saturating_sub(count(last_seq));
        self.listed ^= number(crc);
    }

    /// From here on it is another history: what clients have seen may not be what is there.
    pub(super) fn renew(&mut self, connection: &Connection) -> Result<(), LogError> {
        self.row.generation = new_generation();
        self.row.write(connection)
    }

    /// Writes what has changed since `before` and does not stand in the list.
    pub(super) fn save(&self, before: &Self, connection: &Connection) -> Result<(), LogError> {
        if self.row == before.row { Ok(()) } else { self.row.write(connection) }
    }

    /// The list says the same in other words: it stays this history, as far as it has come.
    pub(super) fn carry_on(&mut self, history: &History, connection: &Connection) -> Result<(), LogError> {
        let before = self.clone();
        self.row.generation = Arc::clone(&history.generation);
        self.row.entries = history.entries.saturating_sub(self.events);
        self.row.chain = history.chain ^ self.listed;
        self.save(&before, connection)
    }
}

/// What the row of version 2 says: everything, and the list nothing.
pub(super) fn of_version_2(connection: &Connection) -> Result<History, LogError> {
    let HistoryRow { generation, entries, chain, sessions: _ } = HistoryRow::read(connection)?;
    Ok(History { generation, entries, chain })
}

/// Makes the row, for a log that has none.
pub(super) fn begin(connection: &Connection, entries: u64, sessions: i64) -> Result<(), LogError> {
    HistoryRow { generation: new_generation(), entries, chain: 0, sessions }.write(connection)
}

impl HistoryRow {
    fn read(connection: &Connection) -> Result<Self, LogError> {
        let sql = "SELECT generation, entries, chain, sessions, crc FROM history";
        let row = connection.query_row(sql, [], |row| {
            let generation: String = row.get(0)?;
            Ok((generation, row.get::<_, i64>(1)?, row.get::<_, i64>(2)?, row.get::<_, i64>(3)?, row.get::<_, i64>(4)?))
        });
        let (generation, entries, chain, sessions, crc) = match row {
            Err(rusqlite::Error::QueryReturnedNoRows) => return Err(damaged()),
            row => row.map_err(|error| store_error(&error))?,
        };
        if crc != seal::history(&generation, entries, chain, sessions) {
            return Err(damaged());
        }
        let (Ok(entries), Ok(chain)) = (u64::try_from(entries), u32::try_from(chain)) else { return Err(damaged()) };
        Ok(Self { generation: generation.into(), entries, chain, sessions })
    }

    fn write(&self, connection: &Connection) -> Result<(), LogError> {
        let Self { generation, entries, chain, sessions } = self;
        let (entries, chain) = (i64::try_from(*entries).unwrap_or(i64::MAX), i64::from(*chain));
        let crc = seal::history(generation, entries, chain, *sessions);
        let sql = "INSERT INTO history (id, generation, entries, chain, sessions, crc) VALUES (1, ?1, ?2, ?3, ?4, ?5)
                   ON CONFLICT (id) DO UPDATE SET generation = excluded.generation, entries = excluded.entries,
                   chain = excluded.chain, sessions = excluded.sessions, crc = excluded.crc";
        connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.execute(params![&**generation, entries, chain, sessions, crc]))
            .map(drop)
            .map_err(|error| store_error(&error))
    }
}

fn new_generation() -> Arc<str> {
    Uuid::new_v4().to_string().into()
}

/// What an entry says of its events.
fn count(last_seq: i64) -> u64 {
    u64::try_from(last_seq).unwrap_or(0)
}

/// A checksum as a row has it.
fn number(crc: i64) -> u32 {
    u32::try_from(crc).unwrap_or(0)
}

fn damaged() -> LogError {
    LogError::Store(
        "the row that says how far it has come is damaged, so its file is; restore a copy, or choose another folder with \
         --data"
            .to_owned(),
    )
}
