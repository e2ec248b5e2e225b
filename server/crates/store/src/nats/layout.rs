//! Where things are in JetStream: 64 streams of events, and one for the list of sessions, the leases of servers and what they share.
//!
//! A session's events are on `ev.<shard>.<session>` of its shard's stream, its large values beside them on
//! `bl.<shard>.<session>.<hash>.<n>`, and its entry in the list on `meta.s.<session>`. The streams are made once, and then
//! have to be there.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::HeaderMap;
use serde::{Deserialize, Serialize};
use serde_json::json;
use switchboard_events::{BlobHash, LogError};
use switchboard_protocol::SessionId;
use switchboard_runtime::Secret;
use tokio::time::sleep;
use uuid::Uuid;

use super::error::NatsError;
use super::jetstream::JetStream;

/// How long streams may be without a leader at the start, and how often it is looked.
const LEADERLESS: Duration = Duration::from_secs(10);
const AGAIN: Duration = Duration::from_millis(250);

/// How many streams share the sessions.
const SHARDS: u32 = 64;
/// The stream of the list.
pub(super) const META: &str = "META";
/// How the subjects of entries begin.
const ENTRY: &str = "meta.s.";
/// The entries of all sessions.
pub(super) const ENTRIES: &str = "meta.s.*";
/// The leases of all servers.
pub(super) const LEASES: &str = "meta.node.*";
/// The values that servers share.
pub(super) const VALUES: &str = "meta.kv.>";
const LAYOUT: &str = "meta.layout";
/// Is there while the list is made again.
pub(super) const REBUILDING: &str = "meta.rebuilding";
/// What servers prove to each other with that they are servers of this log.
const SECRET: &str = "meta.secret";
const VERSION: u32 = 1;
/// The first version that has what is needed here and loses nothing that is known.
const OLDEST: [u64; 3] = [2, 12, 3];

/// Where a session's messages are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Subjects {
    session: SessionId,
    shard: u32,
}

impl Subjects {
    pub(super) fn of(session: SessionId) -> Self {
        Self { session, shard: crc32fast::hash(session.as_bytes()) % SHARDS }
    }

    #[cfg(test)]
    pub(super) fn session(self) -> SessionId {
        self.session
    }

    /// The stream of its events and large values.
    pub(super) fn stream(self) -> String {
        stream(self.shard)
    }

    pub(super) fn events(self) -> String {
        format!("ev.{:02}.{}", self.shard, self.session)
    }

    pub(super) fn chunk(self, hash: &BlobHash, number: usize) -> String {
        format!("bl.{:02}.{}.{hash}.{number}", self.shard, self.session)
    }

    /// All chunks of a large value.
    pub(super) fn chunks(self, hash: &BlobHash) -> String {
        format!("bl.{:02}.{}.{hash}.*", self.shard, self.session)
    }

    /// All large values.
    pub(super) fn blobs(self) -> String {
        format!("bl.{:02}.{}.>", self.shard, self.session)
    }

    pub(super) fn entry(self) -> String {
        format!("{ENTRY}{}", self.session)
    }
}

/// Whether this is the subject of an entry, of whatever session.
pub(super) fn is_entry(subject: &str) -> bool {
    subject.starts_with(ENTRY)
}

/// The session whose entry this subject is.
pub(super) fn session_of_entry(subject: &str) -> Option<SessionId> {
    subject.strip_prefix(ENTRY)?.parse().ok()
}

/// The session whose events this subject has.
pub(super) fn session_of_events(subject: &str) -> Option<SessionId> {
    subject.strip_prefix("ev.")?.split_once('.')?.1.parse().ok()
}

/// Each stream of events, and the subjects of all events in it.
pub(super) fn shards() -> impl Iterator<Item = (String, String)> {
    (0..SHARDS).map(|shard| (stream(shard), format!("ev.{shard:02}.*")))
}

/// The lease of a server whose data folder has this name.
pub(super) fn lease(node: &str) -> String {
    format!("meta.node.{node}")
}

/// The value of this name that servers share.
pub(super) fn value(name: &str) -> String {
    format!("meta.kv.{name}")
}

/// The name of the value that this subject is.
pub(super) fn name_of_value(subject: &str) -> Option<&str> {
    subject.strip_prefix("meta.kv.")
}

fn stream(shard: u32) -> String {
    format!("EV_{shard:02}")
}

/// What there is, as it was found at the start.
#[derive(Debug)]
pub(super) struct Layout {
    /// Which history it is.
    pub(super) generation: Arc<str>,
    /// What can be lost, for people.
    pub(super) warnings: Vec<String>,
    /// How many messages the streams of sessions had.
    pub(super) messages: u64,
}

