//! The one thread that writes: it takes a batch, applies each job in a savepoint of its own, and commits once for all. Appends
//! of a session that follow one another are one job: they become one record.
//!
//! A refused job leaves no trace and the others go on. When the transaction itself fails, every job of the batch fails,
//! and the connection is thrown away: a commit that failed is never tried again and called a success.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::append;
use super::connection::{BUSY, Store};
use super::error::store_error;
use super::history::Standing;
use super::lock::DataLock;
use super::mark::Mark;
use super::presence::Presence;
use super::queue::{Job, Queue, Work};
use super::records::RECORD_BYTES;
use switchboard_events::{Append, LogError, LogRoom, SessionChange, SessionChanges};
use switchboard_protocol::SessionId;

/// When the write-ahead log is larger than this, its content is moved to the main file and it is cut to nothing.
const WAL_MAX_BYTES: u64 = 32 * 1024 * 1024;

/// How often it is looked whether the files are still there, when nothing is written.
const LOOK: Duration = Duration::from_millis(500);

/// Whoever appends holds this end.
#[derive(Debug)]
pub(super) struct Writer {
    queue: Arc<Queue>,
    /// What is wrong with the files, for people.
    lost: Arc<Mutex<Option<String>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Writer {
    /// Starts the thread, which keeps the lock until it ends, and the mark up to date.
    pub(super) fn start(
        store: Store,
        (connection, standing, mark): (Connection, Standing, Mark),
        lock: DataLock,
        changes: Arc<SessionChanges>,
    ) -> Result<Self, LogError> {
        let (queue, lost) = (Arc::new(Queue::default()), Arc::default());
        let anchor = store.open_reader()?;
        // Takes note of them: from here on they are the ones.
        let mut files = Presence::default();
        store.check(&mut files)?;
        let thread = Thread {
            queue: Arc::clone(&queue),
            store,
            connection: Some((connection, standing)),
            wal_limit: WAL_MAX_BYTES,
            files,
            lost: Arc::clone(&lost),
            mark,
            changes,
            _anchor: anchor,
            _lock: lock,
        };
        let thread = std::thread::Builder::new()
            .name("event-log".to_owned())
            .spawn(move || thread.run())
            .map_err(|error| LogError::Store(format!("its writer cannot be started: {error}")))?;
        Ok(Self { queue, lost, thread: Mutex::new(Some(thread)) })
    }

    /// Hands over work, at once; the future completes when it is durable or refused, and may be dropped.
    pub(super) fn submit(&self, work: Work) -> impl Future<Output = Result<bool, LogError>> + Send + 'static {
        let (job, outcome) = Job::new(work);
        let pushed = self.queue.push(job);
        async move {
            pushed?;
            outcome.await.unwrap_or(Err(LogError::Closed))
        }
    }

    /// Whether nothing new of so many bytes is to begin.
    pub(super) fn is_crowded(&self, bytes: usize) -> bool {
        self.queue.is_crowded(bytes)
    }

    /// Waits until it is not behind.
    pub(super) async fn room(&self) -> LogRoom {
        self.queue.room().await
    }

