//! Values that all servers share, in the stream of the list: encrypted, each the one message of its subject, replaced only by
//! whoever knows it.

use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::HeaderMap;
use switchboard_events::LogError;
use switchboard_runtime::{Change, KeyValueStore};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::cipher::ClusterKeys;
use super::core::Core;
use super::jetstream::PAGE;
use super::layout::{META, VALUES, name_of_value, value};
use super::log::NatsLog;
use super::message::StoredMessage;

/// How often it is looked for what other servers have changed.
const EVERY: Duration = Duration::from_millis(500);
/// For how long a value is tried to be replaced while others replace it, or while it is not known whether it was.
const UNCERTAIN: Duration = Duration::from_secs(10);
/// How much a value may have.
const MAX_BYTES: usize = 512 * 1024;
/// The value by which a server knows that it has the right key.
const CHECK: &str = "check";
const CHECK_VALUE: &[u8] = b"switchboard";

/// The values of a log in NATS.
#[derive(Debug)]
pub struct NatsValues {
    shared: Arc<Shared>,
    follows: JoinHandle<()>,
}

#[derive(Debug)]
struct Shared {
    core: Arc<Core>,
    keys: ClusterKeys,
    /// As they were last read, each with its sequence.
    known: Mutex<HashMap<String, (u64, Vec<u8>)>>,
    changes: watch::Sender<u64>,
}

impl NatsLog {
    /// The values that servers with these keys share. One of `names` that is not shared yet, and is a file of `folder`, is taken
    /// from there.
    ///
    /// # Errors
    /// When a value was encrypted with another key, or NATS does not answer.
    pub async fn values(&self, keys: ClusterKeys, folder: &Path, names: &[&str]) -> Result<NatsValues, LogError> {
        let mut files = Vec::new();
        for name in names {
            match std::fs::read(folder.join(name)) {
                Ok(content) => files.push(((*name).to_owned(), content)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => {
                    return Err(LogError::Store(format!("{name} in the data folder cannot be read: {error}")));
                }
            }
        }
        self.run(move |core| async move {
            let handle = core.handle.clone();
            let shared = Arc::new(Shared { core, keys, known: Mutex::default(), changes: watch::Sender::new(0) });
            let from = shared.begin(files).await?;
            let follows = handle.spawn(Arc::clone(&shared).follow(from));
            Ok(NatsValues { shared, follows })
        })
        .await
    }
}

impl Drop for NatsValues {
    fn drop(&mut self) {
        self.follows.abort();
    }
}

impl Shared {
    /// Reads all values, checks the key with them, and adds those that are not there; the sequence behind what was read.
    async fn begin(&self, files: Vec<(String, Vec<u8>)>) -> Result<u64, LogError> {
        let (mut from, mut old) = (1, Vec::new());
        loop {
            let page = self.core.jetstream.sure_page(META, VALUES, from, PAGE).await?;
            let Some(last) = page.last() else { break };
            from = last.seq + 1;
            for message in &page {
                if !self.take(message).ok_or_else(other_key)? {
                    old.push(message.subject.clone());
                }
            }
        }
        // First of all: who has another key must not add anything.
        self.add(CHECK, CHECK_VALUE).await?;
        for (name, content) in files {
            self.add(&name, &content).await?;
        }
        for subject in old {
            let name = name_of_value(&subject).unwrap_or_default();
            let known = self.known().get(name).cloned();
            if let Some((seq, content)) = known {
                // Who replaces it meanwhile has the newer key, too.
                self.replace(name, seq, &content).await?;
            }
        }
        Ok(from)
    }

    /// Adds a value unless it is there.
    async fn add(&self, name: &str, content: &[u8]) -> Result<(), LogError> {
        if self.known().contains_key(name) || self.replace(name, 0, content).await? {
            return Ok(());
        }
        // Another server was faster.
        match self.core.jetstream.last(META, &value(name)).await? {
            Some(message) => self.take(&message).map(drop).ok_or_else(other_key),
            None => Ok(()),
        }
    }

    /// Takes a value as it was read, and whether it was encrypted with the newest key; none if it cannot be read.
    fn take(&self, message: &StoredMessage) -> Option<bool> {
        let name = name_of_value(&message.subject)?;
        let (content, is_current) = self.keys.open(name, &message.payload)?;
        let mut known = self.known();
        if known.get(name).is_none_or(|(seq, _)| *seq < message.seq) {
            known.insert(name.to_owned(), (message.seq, content));
        }
        Some(is_current)
    }