#[derive(Serialize, Deserialize)]
struct Made {
    version: u32,
    generation: String,
}

#[derive(Deserialize)]
struct Streams {
    total: usize,
    #[serde(default)]
    streams: Option<Vec<StreamInfo>>,
    /// Those that are there, and of which nobody told in time: their leader was just lost.
    #[serde(default)]
    missing: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct StreamInfo {
    config: StreamConfig,
    #[serde(default)]
    state: StreamState,
}

#[derive(Default, Deserialize)]
struct StreamState {
    #[serde(default)]
    messages: u64,
}

#[derive(Deserialize)]
struct StreamConfig {
    name: String,
    storage: String,
    num_replicas: u32,
    #[serde(default)]
    persist_mode: String,
    /// How many messages it has.
    #[serde(skip)]
    messages: u64,
}

impl Layout {
    /// Looks at the streams that are there, or makes them, with so many replicas, if that is wanted.
    ///
    /// # Errors
    /// When there are none and none are made, NATS is too old, a stream is missing or would forget, or NATS does not answer.
    pub(super) async fn open(jetstream: &JetStream, replicas: u32, make_them: bool) -> Result<Self, LogError> {
        check_version(&jetstream.version())?;
        let mut there = streams(jetstream).await?;
        let mut made = match there.contains_key(META) {
            true => made(jetstream).await?,
            false => None,
        };
        if made.is_none() && !make_them {
            return Err(LogError::Store("there are no streams of Switchboard in NATS".to_owned()));
        }
        if made.is_none() {
            make(jetstream, replicas).await?;
            made = made_now(jetstream).await?;
            there = streams(jetstream).await?;
        }
        let Some(Made { version, generation }) = made else {
            return Err(LogError::Store("its streams in NATS cannot be made".to_owned()));
        };
        if version > VERSION {
            return Err(LogError::TooNew { found: version, known: VERSION });
        }
        let warnings = check_streams(&there, replicas)?;
        let messages = (0..SHARDS).filter_map(|shard| there.get(&stream(shard))).map(|stream| stream.messages).sum();
        Ok(Self { generation: generation.into(), warnings, messages })
    }
}

/// The streams that there are. One whose leader was just lost is waited for: it is not gone. So are the NATS servers when they
/// choose who tells of streams.
async fn streams(jetstream: &JetStream) -> Result<HashMap<String, StreamConfig>, LogError> {
    let begun = Instant::now();
    loop {
        let why = match told(jetstream).await {
            Ok((found, None)) => return Ok(found),
            Ok((_, Some(silent))) => LogError::Store(format!(
                "its stream {silent} in NATS has no leader; start again when most of the NATS servers run"
            )),
            Err(error @ LogError::Unavailable(_)) => error,
            Err(error) => return Err(error),
        };
        if begun.elapsed() > LEADERLESS {
            return Err(why);
        }
        sleep(AGAIN).await;
    }
}

/// The streams that NATS tells of, and one of which it only says that it is there.
async fn told(jetstream: &JetStream) -> Result<(HashMap<String, StreamConfig>, Option<String>), LogError> {
    let mut found = HashMap::new();
    let (mut silent, mut seen) = (None, 0);
    loop {
        let page: Streams = jetstream.ask("STREAM.LIST", &json!({ "offset": seen })).await?;
        silent = silent.or_else(|| page.missing?.pop());
        let streams = page.streams.unwrap_or_default();
        seen += streams.len();
        let is_last = streams.is_empty() || seen >= page.total;
        let streams = streams.into_iter();
        found.extend(streams.map(|StreamInfo { config, state: StreamState { messages } }| {
            (config.name.clone(), StreamConfig { messages, ..config })
        }));
        if is_last {
            return Ok((found, silent));
        }
    }
}

/// Makes all streams; those that are there stay as they are.
async fn make(jetstream: &JetStream, replicas: u32) -> Result<(), LogError> {
    tracing::info!(replicas, "making the streams of the log in NATS");
    for shard in 0..SHARDS {
        let subjects = [format!("ev.{shard:02}.*"), format!("bl.{shard:02}.*.*.*")];
        let config = json!({
            "name": stream(shard), "subjects": subjects, "num_replicas": replicas, "retention": "limits", "storage": "file",
            "discard": "new", "allow_direct": true, "allow_atomic": true,
        });
        make_stream(jetstream, config).await?;
    }
    let config = json!({
        "name": META, "subjects": ["meta.>"], "num_replicas": replicas, "retention": "limits", "storage": "file",
        "discard": "new", "allow_direct": true, "allow_msg_ttl": true, "max_msgs_per_subject": 1,
    });
    make_stream(jetstream, config).await
}

async fn make_stream(jetstream: &JetStream, config: serde_json::Value) -> Result<(), LogError> {
    let name = config["name"].as_str().unwrap_or_default().to_owned();
    match jetstream.ask::<serde_json::Value>(&format!("STREAM.CREATE.{name}"), &config).await {
        // It is there with other settings, which are looked at later.
        Ok(_) | Err(NatsError::Refused { code: 10_058, .. }) => Ok(()),
        Err(NatsError::Refused { text, .. }) => {
            Err(LogError::Store(format!("NATS does not make the stream {name}: {text}")))
        }
        Err(error) => Err(error.into()),
    }
}

/// Says that the streams are made, unless another server has said so in the same moment.
async fn made_now(jetstream: &JetStream) -> Result<Option<Made>, LogError> {
    let made_by_us = Made { version: VERSION, generation: SessionId::random().to_string() };
    let text = serde_json::to_vec(&made_by_us).expect("a number and an id are JSON");
    match jetstream.publish(LAYOUT, Some(0), HeaderMap::new(), text.into()).await {
        Ok(_) | Err(NatsError::Sequence | NatsError::Unknown(_)) => made(jetstream).await,
        Err(error) => Err(error.into()),
    }
}

/// What servers of this log prove to each other with who they are; the first one makes it.
pub(super) async fn secret(jetstream: &JetStream) -> Result<Secret, LogError> {
    let read = async || -> Result<Option<Secret>, NatsError> {
        let message = jetstream.last(META, SECRET).await?;
        Ok(message.map(|message| Secret::new(String::from_utf8_lossy(&message.payload))))
    };
    if let Some(secret) = read().await? {
        return Ok(secret);
    }
    let made = format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple());
    match jetstream.publish(SECRET, Some(0), HeaderMap::new(), made.into()).await {
        // Another server may have made one in the same moment.
        Ok(_) | Err(NatsError::Sequence | NatsError::Unknown(_)) => {}
        Err(error) => return Err(error.into()),
    }
    read().await?.ok_or_else(|| LogError::Store(format!("the message {SECRET} in NATS cannot be made")))
}

