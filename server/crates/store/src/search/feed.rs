//! The log, read into the index, a slice at a time. What is missing is always found by comparing both: a session of which the log
//! says another place in the list or another last event than the index has is read from the last event that is in the index.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension, params};
use switchboard_events::{LogError, SaidBy};
use switchboard_protocol::SessionId;
use tokio::task::spawn_blocking;

use super::file::IndexFile;
use super::source::{IndexedLog, ListedState, Portion};
use super::words::{cleaned, places};

/// How many sessions are asked for at once.
const SESSIONS: usize = 256;

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

impl From<LogError> for FeedError {
    fn from(error: LogError) -> Self {
        Self::Log(error.to_string())
    }
}

/// What is left to do, and what to do it with.
pub(super) struct Feeder {
    log: Arc<dyn IndexedLog>,
    file: IndexFile,
    /// The connection that writes the index, while there is work.
    open: Option<Connection>,
    /// Anything may have changed.
    everything: bool,
    sessions: VecDeque<SessionId>,
    waiting: HashSet<SessionId>,
}

impl Feeder {
    /// All is left to do.
    pub(super) fn new(log: Arc<dyn IndexedLog>, file: IndexFile) -> Self {
        Self { log, file, open: None, everything: true, sessions: VecDeque::new(), waiting: HashSet::new() }
    }

    /// Anything may have changed.
    pub(super) fn everything_changed(&mut self) {
        self.everything = true;
    }

    /// This session has changed, or is gone.
    pub(super) fn session_changed(&mut self, session: SessionId) {
        if self.waiting.insert(session) {
            self.sessions.push_back(session);
        }
    }

    /// Whether it is not known yet what is missing.
    pub(super) fn starts_over(&self) -> bool {
        self.everything
    }

    pub(super) fn has_work(&self) -> bool {
        self.everything || !self.sessions.is_empty()
    }

    /// Lets go of the index until there is work again.
    pub(super) fn rest(&mut self) {
        self.open = None;
    }

    /// Does a slice of the work. After an error everything is compared again.
    pub(super) async fn step(&mut self) -> Result<(), FeedError> {
        let done = self.do_step().await;
        if done.is_err() {
            self.rest();
            (self.sessions, self.waiting) = Default::default();
            self.everything = true;
        }
        done
    }

    async fn do_step(&mut self) -> Result<(), FeedError> {
        if self.open.is_none() {
            let file = self.file.clone();
            let opened = spawn_blocking(move || file.open_writer()).await;
            let (connection, is_new) = opened.map_err(|error| FeedError::Log(error.to_string()))??;
            self.open = Some(connection);
            // Somebody may have taken the file away.
            self.everything |= is_new;
        }
        if self.everything { self.compare().await } else { self.slice().await }
    }

    async fn slice(&mut self) -> Result<(), FeedError> {
        let next: Vec<SessionId> = self.sessions.iter().take(SESSIONS).copied().collect();
        let wanted = self.with_index(move |index| known_ends(index, &next)).await?;
        let portions = self.log.portions(wanted).await?;
        let whole: Vec<bool> = portions.iter().map(Portion::is_whole).collect();
        self.with_index(move |index| write(index, &portions)).await?;
        for _ in whole.into_iter().take_while(|is_whole| *is_whole) {
            if let Some(session) = self.sessions.pop_front() {
                self.waiting.remove(&session);
            }
        }
        Ok(())
    }

    /// Finds the sessions of which the log and the index say different things.
    async fn compare(&mut self) -> Result<(), FeedError> {
        let known = self.with_index(known_states).await?;
        let there = self.log.states().await?;
        let compared = spawn_blocking(move || differing(known, there)).await;
        let differing = compared.map_err(|error| FeedError::Log(error.to_string()))?;
        differing.into_iter().for_each(|session| self.session_changed(session));
        self.everything = false;
        Ok(())
    }

    /// Does something with the index where waiting for the disk keeps nobody waiting.
    async fn with_index<T: Send + 'static>(
        &mut self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, FeedError> {
        let Some(index) = self.open.take() else { return Err(rusqlite::Error::InvalidQuery.into()) };
        let worked = spawn_blocking(move || {
            let done = work(&index);
            (index, done)
        });
        let (index, done) = worked.await.map_err(|error| FeedError::Log(error.to_string()))?;
        self.open = Some(index);
        Ok(done?)
    }
}

