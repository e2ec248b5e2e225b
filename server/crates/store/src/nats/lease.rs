//! Which servers live: each renews a message that vanishes five seconds after it was written.
//!
//! A lease fences nothing, for clocks and pauses are what they are: the sequence that each append expects does. It says whose
//! sessions are to be taken over, and where its server is. It is named for the data folder, so a server that starts there again
//! ends the lease of the one that was killed.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::HeaderMap;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use tokio::time::sleep;

use super::error::NatsError;
use super::jetstream::JetStream;
use super::layout::{LEASES, META, lease};
use super::message::StoredMessage;
use switchboard_events::{BlobHash, RemoteServer, ServerId};
use switchboard_protocol::SessionId;

/// How long a lease lives.
const TTL: Duration = Duration::from_secs(5);
/// For how long, from an attempt to renew the own lease that failed, the others are not taken for dead: each tries it as often.
const GRACE: Duration = Duration::from_millis(4500);
/// How long it is tried to renew it when something is to be written.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long it waits before it tries again.
const AGAIN: Duration = Duration::from_millis(100);
/// How often it is renewed.
pub(super) const EVERY: Duration = Duration::from_millis(1500);

/// What a lease says of its server. What a newer version says beside this is ignored.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Node {
    /// Its [`ServerId`].
    pub(super) server: String,
    /// Where other servers reach it, as `host:port`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) address: Option<String>,
    /// The workspace that it offers.
    pub(super) workspace: String,
    pub(super) version: String,
    /// It is about to stop: others may take what it has nothing to do for.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) leaving: bool,
}

/// Servers by their names.
pub(super) type Nodes = HashMap<String, Node>;

/// This server's lease, and those of the others.
#[derive(Debug)]
pub(super) struct Lease {
    jetstream: JetStream,
    subject: String,
    node: Mutex<Node>,
    /// Until when nobody takes this server for dead.
    until: Mutex<Option<Instant>>,
    /// When an attempt to renew it began that failed, the last one.
    failed_at: Mutex<Option<Instant>>,
    /// Whoever holds it renews it for all that wait.
    renewing: tokio::sync::Mutex<()>,
    /// The servers that lived when it was last looked.
    seen: watch::Sender<Arc<Nodes>>,
}

impl Node {
    /// Whether it can have a session of this workspace; one that says none can be anywhere.
    pub(super) fn offers(&self, workspace: &str) -> bool {
        !self.leaving && (workspace.is_empty() || self.workspace == workspace)
    }

    /// As others reach it.
    pub(super) fn remote(&self) -> RemoteServer {
        RemoteServer { id: ServerId::named(&self.server), address: self.address.clone() }
    }
}

/// The server that is to have a session of this workspace: for each session all servers choose the same one, and for many
/// sessions each is chosen about as often.
pub(super) fn chosen<'a>(nodes: &'a Nodes, session: SessionId, workspace: &str) -> Option<&'a Node> {
    let weight = |node: &&Node| BlobHash::of(format!("{session} {}", node.server).as_bytes()).to_string();
    nodes.values().filter(|node| node.offers(workspace)).max_by_key(weight)
}

impl Lease {
    /// The lease of the server that has the data folder of this name; it holds when it is renewed.
    pub(super) fn new(jetstream: JetStream, folder: &str, node: Node) -> Self {
        let seen = watch::Sender::new(Arc::new(HashMap::from([(node.server.clone(), node.clone())])));
        let (until, failed_at, renewing) = (Mutex::default(), Mutex::default(), tokio::sync::Mutex::default());
        Self { jetstream, subject: lease(folder), node: Mutex::new(node), until, failed_at, renewing, seen }
    }

    /// The workspace that this server offers.
    pub(super) fn workspace(&self) -> String {
        locked(&self.node).workspace.clone()
    }

    /// Whether this server can have a session of this workspace.
    pub(super) fn offers(&self, workspace: &str) -> bool {
        locked(&self.node).offers(workspace)
    }

    /// Says something else of this server from now on.
    pub(super) async fn tell(&self, change: impl FnOnce(&mut Node) + Send) -> Result<(), NatsError> {
        change(&mut locked(&self.node));
        self.renew().await
    }

