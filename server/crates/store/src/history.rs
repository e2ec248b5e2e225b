//! How far the log has come: a row of the database that each commit moves on, so that it can be compared with the mark beside
//! it.

use std::sync::Arc;

use rusqlite::{Connection, params};
use uuid::Uuid;

use super::error::store_error;
use super::queue::Work;
use super::seal;
use switchboard_events::LogError;

/// Which history a log has, and how far it has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct History {
    /// Changes when something was lost, so that the numbers of lost events can be used again without being mistaken.
    pub(super) generation: Arc<str>,
    /// How many events were ever written, and how often sessions were made, pinned, handed over or deleted.
    pub(super) entries: u64,
    /// A checksum over all of them, each upon the one before.
    pub(super) chain: u32,
}

/// What a commit adds.
#[derive(Debug, Default)]
pub(super) struct Added {
    entries: u64,
    sessions: i64,
    hasher: crc32fast::Hasher,
}

impl Added {
    /// This was done; it changed something, or there was no such session.
    pub(super) fn note(&mut self, work: &Work, found: bool) {
        let (entries, sessions) = match work {
            Work::Append(append) => {
                self.hasher.update(append.session.to_string().as_bytes());
                self.hasher.update(&append.expected.to_le_bytes());
                for event in &append.events {
                    self.hasher.update(event.at.as_bytes());
                    self.hasher.update(event.frame.as_bytes());
                }
                (append.events.len() as u64, 0)
            }
            Work::Create { session, .. } => (self.other(1, session), 1),
            Work::Pin { session, .. } => (self.other(2, session), 0),
            Work::HandOver { session, .. } => (self.other(3, session), 0),
            Work::Delete { session } => (self.other(4, session), -i64::from(found)),
            Work::Check => (0, 0),
        };
        self.entries += entries;
        self.sessions += sessions;
    }

    fn other(&mut self, kind: u8, session: &switchboard_protocol::SessionId) -> u64 {
        self.hasher.update(&[kind]);
        self.hasher.update(session.to_string().as_bytes());
        1
    }
}

/// Moves the row on, in the transaction of the commit; none if nothing was added.
pub(super) fn advance(connection: &Connection, added: Added) -> Result<Option<History>, LogError> {
    let Added { entries, sessions, hasher } = added;
    if entries == 0 {
        return Ok(None);
    }
    let (history, there) = read(connection)?;
    let mut chain = crc32fast::Hasher::new_with_initial(history.chain);
    chain.update(&hasher.finalize().to_le_bytes());
    let history = History { entries: history.entries.saturating_add(entries), chain: chain.finalize(), ..history };
    write(connection, &history, there + sessions)?;
    Ok(Some(history))
}

/// Makes the row, for a log that has none.
pub(super) fn begin(connection: &Connection) -> Result<(), LogError> {
    let counts = "SELECT (SELECT count(*) FROM sessions), (SELECT coalesce(sum(last_seq), 0) FROM sessions)";
    let (sessions, events): (i64, i64) =
        connection.query_row(counts, [], |row| Ok((row.get(0)?, row.get(1)?))).map_err(|error| store_error(&error))?;
    let entries = u64::try_from(sessions.saturating_add(events)).unwrap_or(0);
    write(connection, &History { generation: new_generation(), entries, chain: 0 }, sessions)
}

/// From here on it is another history: what clients have seen may not be what is there.
pub(super) fn renew(connection: &Connection) -> Result<History, LogError> {
    let (history, sessions) = read(connection)?;
    let history = History { generation: new_generation(), ..history };
    write(connection, &history, sessions)?;
    Ok(history)
}

/// Sessions were removed beside the queue.
pub(super) fn recount(connection: &Connection) -> Result<(), LogError> {
    let (history, _) = read(connection)?;
    let sessions = connection
        .query_row("SELECT count(*) FROM sessions", [], |row| row.get(0))
        .map_err(|error| store_error(&error))?;
    write(connection, &history, sessions)
}

/// The row, and how many sessions there should be.
pub(super) fn read(connection: &Connection) -> Result<(History, i64), LogError> {
    let sql = "SELECT generation, entries, chain, sessions, crc FROM history";
    let row = connection.prepare_cached(sql).and_then(|mut statement| {
        statement.query_row([], |row| {
            let generation: String = row.get(0)?;
            Ok((generation, row.get::<_, i64>(1)?, row.get::<_, i64>(2)?, row.get::<_, i64>(3)?, row.get::<_, i64>(4)?))
        })
    });
    let (generation, entries, chain, sessions, crc) = match row {
        Err(rusqlite::Error::QueryReturnedNoRows) => return Err(damaged()),
        row => row.map_err(|error| store_error(&error))?,
    };
    if crc != seal::history(&generation, entries, chain, sessions) {
        return Err(damaged());
    }
    let (Ok(entries), Ok(chain)) = (u64::try_from(entries), u32::try_from(chain)) else { return Err(damaged()) };
    Ok((History { generation: generation.into(), entries, chain }, sessions))
}

fn write(connection: &Connection, history: &History, sessions: i64) -> Result<(), LogError> {
    let History { generation, entries, chain } = history;
    let (entries, chain) = (i64::try_from(*entries).unwrap_or(i64::MAX), i64::from(*chain));
    let crc = seal::history(generation, entries, chain, sessions);
    let sql = "INSERT INTO history (id, generation, entries, chain, sessions, crc) VALUES (1, ?1, ?2, ?3, ?4, ?5)
               ON CONFLICT (id) DO UPDATE SET generation = excluded.generation, entries = excluded.entries,
               chain = excluded.chain, sessions = excluded.sessions, crc = excluded.crc";
    connection
        .prepare_cached(sql)
        .and_then(|mut statement| statement.execute(params![&**generation, entries, chain, sessions, crc]))
        .map(drop)
        .map_err(|error| store_error(&error))
}

fn new_generation() -> Arc<str> {
    Uuid::new_v4().to_string().into()
}

fn damaged() -> LogError {
    LogError::Store(
        "the row that says how far it has come is damaged, so its file is; restore a copy, or choose another folder with \
         --data"
            .to_owned(),
    )
}
