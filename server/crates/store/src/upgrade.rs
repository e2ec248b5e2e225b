//! A log of version 1 or 2 becomes one of this version, in place. What is small is changed at once; events become records in
//! transactions of bounded size, each of which takes away what it has moved. So a server that is killed in the middle leaves a
//! file with which the next start goes on.
//!
//! What was damaged stays so: an event whose checksum was wrong gets one that is wrong, and an entry of the list none. Where
//! SQLite cannot read all of the events' table, nothing is taken away from it: that would need the pages beside the damaged
//! ones. What can be read is copied, each start anew. That it can be read is noted in the file, so that it is looked through once.

use std::time::{Duration, Instant};

use rusqlite::{Connection, OptionalExtension, Row, params};
use switchboard_events::LogError;

use super::error::{is_damage, store_error};
use super::history::{self, History, Standing};
use super::moved::{Moved, Size};
use super::seal::{self, CRC, LISTED_BY_BYTES, Listed};
use super::tables::{EVENTS_GONE, MESSAGES_GONE, PINS, RECORDS, SEALED, VERSION, version};

/// How much a transaction moves, about.
const BATCH: Size = Size { events: 5000, bytes: 4 * 1024 * 1024 };

/// What the file's `application_id` is while all of the events' table was found to be readable.
const CHECKED: i64 = 0x5342_6576;

/// How often it is told how far it has come.
const TELL: Duration = Duration::from_secs(5);

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
    /// How many records were made, and when that is told next.
    made: usize,
    tell_at: Instant,
}

/// The sessions of the list, and then what belongs to none of them; each time from this name on.
#[derive(Debug)]
enum Next {
    Listed(Vec<u8>),
    Unlisted(Vec<u8>),
}

