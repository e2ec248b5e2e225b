//! The log, read into the index, a slice at a time. What is missing is always found by comparing both: a session whose
//! row says another change or another last event than the index has is read from the last event that is in the index.
//!
//! A session that is damaged is taken as far as it can be read: the log itself says what is wrong with it.

use std::collections::{HashMap, HashSet, VecDeque};

use rusqlite::{Connection, OptionalExtension, params};
use serde::Deserialize;
use switchboard_protocol::SessionId;

use super::file::IndexFile;
use super::words::{cleaned, places};
use crate::connection::Store;
use crate::records;
use crate::seal::text;
use switchboard_accounts::Principal;
use switchboard_events::Record;

/// How many events are read before others get their turn.
const SLICE: usize = 2000;

/// What could not be read or written.
#[derive(Debug)]
pub(super) enum FeedError {
    /// The log.
    Log(String),
    /// The index.
    Index(rusqlite::Error),
}

impl From<rusqlite::Error> for FeedError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Index(error)
    }
}

/// What is left to do, and the connections to do it with.
pub(super) struct Feeder {
    log: Store,
    file: IndexFile,
    open: Option<Open>,
    /// Anything may have changed.
    everything: bool,
    sessions: VecDeque<String>,
    waiting: HashSet<String>,
}

struct Open {
    log: Connection,
    index: Connection,
}

/// A session as the log has it.
struct LogRow {
    owner: String,
    title: Option<String>,
    last_seq: i64,
    changed: i64,
    number: i64,
}

/// What a frame says, as far as it can be found.
#[derive(Deserialize)]
struct SaidFrame {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    text: String,
}

impl Feeder {
    /// All is left to do.
    pub(super) fn new(log: Store, file: IndexFile) -> Self {
        Self { log, file, open: None, everything: true, sessions: VecDeque::new(), waiting: HashSet::new() }
    }

    /// Anything may have changed.
    pub(super) fn everything_changed(&mut self) {
        self.everything = true;
    }

    /// This session has changed, or is gone.
    pub(super) fn session_changed(&mut self, session: SessionId) {
        self.add(session.to_string());
    }

    /// Whether it is not known yet what is missing.
    pub(super) fn starts_over(&self) -> bool {
        self.everything
    }

    pub(super) fn has_work(&self) -> bool {
        self.everything || !self.sessions.is_empty()
    }

    /// Lets go of both files until there is work again.
    pub(super) fn rest(&mut self) {
        self.open = None;
    }

    /// Does a slice of the work. After an error everything is compared again.
    pub(super) fn step(&mut self) -> Result<(), FeedError> {
        let open = match self.open.take() {
            Some(open) => open,
            None => {
                let log = self.log.open_reader().map_err(|error| log_error(&error))?;
                let (index, is_new) = self.file.open_writer()?;
                // Somebody may have taken the file away.
                self.everything |= is_new;
                Open { log, index }
            }
        };
        let done = if self.everything { self.compare(&open) } else { self.slice(&open) };
        match &done {
            Ok(()) => self.open = Some(open),
            Err(_) => {
                (self.sessions, self.waiting) = Default::default();
                self.everything = true;
            }
        }
        done
    }

    fn slice(&mut self, open: &Open) -> Result<(), FeedError> {
        let transaction = open.index.unchecked_transaction()?;
        let mut left = SLICE;
        while left > 0 {
            let Some(session) = self.sessions.front() else { break };
            if take(&open.log, &transaction, session, &mut left)?
                && let Some(session) = self.sessions.pop_front()
            {
                self.waiting.remove(&session);
            }
        }
        Ok(transaction.commit()?)
    }

    /// Finds the sessions of which the log and the index say different things.
    fn compare(&mut self, open: &Open) -> Result<(), FeedError> {
        let mut known: HashMap<String, Seen> =
            seen(&open.index, "SELECT session, changed, indexed FROM conversations")?.into_iter().collect();
        let there = seen(&open.log, "SELECT id, changed, last_seq FROM sessions ORDER BY changed");
        for (session, seen) in there.map_err(|error| log_error(&error))? {
            if known.remove(&session) != Some(seen) {
                self.add(session);
            }
        }
        known.into_keys().for_each(|gone| self.add(gone));
        self.everything = false;
        Ok(())
    }

    fn add(&mut self, session: String) {
        if self.waiting.insert(session.clone()) {
            self.sessions.push_back(session);
        }
    }
}

fn log_error(error: &dyn std::fmt::Display) -> FeedError {
    FeedError::Log(error.to_string())
}