    /// Replaces the value that has this sequence; whether it was still there.
    async fn replace(&self, name: &str, expected: u64, content: &[u8]) -> Result<bool, LogError> {
        let (subject, begun) = (value(name), Instant::now());
        let sealed: bytes::Bytes = self.keys.seal(name, content).map_err(LogError::Store)?.into();
        let seq = loop {
            match self.core.jetstream.publish(&subject, Some(expected), HeaderMap::new(), sealed.clone()).await {
                Ok(seq) => break seq,
                Err(error) if error.may_pass() => {}
                Err(error) => return Err(error.into()),
            }
            // It may have been stored by a publish that was not answered.
            match self.core.jetstream.last(META, &subject).await? {
                Some(found) if found.payload == sealed => break found.seq,
                found if found.as_ref().map_or(0, |found| found.seq) != expected => return Ok(false),
                _ if begun.elapsed() > UNCERTAIN => {
                    return Err(LogError::Store("NATS does not say whether it stored a value".to_owned()));
                }
                _ => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        };
        self.known().insert(name.to_owned(), (seq, content.to_vec()));
        Ok(true)
    }

    /// Takes what other servers change, for ever.
    async fn follow(self: Arc<Self>, mut from: u64) {
        loop {
            tokio::time::sleep(EVERY).await;
            let page = match self.core.jetstream.page(META, VALUES, from, PAGE).await {
                Ok(page) if page.is_empty() => continue,
                Ok(page) => page,
                Err(error) => {
                    tracing::debug!(?error, "what other servers change cannot be read now");
                    continue;
                }
            };
            let before = self.known().clone();
            for message in page {
                from = message.seq + 1;
                if self.take(&message).is_none() {
                    tracing::error!(
                        subject = message.subject,
                        "a value that servers share cannot be read: another server has another key"
                    );
                }
            }
            if *self.known() != before {
                self.changes.send_modify(|count| *count += 1);
            }
        }
    }

    fn known(&self) -> MutexGuard<'_, HashMap<String, (u64, Vec<u8>)>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl NatsValues {
    /// Does something where NATS is talked to, and waits for it.
    fn wait<T: Send + 'static>(
        &self,
        task: impl Future<Output = Result<T, LogError>> + Send + 'static,
    ) -> io::Result<T> {
        let (reply, outcome) = std::sync::mpsc::sync_channel(1);
        self.shared.core.handle.spawn(async move {
            // Whoever waits is there: nothing else ends it.
            let _ = reply.send(task.await);
        });
        let outcome = outcome.recv().unwrap_or(Err(LogError::Closed));
        outcome.map_err(|error| io::Error::other(format!("failed to {error}")))
    }
}

impl KeyValueStore for NatsValues {
    fn place(&self, key: &str) -> String {
        format!("the value {key} in NATS")
    }

    fn get(&self, key: &str) -> io::Result<Option<Vec<u8>>> {
        Ok(self.shared.known().get(key).map(|(_, content)| content.clone()))
    }

    fn update(&self, key: &str, change: &mut Change<'_>) -> io::Result<Vec<u8>> {
        let begun = Instant::now();
        loop {
            let there = self.shared.known().get(key).cloned();
            let content = change(there.as_ref().map(|(_, content)| content.as_slice()))?;
            if content.len() > MAX_BYTES {
                return Err(io::Error::other(format!("{} becomes too large", self.place(key))));
            }
            let (shared, name, new) = (Arc::clone(&self.shared), key.to_owned(), content.clone());
            let expected = there.map_or(0, |(seq, _)| seq);
            let replaced = self.wait(async move {
                let replaced = shared.replace(&name, expected, &new).await?;
                if !replaced && let Some(message) = shared.core.jetstream.last(META, &value(&name)).await? {
                    shared.take(&message).ok_or_else(other_key)?;
                }
                Ok(replaced)
            })?;
            if replaced {
                return Ok(content);
            }
            if begun.elapsed() > UNCERTAIN {
                return Err(io::Error::other(format!("{} is changed by other servers all the time", self.place(key))));
            }
        }
    }

    fn changes(&self) -> watch::Receiver<u64> {
        self.shared.changes.subscribe()
    }
}

fn other_key() -> LogError {
    LogError::Store(
        "what servers share in NATS was encrypted with another key than that of --cluster-key-file; nothing was changed. Give \
         this server the key that the others have (docs/operations.md)"
            .to_owned(),
    )
}