impl<'a> Upgrade<'a> {
    /// Of a file with tables of an earlier version, or with those that an upgrade left that was cut off.
    pub(super) fn of(connection: &'a Connection) -> Result<Self, LogError> {
        let found = version(connection)?;
        tracing::info!(found, to = VERSION, "the log is brought up to date; this may take a while");
        let next = Next::Listed(Vec::new());
        let tell_at = Instant::now() + TELL;
        Ok(Self { connection, batch: BATCH, next, standing: None, takes_away: None, made: 0, tell_at })
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
            None => *self.takes_away.insert(self.is_known_to_be_whole()? || self.is_whole()?),
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
        let Some((moves, more)) = self.read_batch(takes_away, &mut standing)? else {
            // It was whole at an earlier start.
            self.takes_away = Some(self.is_whole()?);
            return Ok(true);
        };
        let transaction = self.connection.unchecked_transaction().map_err(failed)?;
        self.made += moves.iter().map(|moved| moved.records.len()).sum::<usize>();
        if self.tell_at <= Instant::now() {
            tracing::info!(records = self.made, "the log is being brought up to date");
            self.tell_at = Instant::now() + TELL;
        }
        for moved in moves {
            moved.write(&transaction, takes_away, &mut standing).map_err(failed)?;
        }
        standing.carry_on(&history, &transaction)?;
        self.standing = Some((standing, history));
        if !more && takes_away {
            self.execute(EVENTS_GONE)?;
            transaction.pragma_update(None, "application_id", 0).map_err(failed)?;
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
            let pins = seal::rows(connection, "SELECT session FROM pins", |row| Ok(row.get::<_, String>(0).ok()))?;
            // One that cannot be read stays without a checksum.
            for session in pins.into_iter().flatten() {
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
        // As bytes: they may be no text.
        let ids = seal::rows(connection, "SELECT CAST(id AS BLOB) FROM sessions", |row| row.get::<_, Vec<u8>>(0))?;
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

    /// Reads some events as records; whether there are more. Nothing where they were to be taken away, and the table turns out
    /// to be damaged.
    fn read_batch(
        &mut self,
        takes_away: bool,
        standing: &mut Standing,
    ) -> Result<Option<(Vec<Moved>, bool)>, LogError> {
        let (mut moves, mut left) = (Vec::new(), self.batch);
        while left.events > 0 && left.bytes > 0 {
            let Some(session) = self.next_session()? else {
                let is_over = matches!(self.next, Next::Unlisted(_));
                self.next = Next::Unlisted(Vec::new());
                return Ok(Some((moves, !is_over)));
            };
            match Moved::read(self.connection, &session, (&mut left, takes_away), standing) {
                Ok(moved) => moves.push(moved),
                Err(error) if takes_away && is_damage(&error) => return Ok(None),
                Err(error) => return Err(failed(error)),
            }
            // Otherwise there may be more of it.
            if left.events > 0 && left.bytes > 0 {
                // The first name behind it.
                let (Next::Listed(from) | Next::Unlisted(from)) = &mut self.next;
                *from = [session, vec![0]].concat();
            }
        }
        Ok(Some((moves, true)))
    }

    fn is_known_to_be_whole(&self) -> Result<bool, LogError> {
        Ok(self.application_id()? == CHECKED)
    }

    fn application_id(&self) -> Result<i64, LogError> {
        self.connection.pragma_query_value(None, "application_id", |row| row.get(0)).map_err(failed)
    }

    /// Whether SQLite can read all of the events' table; that it can is noted.
    fn is_whole(&self) -> Result<bool, LogError> {
        let wrong = damage_of_events(self.connection)?;
        let id = if wrong.is_none() { CHECKED } else { 0 };
        if let Some(wrong) = &wrong {
            tracing::error!(
                wrong,
                "pages with events of an earlier version are damaged: what can be read of them is taken over at each start. \
                 The sessions in them can be read up to the damage; `switchboard verify` says which"
            );
        }
        // Of a damaged file this is asked at every start.
        if self.application_id()? != id {
            self.connection.pragma_update(None, "application_id", id).map_err(failed)?;
        }
        Ok(wrong.is_none())
    }

    /// The next session that may have events.
    fn next_session(&self) -> Result<Option<Vec<u8>>, LogError> {
        match &self.next {
            Next::Listed(from) => self
                .found("SELECT CAST(id AS BLOB) FROM sessions WHERE id >= CAST(?1 AS TEXT) ORDER BY id LIMIT 1", from)
                .map_err(failed),
            Next::Unlisted(from) => {
                let sql = "SELECT CAST(session AS BLOB) FROM events WHERE session >= CAST(?1 AS TEXT) ORDER BY session LIMIT 1";
                match self.found(sql, from) {
                    Err(error) if is_damage(&error) => Ok(None),
                    found => found.map_err(failed),
                }
            }
        }
    }

    fn found(&self, sql: &str, from: &[u8]) -> rusqlite::Result<Option<Vec<u8>>> {
        self.connection.prepare_cached(sql)?.query_row([from], |row| row.get(0)).optional()
    }

    fn execute(&self, sql: &str) -> Result<(), LogError> {
        self.connection.execute_batch(sql).map_err(failed)
    }
}

/// Whether the log is of this version, but for events of an earlier one in pages that cannot be read.
pub(super) fn is_left_over(connection: &Connection) -> Result<bool, LogError> {
    Ok(version(connection)? == VERSION && damage_of_events(connection)?.is_some())
}

/// What SQLite cannot read of the events' table, if there is such a thing.
fn damage_of_events(connection: &Connection) -> Result<Option<String>, LogError> {
    match connection.query_row("PRAGMA integrity_check('events')", [], |row| row.get::<_, String>(0)) {
        Ok(wrong) if wrong == "ok" => Ok(None),
        Ok(wrong) => Ok(Some(wrong)),
        Err(error) if is_damage(&error) => Ok(Some(error.to_string())),
        Err(error) => Err(store_error(&error)),
    }
}

/// Gives a session's entry its number, its open messages and its checksum, which it lacks from now on if it had a wrong one.
fn enter(connection: &Connection, (id, number): (&[u8], i64), is_sealed: bool) -> Result<(), LogError> {
    let read = |row: &Row<'_>| {
        let is_text = [0, 1, 2, 3, 4].iter().all(|&column| row.get::<_, Option<String>>(column).is_ok());
        Ok((Listed::of(row)?.0, row.get::<_, Option<i64>>(CRC)?, is_text))
    };
    let (mut listed, crc, is_text) = connection.query_row(LISTED_BY_BYTES, [id], read).map_err(failed)?;
    let mut is_sound = is_text && (!is_sealed || crc == Some(crc_of_version_2(&listed)));
    let columns = if is_sealed { "message_id, seq, crc" } else { "message_id, seq, NULL" };
    let mut statement = connection
        .prepare_cached(&format!(
            "SELECT {columns} FROM open_messages WHERE session = CAST(?1 AS TEXT) ORDER BY seq, message_id"
        ))
        .map_err(failed)?;
    let mut rows = statement.query([id]).map_err(failed)?;
    let mut open: Vec<String> = Vec::new();
    while let Some(row) = rows.next().map_err(failed)? {
        let (Ok(message), Ok(seq), crc) = (row.get::<_, String>(0), row.get::<_, i64>(1), row.get(2).unwrap_or(None))
        else {
            is_sound = false;
            continue;
        };
        is_sound &= !is_sealed || crc == Some(seal::crc(&[Some(&listed.id), Some(&message)], &[seq]));
        open.push(message);
    }
    listed.number = number;
    listed.open = (!open.is_empty()).then(|| serde_json::json!(open).to_string());
    let crc = is_sound.then(|| listed.crc());
    let sql = "UPDATE sessions SET number = ?2, open = ?3, crc = ?4 WHERE id = CAST(?1 AS TEXT)";
    connection.execute(sql, params![id, number, listed.open, crc]).map(drop).map_err(failed)
}

fn crc_of_version_2(listed: &Listed) -> i64 {
    let Listed { id, owner, title, created_at, updated_at, last_seq, changed, .. } = listed;
    let texts = [Some(&**id), Some(owner), title.as_deref(), Some(created_at), Some(updated_at)];
    seal::crc(&texts, &[*last_seq, *changed])
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
fn failed(error: rusqlite::Error) -> LogError {
    store_error(&error)
}
