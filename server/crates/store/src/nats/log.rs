//! [`NatsLog`]: the three traits on JetStream.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use switchboard_accounts::Principal;
use switchboard_events::{
    Append, BlobHash, Committed, ListPage, LogError, Ownership, RemoteServer, Retention, ServerId, SessionChange,
    SessionIndex, SessionLog, SessionRow, StoredEvent,
};
use switchboard_protocol::SessionId;
use switchboard_runtime::Secret;
use tokio::sync::broadcast;
use tokio::task::JoinHandle;

use super::blobs;
use super::core::{Core, Standing};
use super::follow::{keep_lease, keep_looking, keep_up, next_orphans, read_all};
use super::index::Index;
use super::io_thread::IoThread;
use super::layout::{Layout, Subjects, secret};
use super::lease::{Lease, Node};
use super::link::Head;
use super::options::NatsOptions;
use super::reading::{Reader, Tail};
use super::rebuild::{self, RebuiltList, rebuild};
use crate::lock::DataLock;
use crate::read;

/// Names the data folder among those that share the log.
const NODE_FILE: &str = "node";

/// Keeps events in NATS JetStream.
#[derive(Debug)]
pub struct NatsLog {
    pub(super) core: Arc<Core>,
    generation: Arc<str>,
    /// What runs until it is closed.
    pub(super) tasks: Vec<JoinHandle<()>>,
    _lock: DataLock,
    /// Last: what runs on it goes first.
    io: IoThread,
}

impl NatsLog {
    /// Opens the log in NATS, or makes it there, and takes the data folder `folder`, which is created if it does not exist.
    ///
    /// # Errors
    /// When another server has the folder, NATS cannot be reached or does not keep what it acknowledges, or a part of the log is
    /// missing there.
    pub async fn open(folder: &Path, options: NatsOptions) -> Result<Self, LogError> {
        let log = Self::start(folder, options, true).await?;
        log.forget_imports().await?;
        Ok(log)
    }

    /// Opens the log; without `make` it has to be there.
    pub(crate) async fn start(folder: &Path, options: NatsOptions, make: bool) -> Result<Self, LogError> {
        let lock = DataLock::take(folder)?;
        let node = node(folder)?;
        let index = Index::make(folder)?;
        let io = IoThread::start()?;
        let (handle, server) = (io.handle().clone(), ServerId::random());
        let opened = io.run(async move {
            let jetstream = options.connect().await?;
            let layout = Layout::open(&jetstream, options.replicas.max(1), make).await?;
            let own = Node {
                server: server.as_str().to_owned(),
                workspace: options.workspace,
                version: env!("CARGO_PKG_VERSION").to_owned(),
                ..Node::default()
            };
            let lease = Lease::new(jetstream.clone(), &node, own);
            let core = Core::new((jetstream, index, lease), (server, options.max_sessions, handle));
            core.lease.hold().await?;
            core.lease.look().await?;
            let from = read_list(&core, layout.messages, make).await?;
            Ok((Arc::new(core), layout, from))
        });
        let (core, Layout { generation, warnings, .. }, from) = opened.await?;
        warnings.iter().for_each(|warning| tracing::warn!("{warning}"));
        tracing::warn!(
            "NATS does not tell whether it syncs each message to disk; unless its configuration has `sync_interval: always`, \
             what was acknowledged in the last two minutes is lost when a machine that it runs on loses power"
        );
        let tasks = vec![
            io.handle().spawn(keep_lease(Arc::clone(&core))),
            io.handle().spawn(keep_looking(Arc::clone(&core))),
            io.handle().spawn(keep_up(Arc::clone(&core), from)),
        ];
        Ok(Self { core, generation, tasks, _lock: lock, io })
    }

    /// Tells the other servers that share the log where they reach this one, as `host:port`.
    ///
    /// # Errors
    /// When NATS does not answer.
    pub async fn serve_at(&self, address: Option<String>) -> Result<(), LogError> {
        self.run(|core| async move { Ok(core.lease.tell(|node| node.address = address).await?) }).await
    }

    /// What the servers that share the log, and no values, prove to each other with who they are; the first one makes it.
    ///
    /// # Errors
    /// When NATS does not answer.
    pub async fn secret(&self) -> Result<Secret, LogError> {
        self.run(|core| async move { secret(&core.jetstream).await }).await
    }

    /// Runs something on the log's own thread, to its end: whoever waits may stop waiting.
    pub(super) async fn run<T, F>(&self, task: impl FnOnce(Arc<Core>) -> F) -> Result<T, LogError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, LogError>> + Send + 'static,
    {
        self.io.run(task(Arc::clone(&self.core))).await
    }

