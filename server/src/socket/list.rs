//! News of the list of sessions, for clients that show it: what changed is gathered for a moment, read from the log as it
//! is then, and told in one frame. It is in no log; a client that misses some reads the list again.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use switchboard_protocol::{ServerMessage, SessionId, SessionSummary};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, sleep_until};

use switchboard_accounts::Principal;
use switchboard_events::{EventLog, SessionChange, SessionIndex};
use switchboard_session::{Forks, Sessions, frame_text};

/// How long changes are gathered.
const GATHER: Duration = Duration::from_millis(250);
/// How many sessions one frame tells; of more the client reads the list.
const TOLD: usize = 100;

/// What changes in the list of one user.
pub(super) struct ListNews {
    index: Arc<dyn SessionIndex>,
    forks: Forks,
    owner: Principal,
    changes: Receiver<SessionChange>,
    gathered: BTreeSet<SessionId>,
    removed: BTreeSet<SessionId>,
    /// More changed than is known.
    more: bool,
    /// When what is gathered is told.
    due: Option<Instant>,
}

impl ListNews {
    /// From now on.
    pub(super) fn new(sessions: &Sessions, owner: &Principal) -> Self {
        let index: Arc<dyn SessionIndex> = Arc::<dyn EventLog>::clone(&sessions.services().log);
        let (owner, changes) = (owner.clone(), index.changes());
        let (gathered, removed) = (BTreeSet::new(), BTreeSet::new());
        Self { index, forks: sessions.forks().clone(), owner, changes, gathered, removed, more: false, due: None }
    }

    /// The next frame's text. Canceling it loses nothing.
    pub(super) async fn next(&mut self) -> String {
        loop {
            match self.due {
                None => {
                    let change = self.changes.recv().await;
                    self.note(change).await;
                }
                Some(due) => tokio::select! {
                    () = sleep_until(due) => break,
                    change = self.changes.recv() => self.note(change).await,
                },
            }
        }
        let (changed, more) = self.read().await;
        let removed = std::mem::take(&mut self.removed).into_iter().collect();
        self.gathered.clear();
        (self.more, self.due) = (false, None);
        frame_text(ServerMessage::SessionsUpdate { changed, removed, more: more.then_some(true) })
    }

    async fn note(&mut self, change: Result<SessionChange, RecvError>) {
        match change {
            Ok(change) if change.owner != self.owner => return,
            Ok(SessionChange { session, gone: true, .. }) => {
                self.gathered.remove(&session);
                self.removed.insert(session);
            }
            Ok(SessionChange { session, .. }) => {
                self.gathered.insert(session);
            }
            Err(RecvError::Lagged(_)) => self.more = true,
            // The log is closed, and the server is about to be.
            Err(RecvError::Closed) => std::future::pending().await,
        }
        self.due.get_or_insert_with(|| Instant::now() + GATHER);
    }

    /// The sessions as they are now, and whether there is more to know.
    async fn read(&self) -> (Vec<SessionSummary>, bool) {
        if self.gathered.len() > TOLD {
            return (Vec::new(), true);
        }
        let gathered: Vec<SessionId> = self.gathered.iter().copied().collect();
        let Ok(rows) = self.index.rows(&self.owner, &gathered).await else { return (Vec::new(), true) };
        match self.forks.summaries(rows).await {
            Ok(changed) => (changed, self.more),
            Err(_) => (Vec::new(), true),
        }
    }
}