    /// What is wrong with the files now, for people.
    pub(super) fn lost(&self) -> Option<String> {
        self.lost.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Writes what waits and ends the thread.
    pub(super) async fn close(&self) {
        self.queue.close();
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread
            && tokio::task::spawn_blocking(move || thread.join()).await.is_err()
        {
            tracing::error!("the event log's writer did not end properly");
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.queue.close();
    }
}

struct Thread {
    queue: Arc<Queue>,
    store: Store,
    /// The database, and where its log stands.
    connection: Option<(Connection, Standing)>,
    /// How large the write-ahead log may be before it is shortened.
    wal_limit: u64,
    /// The files that are written.
    files: Presence,
    /// What is wrong with them.
    lost: Arc<Mutex<Option<String>>>,
    /// How far the database has come, beside it.
    mark: Mark,
    /// Who watches the list of sessions.
    changes: Arc<SessionChanges>,
    /// Keeps the index of the write-ahead log in memory while the writer's connection is opened anew. Without it the
    /// log would be read again, and a commit that was reported as failed could come back.
    _anchor: Connection,
    _lock: DataLock,
}

impl Drop for Thread {
    /// Also when the thread panics: nobody may wait for a writer that is gone.
    fn drop(&mut self) {
        self.queue.abandon();
    }
}

impl Thread {
    fn run(mut self) {
        let mut look_at = Instant::now() + LOOK;
        loop {
            let until = self.mark.due_at().map_or(look_at, |due| due.min(look_at));
            let Some(batch) = self.queue.next_batch(until) else { break };
            if !batch.is_empty() {
                self.write(batch);
                self.shorten_wal();
            }
            if look_at <= Instant::now() {
                self.look();
                look_at = Instant::now() + LOOK;
            }
            self.mark.write_if_due();
        }
        if let Some((connection, _)) = self.connection.take()
            && let Err((_, error)) = connection.close()
        {
            tracing::warn!(%error, "the event log's file could not be closed cleanly; nothing is lost");
        }
        self.mark.finish();
    }

    /// Says so once if somebody has taken the files away; nothing is acknowledged then, because each commit looks too.
    fn look(&mut self) {
        let found = self.store.check(&mut self.files).err().map(|error| error.to_string());
        let mut lost = self.lost.lock().unwrap_or_else(PoisonError::into_inner);
        if *lost == found {
            return;
        }
        match &found {
            Some(error) => tracing::error!("failed to {error}"),
            None => tracing::info!("the files of the event log are there again"),
        }
        *lost = found;
    }

    fn write(&mut self, batch: Vec<Job>) {
        match self.commit(&batch) {
            Ok(outcomes) => {
                // The last first: a session waits for its first one, so that it is woken once and finds all the others.
                let mut changes = Vec::new();
                for (job, outcome) in batch.into_iter().zip(outcomes).rev() {
                    let outcome = outcome.map(|change| {
                        let found = change.is_some();
                        changes.extend(change);
                        found
                    });
                    job.answer(&outcome);
                }
                changes.into_iter().rev().for_each(|change| self.changes.tell(change));
            }
            Err(error) => {
                tracing::error!(%error, jobs = batch.len(), "a commit failed; its file is reopened");
                self.connection = None;
                for job in batch {
                    job.answer(&Err(error.clone()));
                }
            }
        }
    }

    fn commit(&mut self, batch: &[Job]) -> Result<Vec<Result<Option<SessionChange>, LogError>>, LogError> {
        // Before, so that no other file is opened or made in its place.
        self.store.check(&mut self.files)?;
        let (connection, standing) = match self.connection.take() {
            Some(connection) => connection,
            None => {
                let connection = self.store.reopen_writer()?;
                // What became of the commit that failed is not certain.
                let standing = Standing::read(&connection)?;
                (connection, standing)
            }
        };
        let (outcomes, now) = commit(&connection, &self.store, batch, &standing)?;
        self.store.check(&mut self.files)?;
        if now != standing {
            self.mark.note(now.history());
        }
        self.connection = Some((connection, now));
        Ok(outcomes)
    }

    /// Keeps the write-ahead log's file small. Our readers never hold it back for long; when somebody else does, it is
    /// tried again only after it has grown as much once more, so that commits do not wait for them.
    fn shorten_wal(&mut self) {
        let Some((connection, _)) = &self.connection else { return };
        let bytes = self.store.wal_bytes();
        if bytes <= self.wal_limit {
            return;
        }
        self.wal_limit = bytes + WAL_MAX_BYTES;
        match checkpoint(connection) {
            Ok(true) => self.wal_limit = WAL_MAX_BYTES,
            Ok(false) => {
                tracing::warn!(bytes, "the write-ahead log could not be shortened: a read is taking a long time");
            }
            Err(error) => tracing::warn!(%error, bytes, "the write-ahead log could not be shortened"),
        }
    }
}

/// Moves everything to the main file and cuts the write-ahead log to nothing; false if somebody still reads from it.
fn checkpoint(connection: &Connection) -> rusqlite::Result<bool> {
    connection.busy_timeout(Duration::from_millis(100))?;
    let held_back = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0));
    connection.busy_timeout(BUSY)?;
    Ok(held_back? == 0)
}