    /// Removes what servers were importing that are gone.
    async fn forget_imports(&self) -> Result<(), LogError> {
        let living = self.core.lease.look().await?;
        for (row, place) in self.core.index.imports().await? {
            if !living.contains_key(&place.server) || place.server == self.core.server.as_str() {
                self.delete(row.session).await?;
                tracing::warn!(session = %row.session, "a session was being imported when its server ended; it is removed");
            }
        }
        Ok(())
    }

    /// Where a session ends, if its end can be read; its last event as far as the list knows it.
    pub(super) async fn end(&self, session: SessionId) -> Result<(Option<Head>, u64), LogError> {
        // Whoever writes it meanwhile is not waited for.
        if let Some(known) = self.core.known(session)
            && let Ok(standing) = known.standing.try_lock()
            && let Standing::Held(held) = &*standing
        {
            return Ok((Some(held.head.clone()), held.head.link.last));
        }
        match self.core.tail(session).await? {
            (Tail::Nothing, _) => Err(LogError::UnknownSession(session)),
            (Tail::Sound(last), said) => Ok((Some(last.into()), said)),
            // Reading towards it tells what is wrong.
            (Tail::Damaged(_), _) => Ok((None, u64::MAX)),
        }
    }
}

/// Reads the list, and makes again what is lost of it; the sequence behind it.
async fn read_list(core: &Core, messages: u64, mend: bool) -> Result<u64, LogError> {
    let (from, damaged) = read_all(core).await?;
    let is_lost = rebuild::is_lost(&core.jetstream, core.index.count().await? == 0, messages).await?;
    match (is_lost, mend) {
        (false, _) if damaged == 0 || !mend => return Ok(from),
        (true, false) => {
            return Err(LogError::Store(
                "its list of sessions is lost in NATS; start a server once, which makes it again".to_owned(),
            ));
        }
        _ => tracing::warn!("the list of sessions in NATS is lost or damaged; it is made again from the sessions"),
    }
    let RebuiltList { sessions, made, left } = rebuild(&core.jetstream, core.server.as_str()).await?;
    tracing::warn!("made {made} entries in the list of sessions again; there are {sessions} sessions");
    left.iter().for_each(|left| tracing::error!("an entry in the list of sessions is lost: {left}"));
    Ok(read_all(core).await?.0)
}

/// The name of the data folder; a new one if it has none.
fn node(folder: &Path) -> Result<String, LogError> {
    let path = folder.join(NODE_FILE);
    let failed = |error: std::io::Error| LogError::Store(format!("{} cannot be used: {error}", path.display()));
    match std::fs::read_to_string(&path) {
        Ok(text) if text.trim().parse::<SessionId>().is_ok() => return Ok(text.trim().to_owned()),
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(failed(error)),
        _ => {}
    }
    let name = SessionId::random().to_string();
    std::fs::write(&path, &name).map_err(failed)?;
    Ok(name)
}

#[async_trait]
impl SessionLog for NatsLog {
    fn generation(&self) -> Arc<str> {
        Arc::clone(&self.generation)
    }

    async fn create(&self, session: SessionId, owner: &Principal) -> Result<(), LogError> {
        let owner = owner.clone();
        self.run(|core| async move { core.create(session, &owner).await }).await
    }

    async fn claim(&self, session: SessionId) -> Result<u64, LogError> {
        self.run(|core| async move { core.claim(session).await }).await
    }

    fn append(&self, append: Append) -> Committed {
        self.core.append(append)
    }

    fn is_crowded(&self, bytes: usize) -> bool {
        self.core.backlog.is_crowded(bytes)
    }

    async fn read(&self, session: SessionId, after: u64, limit: u64) -> Result<Vec<StoredEvent>, LogError> {
        let (head, said) = self.end(session).await?;
        let end = head.as_ref().map_or(u64::MAX, |head| head.link.last);
        let wanted = (after.saturating_add(1), end.min(after.saturating_add(limit)));
        let (events, damage) = Reader::new(&self.core.jetstream, session).range(head.as_ref(), wanted).await?;
        match damage {
            Some(damage) if events.is_empty() => Err(damage),
            None if events.is_empty() && limit > 0 && said > end => {
                let detail = format!("the session has {said} events, but the last one found is {end}");
                Err(LogError::Damaged { session, seq: end + 1, detail })
            }
            _ => Ok(events),
        }
    }

    async fn read_before(&self, session: SessionId, before: u64, limit: u64) -> Result<Vec<StoredEvent>, LogError> {
        let (head, said) = self.end(session).await?;
        let end = head.as_ref().map_or(said, |head| head.link.last);
        let last = before.saturating_sub(1).min(end);
        let wanted = (last.saturating_sub(limit) + 1, last);
        match Reader::new(&self.core.jetstream, session).range(head.as_ref(), wanted).await? {
            (_, Some(damage)) => Err(damage),
            (events, None) => Ok(events),
        }
    }

