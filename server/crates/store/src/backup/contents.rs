//! All of a log, down to the last checksum: how much there is of it, and what is damaged.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

use rusqlite::Connection;
use switchboard_events::{BlobHash, LogError, ServerOnly, StoredEvent};
use switchboard_protocol::SessionId;

use super::error::{BackupError, without_advice};
use super::{Progress, Watch, copy};
use crate::error::{is_damage, store_error};
use crate::history::{History, SessionList, Standing};
use crate::{records, schema, seal};

/// How many events are read at once.
const PAGE: u64 = 500;

/// How many problems of its structure SQLite names.
const PROBLEMS: u32 = 20;

/// Whether a record has a number that no session has: from the first one of each number to that of the next.
const RECORDS_OF_NOBODY: &str = "
WITH RECURSIVE firsts (key) AS (
    SELECT min(key) FROM records
    UNION ALL
    SELECT (SELECT min(key) FROM records WHERE key > (firsts.key | 0xffffffff)) FROM firsts WHERE firsts.key IS NOT NULL
)
SELECT EXISTS (SELECT 1 FROM firsts WHERE key IS NOT NULL AND key >> 32 NOT IN (SELECT number FROM sessions))";

/// What a log holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contents {
    /// How many sessions.
    pub sessions: u64,
    /// How many sound events, those in front of any damage.
    pub events: u64,
    /// How many large values.
    pub values: u64,
    /// What is damaged or missing, a sentence each, of a session the first event; nothing if the log is whole.
    pub damage: Vec<String>,
    /// Which history it is, and how far it has come, if that can be read.
    pub(super) history: Option<History>,
}

/// Looks through a log whose tables are those of this version.
pub(super) fn look_through(connection: &Connection, watch: Watch<'_>) -> Result<Contents, BackupError> {
    let (sessions, of) = (AtomicU64::new(0), AtomicU64::new(0));
    let progress = || Progress::Checked { sessions: sessions.load(Ordering::Relaxed), of: of.load(Ordering::Relaxed) };
    copy::watched(connection, watch, progress, || all(connection, &sessions, &of))
}

fn all(connection: &Connection, checked: &AtomicU64, of: &AtomicU64) -> Result<Contents, BackupError> {
    let mut contents = Contents { damage: structure(connection)?, ..Contents::default() };
    let list = contents.note(SessionList::read(connection))?;
    if let Some(list) = &list
        && let Some(standing) = contents.note(Standing::with(connection, list))?
    {
        contents.history = Some(standing.history());
        contents.note(schema::check_sessions(connection, &standing))?;
    }
    let pins = contents.note(seal::damaged_pins(connection))?;
    let damaged = list.map(|list| list.damaged).into_iter().chain(pins).flatten();
    contents.damage.extend(damaged.map(|what| format!("{what} is not as it was written")));
    let sessions = contents.note(names(connection))?.unwrap_or_default();
    of.store(sessions.len() as u64, Ordering::Relaxed);
    for name in sessions {
        contents.sessions += 1;
        checked.store(contents.sessions, Ordering::Relaxed);
        match name.parse() {
            Ok(session) => contents.add(connection, session)?,
            Err(_) => contents.damage.push(format!("`{name}` is not the name of a session")),
        }
    }
    Ok(contents)
}

