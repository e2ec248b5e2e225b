//! The log in NATS as the index of conversations reads it: this server's list says which sessions changed, and what was said in
//! them is read from whichever NATS server has it, one page at a time, so that what is written does not wait.

use async_trait::async_trait;
use rusqlite::{Connection, OptionalExtension, params};
use switchboard_accounts::Principal;
use switchboard_events::LogError;
use switchboard_protocol::SessionId;

use super::log::NatsLog;
use super::reading::Reader;
use crate::error::store_error;
use crate::read::session_id;
use crate::search::{IndexedLog, ListedSession, ListedState, Portion, Room};

/// How many entries of the list are read at once: who writes a session waits for the list meanwhile.
const PAGE: u32 = 2000;

#[async_trait]
impl IndexedLog for NatsLog {
    async fn states(&self) -> Result<Vec<(SessionId, ListedState)>, LogError> {
        let (mut all, mut behind) = (Vec::new(), String::new());
        loop {
            let page = self.core.index.with(move |list| states(list, &behind).map_err(|error| store_error(&error)));
            let page = page.await?;
            let Some((last, _)) = page.last() else { break };
            behind = last.to_string();
            all.extend(page);
        }
        all.sort_by_key(|(_, state)| state.place);
        Ok(all)
    }

    async fn portions(&self, wanted: Vec<(SessionId, u64)>) -> Result<Vec<Portion>, LogError> {
        let sessions: Vec<SessionId> = wanted.iter().map(|(session, _)| *session).collect();
        let listed = self.core.index.with(move |list| listed(list, &sessions).map_err(|error| store_error(&error)));
        let (mut portions, mut room) = (Vec::new(), Room::new());
        for ((session, indexed), listed) in wanted.into_iter().zip(listed.await?) {
            if room.is_used_up() {
                break;
            }
            room.begin();
            let mut portion = Portion::new(session, listed, indexed);
            self.read_on(&mut portion, &mut room).await?;
            portions.push(portion);
        }
        Ok(portions)
    }
}

impl NatsLog {
    /// Reads on as far as there is room.
    async fn read_on(&self, portion: &mut Portion, room: &mut Room) -> Result<(), LogError> {
        if portion.is_whole() {
            return Ok(());
        }
        let session = portion.session;
        // From the very first event on, nothing has to be found.
        let head = match portion.end {
            0 => None,
            _ => match self.end(session).await {
                Ok((head, _)) => head,
                Err(LogError::UnknownSession(_)) => {
                    portion.listed = None;
                    return Ok(());
                }
                Err(error) => return Err(error),
            },
        };
        let wanted = (portion.end + 1, portion.last().min(portion.end + room.events as u64));
        let reader = Reader::new(&self.core.jetstream, session);
        let damage = reader.records(head.as_ref(), wanted, |record, seq| {
            if room.is_used_up() {
                return Err("there is no room for more".to_owned());
            }
            let event = record.event(seq).map_err(|damage| damage.to_string())?;
            portion.take(event.at, event.frame, room);
            Ok(())
        });
        match damage.await? {
            // Damage that happens to be there is met again.
            Some(_) if room.is_used_up() => {}
            // It is being deleted, which the list of this server says in a moment.
            Some(_) if self.core.entry(session).await?.0.is_none() => portion.listed = None,
            Some(damage) => portion.cut_off(&damage),
            None => {}
        }
        Ok(())
    }
}

/// A page of the list, behind this session.
fn states(list: &Connection, behind: &str) -> rusqlite::Result<Vec<(SessionId, ListedState)>> {
    let sql = "SELECT id, changed, last_seq FROM sessions WHERE id > ?1 ORDER BY id LIMIT ?2";
    let mut statement = list.prepare_cached(sql)?;
    let rows = statement.query_map(params![behind, PAGE], |row| {
        let (place, last): (i64, i64) = (row.get(1)?, row.get(2)?);
        let state = ListedState { place: place.cast_unsigned(), last: last.cast_unsigned() };
        Ok((session_id(&row.get::<_, String>(0)?, 0)?, state))
    })?;
    rows.collect()
}

/// What the list says of each of these sessions.
fn listed(list: &Connection, sessions: &[SessionId]) -> rusqlite::Result<Vec<Option<ListedSession>>> {
    let mut statement = list.prepare_cached("SELECT owner, title, changed, last_seq FROM sessions WHERE id = ?1")?;
    let importing = Principal::importing();
    let mut listed = |session: &SessionId| {
        let found = statement.query_row([session.to_string()], |row| {
            let (place, last): (i64, i64) = (row.get(2)?, row.get(3)?);
            let state = ListedState { place: place.cast_unsigned(), last: last.cast_unsigned() };
            let owner = Principal::named(&row.get::<_, String>(0)?);
            Ok(ListedSession { owner, title: row.get(1)?, state })
        });
        // What is being imported is nobody's yet.
        found.optional().map(|found| found.filter(|session| session.owner != importing))
    };
    sessions.iter().map(&mut listed).collect()
}
