//! [`Forks`]: which sessions were forked from which. A session says so on its first event, which never changes, so what
//! was read once is held.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::stream::{self, StreamExt, TryStreamExt};
use switchboard_protocol::{SessionId, SessionSummary};

use switchboard_events::{ForkRecord, LogError, ServerOnly, SessionLog, SessionRow};

/// Of how many sessions it is held.
const HELD: usize = 20_000;
/// How many sessions are read at once.
const READ_AT_ONCE: usize = 16;

/// A session's origin, if it has one.
type Origin = Option<Arc<ForkRecord>>;

/// What sessions say of their origins. Cheap to clone.
#[derive(Clone)]
pub struct Forks {
    log: Arc<dyn SessionLog>,
    held: Arc<Mutex<HashMap<SessionId, Origin>>>,
}

impl Forks {
    /// Those in this log.
    #[must_use]
    pub fn new(log: Arc<dyn SessionLog>) -> Self {
        Self { log, held: Arc::default() }
    }

    /// The sessions as lists show them.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub async fn summaries(&self, rows: Vec<SessionRow>) -> Result<Vec<SessionSummary>, LogError> {
        let known = self.of_all(rows).await?;
        let told = known.into_iter().map(|(row, fork)| {
            let forked_from = fork.map(|fork| fork.from);
            SessionSummary { forked_from, ..SessionSummary::from(row) }
        });
        Ok(told.collect())
    }

    /// The sessions with what they say of their origins.
    pub(super) async fn of_all(&self, rows: Vec<SessionRow>) -> Result<Vec<(SessionRow, Origin)>, LogError> {
        let known = stream::iter(rows).map(|row| async {
            let fork = self.of(&row).await?;
            Ok((row, fork))
        });
        known.buffered(READ_AT_ONCE).try_collect().await
    }

    async fn of(&self, row: &SessionRow) -> Result<Origin, LogError> {
        if let Some(fork) = self.held().get(&row.session) {
            return Ok(fork.clone());
        }
        if row.last_seq == 0 {
            return Ok(None);
        }
        let first = match self.log.read(row.session, 0, 1).await {
            Ok(page) => page.into_iter().next(),
            // It was deleted meanwhile, or says that it is damaged when it is opened.
            Err(LogError::Damaged { .. } | LogError::UnknownSession(_)) => None,
            Err(error) => return Err(error),
        };
        let Some(first) = first else { return Ok(None) };
        let private = first.private.filter(|private| private.contains("\"fork\""));
        let private = private.and_then(|private| serde_json::from_str::<ServerOnly>(&private).ok());
        let fork = private.and_then(|private| private.fork).map(Arc::new);
        let mut held = self.held();
        if held.len() >= HELD {
            held.clear();
        }
        held.insert(row.session, fork.clone());
        Ok(fork)
    }

    fn held(&self) -> std::sync::MutexGuard<'_, HashMap<SessionId, Origin>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