    async fn blob(&self, session: SessionId, hash: &BlobHash) -> Result<Option<Bytes>, LogError> {
        blobs::load(&self.core.jetstream, Subjects::of(session), hash).await
    }

    async fn delete(&self, session: SessionId) -> Result<bool, LogError> {
        self.run(|core| async move { core.delete(session).await }).await
    }

    async fn check(&self) -> Result<(), LogError> {
        self.core.open()?;
        Ok(self.core.lease.renew().await?)
    }

    async fn close(&self) {
        for session in self.core.close() {
            session.queue.close().await;
            if let Standing::Held(held) = &mut *session.standing.lock().await
                && held.is_behind
                && let Err(error) = self.core.put_entry(session.id, held).await
            {
                tracing::warn!(session = %session.id, %error, "the list of sessions in NATS is behind");
            }
        }
        self.tasks.iter().for_each(JoinHandle::abort);
        if let Err(error) = self.core.lease.release().await {
            tracing::warn!(?error, "the lease in NATS could not be ended; it runs out by itself");
        }
    }
}

#[async_trait]
impl SessionIndex for NatsLog {
    async fn get(&self, session: SessionId, owner: &Principal) -> Result<Option<SessionRow>, LogError> {
        let row = match self.core.index.row(session).await? {
            Some(row) => Some(row),
            // Another server may have made it in this moment; the list of this one comes a little later.
            None => self.core.sure_entry(session).await?.0.map(|entry| entry.row(session)),
        };
        Ok(row.filter(|row| row.owner == *owner))
    }

    async fn rows(&self, owner: &Principal, sessions: &[SessionId]) -> Result<Vec<SessionRow>, LogError> {
        let (owner, sessions) = (owner.clone(), sessions.to_vec());
        self.core.index.with(move |connection| read::rows(connection, &owner, &sessions)).await
    }

    async fn list(&self, owner: &Principal, page: &ListPage) -> Result<Vec<SessionRow>, LogError> {
        let (owner, page) = (owner.clone(), page.clone());
        self.core.index.with(move |connection| read::list(connection, &owner, &page)).await
    }

    async fn expired(&self, retention: &Retention, limit: u64) -> Result<Vec<SessionRow>, LogError> {
        self.core.expired(retention, limit).await
    }

    async fn pin(&self, session: SessionId, pinned: bool) -> Result<bool, LogError> {
        let change = move |entry: &mut super::meta::Entry| {
            entry.pinned = pinned;
            Ok(())
        };
        self.run(move |core| async move { core.change_entry(session, change).await }).await
    }

    async fn hand_over(&self, session: SessionId, owner: &Principal) -> Result<bool, LogError> {
        let owner = owner.as_str().to_owned();
        self.run(move |core| async move {
            let change = |entry: &mut super::meta::Entry| {
                entry.owner.clone_from(&owner);
                entry.place = core.index.next_place()?;
                Ok(())
            };
            let is_there = core.change_entry(session, change).await?;
            core.note_entry(session).await?;
            Ok(is_there)
        })
        .await
    }

    fn changes(&self) -> broadcast::Receiver<SessionChange> {
        self.core.changes.watch()
    }
}

#[async_trait]
impl Ownership for NatsLog {
    fn server(&self) -> ServerId {
        self.core.server.clone()
    }

    async fn owner(&self, session: SessionId) -> Result<Option<ServerId>, LogError> {
        let last = match Reader::new(&self.core.jetstream, session).last().await? {
            Tail::Sound(last) => last,
            Tail::Nothing | Tail::Damaged(_) => return Ok(None),
        };
        let is_alive = self.core.is_ours(&last) || self.core.lease.look().await?.contains_key(&last.link.by);
        Ok(is_alive.then(|| ServerId::named(&last.link.by)))
    }

    async fn elsewhere(&self, session: SessionId) -> Result<Option<RemoteServer>, LogError> {
        self.core.elsewhere(session).await
    }

    async fn was_written_elsewhere(&self, session: SessionId, event: u64) -> Result<bool, LogError> {
        self.core.was_written(session, event).await
    }

    async fn end_of(&self, server: &ServerId) {
        self.core.end_of(server.as_str()).await;
    }

    async fn orphans(&self) -> Result<Vec<SessionRow>, LogError> {
        self.core.orphans(true).await
    }

    async fn next_orphans(&self) -> Vec<SessionRow> {
        next_orphans(&self.core).await
    }

    async fn release(&self, session: SessionId) -> Result<(), LogError> {
        self.run(move |core| async move { core.release(session).await }).await
    }

    async fn leave(&self) -> bool {
        let left = self.run(|core| async move { core.leave().await }).await;
        left.unwrap_or_else(|error| {
            tracing::warn!(%error, "other servers are not told that this one stops");
            false
        })
    }

    fn losses(&self) -> broadcast::Receiver<SessionId> {
        self.core.losses.subscribe()
    }
}
