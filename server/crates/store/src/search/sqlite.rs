//! The log in SQLite as the index reads it: on a connection of its own, so that nobody who asks the log waits for it.

use async_trait::async_trait;
use rusqlite::{Connection, OptionalExtension};
use switchboard_accounts::Principal;
use switchboard_events::{LogError, Record};
use switchboard_protocol::SessionId;
use tokio::task::spawn_blocking;

use super::source::{IndexedLog, ListedSession, ListedState, Portion, Room};
use crate::error::store_error;
use crate::log::SqliteLog;
use crate::records;
use crate::seal::text;

#[async_trait]
impl IndexedLog for SqliteLog {
    async fn states(&self) -> Result<Vec<(SessionId, ListedState)>, LogError> {
        self.beside(states).await
    }

    async fn portions(&self, wanted: Vec<(SessionId, u64)>) -> Result<Vec<Portion>, LogError> {
        self.beside(move |log| portions(log, &wanted)).await
    }
}

impl SqliteLog {
    async fn beside<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, LogError> {
        let store = self.store().clone();
        let asked = spawn_blocking(move || {
            let connection = store.open_reader_beside()?;
            question(&connection).map_err(|error| store_error(&error))
        });
        asked.await.unwrap_or_else(|error| Err(LogError::Store(error.to_string())))
    }
}

fn states(log: &Connection) -> rusqlite::Result<Vec<(SessionId, ListedState)>> {
    let sql = "SELECT id, changed, last_seq FROM sessions WHERE owner <> ?1 ORDER BY changed";
    let mut statement = log.prepare(sql)?;
    let states = statement.query_map([Principal::importing().as_str()], |row| {
        // One whose id is damaged is found nowhere.
        let id = text(row, 0)?.and_then(|id| id.parse().ok());
        let (place, last): (i64, i64) = (row.get(1)?, row.get(2)?);
        Ok(id.map(|id| (id, ListedState { place: place.cast_unsigned(), last: last.cast_unsigned() })))
    })?;
    states.filter_map(Result::transpose).collect()
}

fn portions(log: &Connection, wanted: &[(SessionId, u64)]) -> rusqlite::Result<Vec<Portion>> {
    let (mut portions, mut room) = (Vec::new(), Room::new());
    for &(session, indexed) in wanted {
        if room.is_used_up() {
            break;
        }
        room.begin();
        let row = row(log, session)?;
        let (number, listed) = row.map_or((0, None), |(number, listed)| (number, Some(listed)));
        let mut portion = Portion::new(session, listed, indexed);
        read(log, number, &mut portion, &mut room)?;
        portions.push(portion);
    }
    Ok(portions)
}

/// A session's number and what the list says of it.
fn row(log: &Connection, session: SessionId) -> rusqlite::Result<Option<(i64, ListedSession)>> {
    // What is being imported is nobody's yet.
    log.prepare_cached("SELECT number, owner, title, changed, last_seq FROM sessions WHERE id = ?1 AND owner <> ?2")?
        .query_row([session.to_string().as_str(), Principal::importing().as_str()], |row| {
            let (place, last): (i64, i64) = (row.get(3)?, row.get(4)?);
            let state = ListedState { place: place.cast_unsigned(), last: last.cast_unsigned() };
            let owner = Principal::named(&row.get::<_, String>(1)?);
            Ok((row.get(0)?, ListedSession { owner, title: row.get(2)?, state }))
        })
        .optional()
}

/// Reads on as far as there is room.
fn read(log: &Connection, number: i64, portion: &mut Portion, room: &mut Room) -> rusqlite::Result<()> {
    let mut statement = log.prepare_cached("SELECT record FROM records WHERE key > ?1 AND key <= ?2 ORDER BY key")?;
    let keys = [records::key(number, portion.end), *records::keys(number).end()];
    let mut rows = statement.query(keys)?;
    while !portion.is_whole() {
        let bytes = match rows.next().and_then(|row| row.map(|row| Ok(row.get_ref(0)?.as_blob()?)).transpose()) {
            Ok(Some(bytes)) => bytes,
            Ok(None) => {
                portion.end = portion.last();
                break;
            }
            Err(error) => {
                portion.cut_off(&error);
                break;
            }
        };
        match take(bytes, portion, room) {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => portion.cut_off(&error),
        }
    }
    Ok(())
}

/// Takes a record; whether there is room for more.
fn take(bytes: &[u8], portion: &mut Portion, room: &mut Room) -> Result<bool, String> {
    let record = Record::decode(bytes).map_err(|damage| damage.to_string())?;
    if record.session() != portion.session {
        return Err("its record is another one's".to_owned());
    }
    while portion.end < record.last() && !portion.is_whole() {
        let event = record.event(portion.end + 1).map_err(|damage| damage.to_string())?;
        portion.take(event.at, event.frame, room);
        if room.is_used_up() {
            return Ok(false);
        }
    }
    Ok(true)
}
