//! [`ConversationIndex`]: a task reads what changed into the index, a moment after it changed, and questions are answered
//! beside it. What is found is looked up in the log before it is told, so that nothing deleted, and nothing of anybody
//! else, is told even when the index is behind.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use tokio::sync::{Notify, Semaphore, watch};
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use super::feed::{FeedError, Feeder};
use super::file::{IndexFile, is_broken};
use super::find::{Hit, find};
use super::source::IndexedLog;
use super::words::expression;
use switchboard_accounts::Principal;
use switchboard_events::{ConversationSearch, FoundSession, LogError, SearchResult, SessionChange, SessionRow};
use switchboard_protocol::SessionId;
use switchboard_runtime::Shutdown;

/// How long changes are gathered before they are read.
const GATHER: Duration = Duration::from_millis(200);
/// How long nothing is tried after the index could not be written,
const RETRY: Duration = Duration::from_secs(30);
/// and after the log could not be read: NATS may just have been away.
const LOG_RETRY: Duration = Duration::from_secs(5);
/// How long nothing is tried after the file turned out to be broken.
const AGAIN: Duration = Duration::from_secs(1);
/// How many questions are answered at the same time.
const QUESTIONS: usize = 2;

/// Finds what was said in all conversations.
pub struct ConversationIndex {
    shared: Arc<Shared>,
}

struct Shared {
    log: Arc<dyn IndexedLog>,
    file: IndexFile,
    /// Not everything has been read since the start, or since the file was lost; told anew whenever all has been read.
    indexing: watch::Sender<bool>,
    /// A question found the file broken.
    broken: AtomicBool,
    noticed: Notify,
    questions: Arc<Semaphore>,
}

impl ConversationIndex {
    /// The index of a log, in a file of the data folder `folder`, kept up to date until the shutdown.
    #[must_use]
    pub fn start(folder: &Path, log: Arc<dyn IndexedLog>, shutdown: &Shutdown) -> Self {
        let changes = log.changes();
        let index = Self::new(folder, log);
        let (shared, stop) = (Arc::clone(&index.shared), shutdown.clone());
        drop(shutdown.spawn(async move {
            tokio::select! {
                () = stop.stopping().cancelled() => {}
                () = keep_up(&shared, changes) => {}
            }
        }));
        index
    }

    /// The index as it is when everything in the log has been read once; for programs that ask and end.
    ///
    /// # Errors
    /// When the log or the index cannot be read.
    pub async fn caught_up(folder: &Path, log: Arc<dyn IndexedLog>) -> Result<Self, LogError> {
        let index = Self::new(folder, log);
        let mut feeder = index.shared.feeder();
        while feeder.has_work() {
            let done = feeder.step().await;
            done.map_err(|error| LogError::Store(format!("the index of conversations cannot be built: {error:?}")))?;
        }
        index.shared.indexing.send_replace(false);
        Ok(index)
    }

    #[cfg(test)]
    pub(super) fn shared_file(&self) -> &IndexFile {
        &self.shared.file
    }

    /// Tells whenever all that is known of has been read.
    #[cfg(test)]
    pub(super) fn passes(&self) -> watch::Receiver<bool> {
        self.shared.indexing.subscribe()
    }

    fn new(folder: &Path, log: Arc<dyn IndexedLog>) -> Self {
        let shared = Shared {
            file: IndexFile::in_folder(folder, &log.generation()),
            log,
            indexing: watch::Sender::new(true),
            broken: AtomicBool::new(false),
            noticed: Notify::new(),
            questions: Arc::new(Semaphore::new(QUESTIONS)),
        };
        Self { shared: Arc::new(shared) }
    }
}