/// Takes a session on from where the index has it, `left` events at most; whether it is done.
fn take(log: &Connection, index: &Connection, session: &str, left: &mut usize) -> Result<bool, FeedError> {
    // Also a session without anything new costs its turn something.
    *left = left.saturating_sub(1);
    let row = log_row(log, session).map_err(|error| log_error(&error))?;
    let mut known: Option<(i64, i64)> = index
        .prepare_cached("SELECT id, indexed FROM conversations WHERE session = ?1")?
        .query_row([session], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    if let Some((id, indexed)) = known
        && row.as_ref().is_none_or(|row| row.last_seq < indexed)
    {
        remove(index, id)?;
        known = None;
    }
    let Some(row) = row else { return Ok(true) };
    let title = cleaned(row.title.as_deref().unwrap_or_default());
    let (id, indexed) = match known {
        Some(known) => known,
        None => (insert(index, session, &row, &title)?, 0),
    };
    let end = index_events(log, index, (session, id), indexed, &row, left)?;
    let done = end >= row.last_seq;
    let changed = if done { row.changed } else { 0 };
    index
        .prepare_cached("UPDATE conversations SET indexed = ?2, changed = ?3 WHERE id = ?1")?
        .execute(params![id, end, changed])?;
    index
        .prepare_cached("UPDATE conversations SET title = ?2 WHERE id = ?1 AND title <> ?2")?
        .execute(params![id, title])?;
    Ok(done)
}

/// Indexes what was said after `after`; the last event that was looked at.
fn index_events(
    log: &Connection,
    index: &Connection,
    (session, id): (&str, i64),
    after: i64,
    row: &LogRow,
    left: &mut usize,
) -> Result<i64, FeedError> {
    let mut last = after;
    let sql = "SELECT record FROM records WHERE key > ?1 AND key <= ?2 ORDER BY key";
    let mut statement = log.prepare_cached(sql).map_err(|error| log_error(&error))?;
    let keys = [records::key(row.number, after.cast_unsigned()), *records::keys(row.number).end()];
    let mut rows = statement.query(keys).map_err(|error| log_error(&error))?;
    let damaged = |error: &dyn std::fmt::Display| {
        tracing::warn!(session, %error, "a session is found only as far as it can be read");
        Ok(row.last_seq)
    };
    let mut insert = index
        .prepare_cached("INSERT INTO places (conversation, seq, said_by, at, text) VALUES (?1, ?2, ?3, ?4, ?5)")?;
    while last < row.last_seq {
        let bytes = match rows.next().and_then(|row| row.map(|row| Ok(row.get_ref(0)?.as_blob()?)).transpose()) {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return Ok(row.last_seq),
            Err(error) => return damaged(&error),
        };
        let record = match Record::decode(bytes) {
            Ok(record) => record,
            Err(damage) => return damaged(&damage),
        };
        if record.session().to_string() != session {
            return damaged(&"its record is another one's");
        }
        while last.cast_unsigned() < record.last() && last < row.last_seq {
            // Most events are not said by anybody: they are looked at where they lie.
            let event = match record.event(last.cast_unsigned() + 1) {
                Ok(event) => event,
                Err(damage) => return damaged(&damage),
            };
            last += 1;
            if let Some((by, text)) = said(event.frame) {
                for place in places(&text) {
                    insert.execute(params![id, last, by, event.at, place])?;
                }
            }
            *left = left.saturating_sub(1);
            if *left == 0 {
                return Ok(last);
            }
        }
    }
    Ok(last)
}

/// Who said what: 0 the user, 1 the agent. Most frames are something else, and are not read.
fn said(frame: &str) -> Option<(i64, String)> {
    if !["\"user-message\"", "\"agent-response\"", "\"agent-error\""].iter().any(|kind| frame.contains(kind)) {
        return None;
    }
    let SaidFrame { kind, text } = serde_json::from_str(frame).ok()?;
    match kind.as_str() {
        "user-message" => Some((0, text)),
        "agent-response" | "agent-error" => Some((1, text)),
        _ => None,
    }
}

fn log_row(log: &Connection, session: &str) -> rusqlite::Result<Option<LogRow>> {
    // What is being imported is nobody's yet.
    log.prepare_cached("SELECT owner, title, last_seq, changed, number FROM sessions WHERE id = ?1 AND owner <> ?2")?
        .query_row([session, Principal::importing().as_str()], |row| {
            let (owner, title, last_seq) = (row.get(0)?, row.get(1)?, row.get(2)?);
            Ok(LogRow { owner, title, last_seq, changed: row.get(3)?, number: row.get(4)? })
        })
        .optional()
}

fn insert(index: &Connection, session: &str, row: &LogRow, title: &str) -> rusqlite::Result<i64> {
    let sql = "INSERT INTO conversations (session, owner, title, indexed, changed) VALUES (?1, ?2, ?3, 0, 0)";
    index.prepare_cached(sql)?.execute(params![session, row.owner, title])?;
    Ok(index.last_insert_rowid())
}

fn remove(index: &Connection, id: i64) -> rusqlite::Result<()> {
    index.prepare_cached("DELETE FROM places WHERE conversation = ?1")?.execute([id])?;
    index.prepare_cached("DELETE FROM conversations WHERE id = ?1")?.execute([id])?;
    Ok(())
}

/// What tells whether a session has changed: its place in the list, and its last event.
type Seen = (i64, i64);

fn seen(connection: &Connection, sql: &str) -> rusqlite::Result<Vec<(String, Seen)>> {
    let read = |row: &rusqlite::Row<'_>| Ok((text(row, 0)?.unwrap_or_default(), (row.get(1)?, row.get(2)?)));
    connection.prepare_cached(sql)?.query_map([], read)?.collect()
}