    /// Renews it.
    pub(super) async fn renew(&self) -> Result<(), NatsError> {
        // Counted from before it was written, so that it ends here first.
        let begun = Instant::now();
        let mut headers = HeaderMap::new();
        headers.insert("Nats-TTL", format!("{}s", TTL.as_secs()));
        let text = serde_json::to_vec(&*locked(&self.node)).expect("texts are JSON");
        let renewed = self.jetstream.publish(&self.subject, None, headers, text.into()).await;
        match renewed {
            Ok(_) => *locked(&self.until) = Some(begun + TTL),
            Err(_) => *locked(&self.failed_at) = Some(begun),
        }
        renewed.map(drop)
    }

    /// Renews it if it has run out; while NATS has no leader for it, that is waited for.
    pub(super) async fn hold(&self) -> Result<(), NatsError> {
        if self.is_held() {
            return Ok(());
        }
        let (begun, _renewing) = (Instant::now(), self.renewing.lock().await);
        while !self.is_held() {
            match self.renew().await {
                Err(error) if error.may_pass() && begun.elapsed() < PATIENCE => sleep(AGAIN).await,
                renewed => return renewed,
            }
        }
        Ok(())
    }

    /// Whether it holds.
    pub(super) fn is_held(&self) -> bool {
        locked(&self.until).is_some_and(|until| Instant::now() < until)
    }

    /// Ends it.
    pub(super) async fn release(&self) -> Result<(), NatsError> {
        *locked(&self.until) = None;
        self.jetstream.purge(META, &self.subject).await
    }

    /// The leases of other servers, by their sequences: a server that lives soon has another one.
    pub(super) async fn others(&self) -> Result<HashSet<u64>, NatsError> {
        let leases = self.jetstream.last_of_each(META, LEASES).await?;
        Ok(leases.into_iter().filter(|lease| lease.subject != self.subject).map(|lease| lease.seq).collect())
    }

    /// The servers that lived when it was last looked, this one among them.
    pub(super) fn seen(&self) -> Arc<Nodes> {
        Arc::clone(&self.seen.borrow())
    }

    /// Hears whenever others live than before.
    pub(super) fn watch(&self) -> watch::Receiver<Arc<Nodes>> {
        self.seen.subscribe()
    }

    /// The servers that live, this one among them. While NATS was away none could renew its lease: those that lived before
    /// have the time to do it.
    pub(super) async fn look(&self) -> Result<Arc<Nodes>, NatsError> {
        let mut living = self.read(self.jetstream.last_of_each(META, LEASES).await?);
        // Any NATS server may have answered, also one that has not heard of renewals for a while: whether somebody has gone, the
        // leader says.
        if self.seen().keys().any(|server| !living.contains_key(server) && *server != locked(&self.node).server) {
            living = self.read(self.told_by_leader().await?);
        }
        let own = locked(&self.node).clone();
        living.insert(own.server.clone(), own);
        if locked(&self.failed_at).is_some_and(|failed| failed.elapsed() < GRACE) {
            for (server, node) in &*self.seen() {
                living.entry(server.clone()).or_insert_with(|| node.clone());
            }
        }
        let living = Arc::new(living);
        self.seen.send_if_modified(|seen| {
            let is_other = *seen != living;
            if is_other {
                tell_changes(seen, &living);
                *seen = Arc::clone(&living);
            }
            is_other
        });
        Ok(living)
    }

    /// Whose leases these are, but for this server's own.
    fn read(&self, leases: Vec<StoredMessage>) -> Nodes {
        let others = leases.into_iter().filter(|lease| lease.subject != self.subject);
        let nodes = others.filter_map(|lease| serde_json::from_slice::<Node>(&lease.payload).ok());
        nodes.map(|node| (node.server.clone(), node)).collect()
    }

    /// All leases as the leader has them.
    async fn told_by_leader(&self) -> Result<Vec<StoredMessage>, NatsError> {
        let (mut from, mut leases) = (1, Vec::new());
        while let Some(lease) = self.jetstream.next(META, LEASES, from).await? {
            from = lease.seq + 1;
            leases.push(lease);
        }
        Ok(leases)
    }
}

fn tell_changes(before: &Nodes, now: &Nodes) {
    for node in now.values().filter(|node| !before.contains_key(&node.server)) {
        let Node { server, address, workspace, version, .. } = node;
        tracing::info!(server, address, workspace, version, "another server shares the log");
    }
    for node in before.values().filter(|node| !now.contains_key(&node.server)) {
        tracing::info!(server = node.server, address = node.address, "another server has gone");
    }
}

fn locked<T>(held: &Mutex<T>) -> MutexGuard<'_, T> {
    held.lock().unwrap_or_else(PoisonError::into_inner)
}