async fn made(jetstream: &JetStream) -> Result<Option<Made>, LogError> {
    let Some(message) = jetstream.last(META, LAYOUT).await? else { return Ok(None) };
    let made = serde_json::from_slice(&message.payload);
    made.map(Some).map_err(|error| LogError::Store(format!("the message {LAYOUT} in NATS cannot be read: {error}")))
}

fn check_streams(there: &HashMap<String, StreamConfig>, replicas: u32) -> Result<Vec<String>, LogError> {
    let mut others = Vec::new();
    let names = (0..SHARDS).map(stream).chain([META.to_owned()]);
    let mut fewest = u32::MAX;
    for name in names {
        let config = there.get(&name).ok_or_else(|| {
            LogError::Store(format!("its stream {name} is missing in NATS; restore it from a copy of NATS's data"))
        })?;
        if config.storage != "file" || config.persist_mode == "async" {
            return Err(LogError::Store(format!(
                "its stream {name} in NATS does not keep messages on disk before it acknowledges them; it must have file \
                 storage, and not the persist mode \"async\""
            )));
        }
        fewest = fewest.min(config.num_replicas);
        if config.num_replicas != replicas {
            others.push(name);
        }
    }
    let mut warnings = Vec::new();
    if let Some(name) = others.first() {
        let count = others.len();
        warnings.push(format!(
            "{count} streams in NATS, such as {name}, were made with another number of replicas than --store-replicas \
             {replicas}; it is not changed (`nats stream edit` does that)"
        ));
    }
    if fewest == 1 {
        warnings.push(
            "each stream in NATS has one replica: when the disk of its NATS server is lost, so is what was acknowledged"
                .to_owned(),
        );
    }
    Ok(warnings)
}

fn check_version(version: &str) -> Result<(), LogError> {
    let numbers = version.split('-').next().unwrap_or_default().split('.');
    let numbers: Vec<u64> = numbers.map_while(|number| number.parse().ok()).collect();
    if numbers.as_slice() < OLDEST.as_slice() {
        let [major, minor, patch] = OLDEST;
        return Err(LogError::Store(format!("NATS {version} is too old; {major}.{minor}.{patch} or newer is needed")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn j09_a_nats_that_is_too_old_is_refused() {
        for old in ["2.9.10", "2.12.2", "2.12.2-preview.1", "1.99.99", ""] {
            let error = check_version(old).expect_err(old).to_string();
            assert!(error.contains("2.12.3 or newer is needed"), "{error}");
        }
        for new in ["2.12.3", "2.15.1", "3.0.0", "2.13.0-RC.1"] {
            check_version(new).expect(new);
        }
    }
}