#[async_trait]
impl ConversationSearch for ConversationIndex {
    async fn search(&self, owner: &Principal, words: &str, limit: usize) -> Result<SearchResult, LogError> {
        let indexing = *self.shared.indexing.borrow();
        let Some(expression) = expression(words) else { return Ok(SearchResult::default()) };
        let Some((hits, more)) = self.shared.ask(owner.clone(), expression, limit).await? else {
            return Ok(SearchResult { indexing: true, ..SearchResult::default() });
        };
        let ids: Vec<SessionId> = hits.iter().map(|hit| hit.session).collect();
        let mut rows: HashMap<SessionId, SessionRow> =
            self.shared.log.rows(owner, &ids).await?.into_iter().map(|row| (row.session, row)).collect();
        let sessions = hits.into_iter().filter_map(|Hit { session, title, places, .. }| {
            Some(FoundSession { row: rows.remove(&session)?, title, places })
        });
        Ok(SearchResult { sessions: sessions.collect(), more, indexing })
    }
}

impl Shared {
    fn feeder(&self) -> Feeder {
        Feeder::new(Arc::clone(&self.log), self.file.clone())
    }

    /// What is found; none if the file cannot be used, which is being seen to.
    async fn ask(
        &self,
        owner: Principal,
        expression: String,
        limit: usize,
    ) -> Result<Option<(Vec<Hit>, bool)>, LogError> {
        let turn = Arc::clone(&self.questions).acquire_owned().await.map_err(|_| LogError::Closed)?;
        let file = self.file.clone();
        // At the very start there is no file yet, and that is nobody's fault.
        let starting = *self.indexing.borrow();
        let asked = spawn_blocking(move || {
            let answer = file.open_reader().and_then(|connection| find(&connection, &owner, &expression, limit));
            drop(turn);
            answer
        });
        match asked.await.map_err(|error| LogError::Store(error.to_string()))? {
            Ok(found) => Ok(Some(found)),
            Err(_) if starting => Ok(None),
            Err(error) if is_broken(&error) || !self.file.is_there() => {
                tracing::warn!(%error, "the index of conversations is damaged; it is built again");
                self.indexing.send_replace(true);
                self.broken.store(true, Ordering::Relaxed);
                self.noticed.notify_one();
                Ok(None)
            }
            Err(error) => Err(LogError::Store(format!("the index of conversations cannot be read: {error}"))),
        }
    }
}

/// Reads what changes, for ever.
async fn keep_up(shared: &Shared, mut changes: Receiver<SessionChange>) {
    let mut feeder = shared.feeder();
    loop {
        if shared.broken.swap(false, Ordering::Relaxed) {
            shared.file.remove();
            feeder.everything_changed();
        }
        while feeder.has_work() {
            if feeder.starts_over() {
                shared.indexing.send_replace(true);
            }
            if let Err(error) = feeder.step().await {
                start_over(shared, &error).await;
            }
        }
        shared.indexing.send_replace(false);
        feeder.rest();
        tokio::select! {
            change = changes.recv() => match change {
                Ok(change) => feeder.session_changed(change.session),
                Err(RecvError::Lagged(_)) => feeder.everything_changed(),
                Err(RecvError::Closed) => return,
            },
            () = shared.noticed.notified() => {}
        }
        sleep(GATHER).await;
        gather(&mut feeder, &mut changes);
    }
}

/// Takes note of all that has changed by now.
fn gather(feeder: &mut Feeder, changes: &mut Receiver<SessionChange>) {
    loop {
        match changes.try_recv() {
            Ok(change) => feeder.session_changed(change.session),
            Err(TryRecvError::Lagged(_)) => feeder.everything_changed(),
            Err(TryRecvError::Empty | TryRecvError::Closed) => return,
        }
    }
}

/// A broken file goes; what else is wrong may pass.
async fn start_over(shared: &Shared, error: &FeedError) {
    shared.indexing.send_replace(true);
    match error {
        FeedError::Index(error) if is_broken(error) || !shared.file.is_there() => {
            tracing::warn!(%error, "the index of conversations is damaged; it is built again");
            shared.file.remove();
            sleep(AGAIN).await;
        }
        FeedError::Index(error) => {
            tracing::warn!(%error, "the index of conversations cannot be written; it is tried again later");
            sleep(RETRY).await;
        }
        FeedError::Log(error) => {
            tracing::warn!(%error, "the log cannot be read into the index; it is tried again later");
            sleep(LOG_RETRY).await;
        }
    }
}
