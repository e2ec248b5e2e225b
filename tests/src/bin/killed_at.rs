//! `killed_at …`: the server, started as ever, which is killed at the point that `KILLED_AT` names: `before 12`, when the twelfth
//! event of a session is handed to the log, or `after 12`, as soon as it is durable. All that a turn does is an event, so these
//! are the moments before and after each of its steps. It is a program of its own, so that the server has no such points.

use std::process::ExitCode;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use rustix::process::{Signal, getpid, kill_process};
use switchboard::{cli, enter_worker};
use switchboard_accounts::Principal;
use switchboard_events::{
    Append, BlobHash, Committed, EventLog, ListPage, LogError, LogRoom, Ownership, Retention, ServerId, SessionChange,
    SessionIndex, SessionLog, SessionRow, StoredEvent,
};
use switchboard_protocol::SessionId;
use tokio::sync::broadcast;

fn main() -> ExitCode {
    enter_worker().unwrap_or_else(|| cli::run_over(|log| Arc::new(KilledAt { log, point: Point::named() })))
}

/// Where it is killed.
#[derive(Clone, Copy)]
enum Point {
    Before(u64),
    After(u64),
}

impl Point {
    fn named() -> Self {
        #[expect(clippy::disallowed_methods, reason = "the server's own settings are not for this")]
        let named = std::env::var("KILLED_AT").expect("KILLED_AT names the point");
        match named.split_once(' ') {
            Some(("before", seq)) => Self::Before(seq.parse().expect("the number of an event")),
            Some(("after", seq)) => Self::After(seq.parse().expect("the number of an event")),
            _ => panic!("KILLED_AT is `before N` or `after N`, and not `{named}`"),
        }
    }
}

struct KilledAt {
    log: Arc<dyn EventLog>,
    point: Point,
}

fn killed() {
    kill_process(getpid(), Signal::KILL).expect("a process may kill itself");
}

#[async_trait]
impl SessionLog for KilledAt {
    fn generation(&self) -> Arc<str> {
        self.log.generation()
    }

    fn report(&self) -> Option<String> {
        self.log.report()
    }

    async fn create(&self, session: SessionId, owner: &Principal) -> Result<(), LogError> {
        self.log.create(session, owner).await
    }

    async fn claim(&self, session: SessionId) -> Result<u64, LogError> {
        self.log.claim(session).await
    }

    fn append(&self, append: Append) -> Committed {
        let events = append.expected + 1..=append.expected + append.events.len() as u64;
        if matches!(self.point, Point::Before(seq) if events.contains(&seq)) {
            killed();
        }
        let committed = self.log.append(append);
        match self.point {
            Point::After(seq) if events.contains(&seq) => Box::pin(async {
                let result = committed.await;
                killed();
                result
            }),
            _ => committed,
        }
    }

    fn is_crowded(&self, bytes: usize) -> bool {
        self.log.is_crowded(bytes)
    }

    async fn room(&self) -> LogRoom {
        self.log.room().await
    }

    async fn read(&self, session: SessionId, after: u64, limit: u64) -> Result<Vec<StoredEvent>, LogError> {
        self.log.read(session, after, limit).await
    }

    async fn read_before(&self, session: SessionId, before: u64, limit: u64) -> Result<Vec<StoredEvent>, LogError> {
        self.log.read_before(session, before, limit).await
    }

    async fn blob(&self, session: SessionId, hash: &BlobHash) -> Result<Option<Bytes>, LogError> {
        self.log.blob(session, hash).await
    }

    async fn delete(&self, session: SessionId) -> Result<bool, LogError> {
        self.log.delete(session).await
    }

    async fn check(&self) -> Result<(), LogError> {
        self.log.check().await
    }

    async fn close(&self) {
        self.log.close().await;
    }
}

#[async_trait]
impl SessionIndex for KilledAt {
    async fn get(&self, session: SessionId, owner: &Principal) -> Result<Option<SessionRow>, LogError> {
        self.log.get(session, owner).await
    }

    async fn rows(&self, owner: &Principal, sessions: &[SessionId]) -> Result<Vec<SessionRow>, LogError> {
        self.log.rows(owner, sessions).await
    }

    async fn list(&self, owner: &Principal, page: &ListPage) -> Result<Vec<SessionRow>, LogError> {
        self.log.list(owner, page).await
    }

    async fn expired(&self, retention: &Retention, limit: u64) -> Result<Vec<SessionRow>, LogError> {
        self.log.expired(retention, limit).await
    }

    async fn pin(&self, session: SessionId, pinned: bool) -> Result<bool, LogError> {
        self.log.pin(session, pinned).await
    }

    async fn hand_over(&self, session: SessionId, owner: &Principal) -> Result<bool, LogError> {
        self.log.hand_over(session, owner).await
    }

    fn changes(&self) -> broadcast::Receiver<SessionChange> {
        self.log.changes()
    }
}

#[async_trait]
impl Ownership for KilledAt {
    fn server(&self) -> ServerId {
        self.log.server()
    }

    async fn owner(&self, session: SessionId) -> Result<Option<ServerId>, LogError> {
        self.log.owner(session).await
    }

    async fn orphans(&self) -> Result<Vec<SessionRow>, LogError> {
        self.log.orphans().await
    }
}