/// What became of each job.
type Outcomes = Vec<Result<Option<SessionChange>, LogError>>;

/// Everything of the batch in one transaction, and where the log stands with it. The outer error means that nothing of it was
/// written.
pub(super) fn commit(
    connection: &Connection,
    store: &Store,
    batch: &[Job],
    standing: &Standing,
) -> Result<(Outcomes, Standing), LogError> {
    run(connection, "BEGIN IMMEDIATE")?;
    let mut now = standing.clone();
    let mut outcomes: Vec<_> = batch.iter().map(|_| Ok(None)).collect();
    for places in joined(batch) {
        let appends: Vec<&Append> = places.iter().filter_map(|&place| append_of(&batch[place])).collect();
        let together = match appends.as_slice() {
            [] | [_] => None,
            several => {
                in_savepoint(connection, store, &mut now, |standing| append::append_all(connection, several, standing))?
                    .ok()
            }
        };
        for place in places {
            outcomes[place] = match (&together, append_of(&batch[place])) {
                (Some(owner), Some(append)) => Ok(append::shown(append, owner)),
                // Where they cannot be one, each has an outcome of its own.
                _ => in_savepoint(connection, store, &mut now, |standing| {
                    append::apply(connection, store.max_sessions(), &batch[place].work, standing)
                })?,
            };
        }
    }
    now.save(standing, connection)?;
    run(connection, "COMMIT")?;
    Ok((outcomes, now))
}

/// The jobs in the order in which they are done: together those appends of a session that follow one another, in the place of
/// the first of them.
fn joined(batch: &[Job]) -> Vec<Vec<usize>> {
    /// The last place of a session, the event behind it, and how much text it has.
    struct Open {
        place: usize,
        next: u64,
        bytes: usize,
    }
    let mut joined: Vec<Vec<usize>> = Vec::with_capacity(batch.len());
    let mut open: HashMap<SessionId, Open> = HashMap::new();
    for (place, job) in batch.iter().enumerate() {
        if let Some(append) = append_of(job) {
            let (bytes, next) = (job.work.bytes(), append.expected + append.events.len() as u64);
            if let Some(open) = open.get_mut(&append.session)
                && open.next == append.expected
                && open.bytes + bytes <= RECORD_BYTES
            {
                joined[open.place].push(place);
                (open.next, open.bytes) = (next, open.bytes + bytes);
                continue;
            }
            open.insert(append.session, Open { place: joined.len(), next, bytes });
        } else if let Some(session) = job.work.session() {
            open.remove(&session);
        }
        joined.push(vec![place]);
    }
    joined
}

fn append_of(job: &Job) -> Option<&Append> {
    if let Work::Append(append) = &job.work { Some(append) } else { None }
}

/// Does something as a whole or not at all, and says where the log stands then.
fn in_savepoint<T>(
    connection: &Connection,
    store: &Store,
    standing: &mut Standing,
    work: impl FnOnce(&mut Standing) -> Result<T, LogError>,
) -> Result<Result<T, LogError>, LogError> {
    run(connection, "SAVEPOINT job")?;
    let before = standing.clone();
    let outcome = work(standing).map_err(|error| store.explained(error, connection));
    if let Err(error) = &outcome {
        *standing = before;
        // Some errors, a full disk among them, may have ended the whole transaction.
        if connection.is_autocommit() {
            return Err(error.clone());
        }
        run(connection, "ROLLBACK TO job")?;
    }
    run(connection, "RELEASE job")?;
    Ok(outcome)
}

fn run(connection: &Connection, sql: &str) -> Result<(), LogError> {
    let result = connection.prepare_cached(sql).and_then(|mut statement| statement.execute([]));
    result.map(drop).map_err(|error| store_error(&error))
}