/// The sessions that are not in the index as they are in the log, and those that are only in the index.
fn differing(mut known: HashMap<SessionId, ListedState>, there: Vec<(SessionId, ListedState)>) -> Vec<SessionId> {
    let mut differing = Vec::new();
    for (session, state) in there {
        if known.remove(&session) != Some(state) {
            differing.push(session);
        }
    }
    differing.extend(known.into_keys());
    differing
}

fn known_states(index: &Connection) -> rusqlite::Result<HashMap<SessionId, ListedState>> {
    let mut statement = index.prepare("SELECT session, changed, indexed FROM conversations")?;
    let states = statement.query_map([], |row| {
        let id = row.get::<_, String>(0)?.parse().ok();
        let (place, last): (i64, i64) = (row.get(1)?, row.get(2)?);
        Ok(id.map(|id| (id, ListedState { place: place.cast_unsigned(), last: last.cast_unsigned() })))
    })?;
    states.filter_map(Result::transpose).collect()
}

/// Each session with its last event that is in the index; 0 if none is.
fn known_ends(index: &Connection, sessions: &[SessionId]) -> rusqlite::Result<Vec<(SessionId, u64)>> {
    let end = |session: &SessionId| Ok((*session, known(index, *session)?.map_or(0, |(_, end)| end)));
    sessions.iter().map(end).collect()
}

/// A session's row in the index, and its last event that is there.
fn known(index: &Connection, session: SessionId) -> rusqlite::Result<Option<(i64, u64)>> {
    index
        .prepare_cached("SELECT id, indexed FROM conversations WHERE session = ?1")?
        .query_row([session.to_string()], |row| Ok((row.get(0)?, row.get::<_, i64>(1)?.cast_unsigned())))
        .optional()
}

fn write(index: &Connection, portions: &[Portion]) -> rusqlite::Result<()> {
    let transaction = index.unchecked_transaction()?;
    portions.iter().try_for_each(|portion| write_portion(&transaction, portion))?;
    transaction.commit()
}

fn write_portion(index: &Connection, portion: &Portion) -> rusqlite::Result<()> {
    let mut row = known(index, portion.session)?;
    if let Some((id, indexed)) = row
        && (portion.listed.is_none() || portion.after != indexed)
    {
        remove(index, id)?;
        row = None;
    }
    let Some(listed) = &portion.listed else { return Ok(()) };
    let (owner, title) = (listed.owner.as_str(), cleaned(listed.title.as_deref().unwrap_or_default()));
    let id = match row {
        Some((id, _)) => id,
        None => insert(index, portion.session, owner, &title)?,
    };
    let mut insert = index
        .prepare_cached("INSERT INTO places (conversation, seq, said_by, at, text) VALUES (?1, ?2, ?3, ?4, ?5)")?;
    for said in &portion.said {
        let by = i64::from(said.by == SaidBy::Agent);
        for place in places(&said.text) {
            insert.execute(params![id, said.seq.cast_signed(), by, said.at, place])?;
        }
    }
    // As long as something is missing, it is another one than the log has.
    let changed = if portion.is_whole() { listed.state.place } else { 0 };
    index
        .prepare_cached("UPDATE conversations SET indexed = ?2, changed = ?3, owner = ?4 WHERE id = ?1")?
        .execute(params![id, portion.end.cast_signed(), changed.cast_signed(), owner])?;
    index
        .prepare_cached("UPDATE conversations SET title = ?2 WHERE id = ?1 AND title <> ?2")?
        .execute(params![id, title])?;
    Ok(())
}

fn insert(index: &Connection, session: SessionId, owner: &str, title: &str) -> rusqlite::Result<i64> {
    let sql = "INSERT INTO conversations (session, owner, title, indexed, changed) VALUES (?1, ?2, ?3, 0, 0)";
    index.prepare_cached(sql)?.execute(params![session.to_string(), owner, title])?;
    Ok(index.last_insert_rowid())
}

fn remove(index: &Connection, id: i64) -> rusqlite::Result<()> {
    index.prepare_cached("DELETE FROM places WHERE conversation = ?1")?.execute([id])?;
    index.prepare_cached("DELETE FROM conversations WHERE id = ?1")?.execute([id])?;
    Ok(())
}