impl Contents {
    /// What was found; damage is noted, and every other error, such as a disk that cannot be read, ends it.
    fn note<T>(&mut self, found: Result<T, LogError>) -> Result<Option<T>, BackupError> {
        match found {
            Ok(found) => Ok(Some(found)),
            Err(LogError::Damaged { session, seq, detail }) => {
                self.damage.push(format!("session {session}, event {seq}: {detail}"));
                Ok(None)
            }
            Err(LogError::Store(problem)) if problem.contains("damaged") => {
                self.damage.push(without_advice(&problem).to_owned());
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Looks through a session: its events one by one, and its large values, those that are there and those that should be.
    fn add(&mut self, connection: &Connection, session: SessionId) -> Result<(), BackupError> {
        let mut needed = BTreeSet::new();
        let mut last = 0;
        while let Some(page) = self.note(records::after(connection, session, last, PAGE))? {
            let Some(end) = page.last() else { break };
            last = end.seq;
            self.events += page.len() as u64;
            for event in &page {
                let values = self.note(values(session, event))?;
                needed.extend(values.into_iter().flatten());
            }
        }
        let there = self.note(stored(connection, session))?.unwrap_or_default();
        self.values += there.len() as u64;
        for (name, hash) in &there {
            needed.remove(name);
            if name != hash {
                self.damage.push(format!("session {session}: the value {name} is not as it was written"));
            }
        }
        self.damage.extend(needed.iter().map(|name| format!("session {session}: the value {name} is missing")));
        Ok(())
    }
}

/// What SQLite finds wrong with the file itself.
fn structure(connection: &Connection) -> Result<Vec<String>, BackupError> {
    let found = connection.prepare(&format!("PRAGMA integrity_check({PROBLEMS})")).and_then(|mut statement| {
        let problems = statement.query_map([], |row| row.get::<_, String>(0))?;
        problems.collect::<rusqlite::Result<Vec<_>>>()
    });
    let mut damage: Vec<String> = match found {
        Ok(problems) => problems.into_iter().filter(|problem| problem != "ok").collect(),
        Err(error) if is_damage(&error) => vec![error.to_string()],
        Err(error) => return Err(store_error(&error).into()),
    };
    let orphans = connection.prepare("PRAGMA foreign_key_check").and_then(|mut statement| {
        let tables = statement.query_map([], |row| row.get::<_, String>(0))?;
        let of_nobody = connection.query_row(RECORDS_OF_NOBODY, [], |row| row.get::<_, bool>(0))?;
        tables.chain(of_nobody.then(|| Ok("records".to_owned()))).collect::<rusqlite::Result<BTreeSet<_>>>()
    });
    match orphans {
        Ok(tables) => {
            damage
                .extend(tables.iter().map(|table| format!("`{table}` has rows of a session that is not in the list")));
        }
        Err(error) => damage.push(error.to_string()),
    }
    Ok(damage)
}

/// The sessions of the list, as it names them.
fn names(connection: &Connection) -> Result<Vec<String>, LogError> {
    let names = connection.prepare("SELECT id FROM sessions ORDER BY id").and_then(|mut statement| {
        let names = statement.query_map([], |row| seal::text(row, 0).map(Option::unwrap_or_default))?;
        names.collect::<rusqlite::Result<_>>()
    });
    names.map_err(|error| store_error(&error))
}

/// The large values that an event refers to.
fn values(session: SessionId, event: &StoredEvent) -> Result<Vec<String>, LogError> {
    let Some(private) = &event.private else { return Ok(Vec::new()) };
    match serde_json::from_str::<ServerOnly>(private) {
        Ok(private) => Ok(private.blobs().map(|hash| hash.as_str().to_owned()).collect()),
        Err(error) => Err(LogError::Damaged { session, seq: event.seq, detail: format!("it cannot be read: {error}") }),
    }
}

/// The large values of a session: under which name each is kept, and the name that it should have.
fn stored(connection: &Connection, session: SessionId) -> Result<Vec<(String, String)>, LogError> {
    let found =
        connection.prepare_cached("SELECT hash, bytes FROM blobs WHERE session = ?1").and_then(|mut statement| {
            let values = statement.query_map([session.to_string()], |row| {
                let bytes = row.get_ref(1)?.as_blob().unwrap_or_default();
                Ok((row.get(0)?, BlobHash::of(bytes).as_str().to_owned()))
            })?;
            values.collect::<rusqlite::Result<_>>()
        });
    found.map_err(|error| store_error(&error))
}
