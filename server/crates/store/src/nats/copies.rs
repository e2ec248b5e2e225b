//! Copies of a recorded session, for measurements: as many as are wanted, as the writer writes them.
//!
//! The sessions of a stream are written turn by turn beside each other, as if so many were talking at once. Nobody else may write
//! meanwhile: each message's sequence is known before it is sent, so that only a few have to be waited for.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use async_nats::HeaderMap;
use futures_util::stream::{self, StreamExt, TryStreamExt};
use serde::Deserialize;
use serde_json::json;
use switchboard_events::{Append, EncodedEvent, LogError, RecordNotes, ServerId};
use switchboard_protocol::SessionId;
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::error::NatsError;
use super::jetstream::JetStream;
use super::layout::{META, Subjects};
use super::link::{Head, Write};
use super::meta::Entry;
use super::options::NatsOptions;
use super::reading::Reader;

/// How many sessions of a stream are written beside each other.
const BESIDE: usize = 512;
/// How many messages of a stream are on their way at most.
const ON_THEIR_WAY: u64 = 128;
/// How many entries of the list are, for each stream.
const ENTRIES: usize = 16;
/// How many connections share the streams.
const CONNECTIONS: usize = 4;
/// How many of the copies are named, at most.
const NAMED: usize = 100;
/// How much a message has at most.
const MESSAGE: usize = 900 * 1024;
/// How long a disk that is behind is waited for, and how often it is looked.
const BEHIND: Duration = Duration::from_secs(120);
const AGAIN: Duration = Duration::from_millis(100);

/// What was written.
#[derive(Debug, Default)]
pub struct Copied {
    /// Some of the sessions, of all streams.
    pub some: Vec<SessionId>,
    /// How many messages each session has: the claim that made it, and its records.
    pub messages: usize,
    /// How many turns each session has.
    pub turns: usize,
    /// How many events each session has.
    pub events: u64,
    /// How many bytes of records each session has, without what messages have beside them.
    pub record_bytes: usize,
}

/// Copies the first `records` records of a session, or fewer if a turn would be cut, so many times.
///
/// # Errors
/// When NATS does not answer, the session cannot be read or has large values, or somebody else writes.
pub async fn copy_session(
    options: &NatsOptions,
    session: SessionId,
    records: usize,
    count: usize,
) -> Result<Copied, LogError> {
    let mut connections = Vec::with_capacity(CONNECTIONS);
    for _ in 0..CONNECTIONS {
        connections.push(options.connect().await?);
    }
    let original = Arc::new(Original::read(&connections[0], session, records).await?);
    let mut copied = Copied { record_bytes: original.record_bytes(session), ..Copied::default() };
    copied.messages = 1 + original.turns.iter().map(Vec::len).sum::<usize>();
    (copied.turns, copied.events) = (original.turns.len(), original.last.last);
    let mut streams: BTreeMap<String, Vec<SessionId>> = BTreeMap::new();
    for number in 0..count {
        let id = SessionId::random();
        streams.entry(Subjects::of(id).stream()).or_default().push(id);
        if number % count.div_ceil(NAMED) == 0 {
            copied.some.push(id);
        }
    }
    let mut tasks = JoinSet::new();
    for (stream, connection) in streams.into_iter().zip(connections.iter().cycle()) {
        tasks.spawn(copy_into(connection.clone(), Arc::clone(&original), stream));
    }
    while let Some(written) = tasks.join_next().await {
        written.unwrap_or_else(|error| Err(LogError::Store(error.to_string())))?;
    }
    Ok(copied)
}

/// What is copied.
struct Original {
    /// The records of each turn.
    turns: Vec<Vec<Append>>,
    /// The entry in the list when it was made, and at the end of these turns.
    first: Entry,
    last: Entry,
    /// The last place in the list that was given away.
    place: AtomicU64,
}

impl Original {
    async fn read(jetstream: &JetStream, session: SessionId, most: usize) -> Result<Self, LogError> {
        let subjects = Subjects::of(session);
        let entry = jetstream.last(META, &subjects.entry()).await?;
        let entry: Option<Entry> = entry.and_then(|entry| serde_json::from_slice(&entry.payload).ok());
        let entry = entry.ok_or(LogError::UnknownSession(session))?;
        let mut events = Vec::new();
        let mut appends = Vec::new();
        let reader = Reader::new(jetstream, session);
        let damage = reader.records(None, (1, entry.last), |record, seq| {
            let event = record.event(seq).map_err(|damage| damage.to_string())?.stored(seq);
            events.push(EncodedEvent { at: event.at, frame: event.frame, private: event.private });
            if seq == record.last() {
                let notes = record.notes().map_err(|damage| damage.to_string())?;
                appends.push(append(session, std::mem::take(&mut events), notes));
            }
            Ok(())
        });
        if let Some(damage) = damage.await? {
            return Err(damage);
        }
        // Of a server that has gone: whoever opens a copy claims it.
        let server = ServerId::random().as_str().to_owned();
        let (owner, workspace, place) = (entry.owner, entry.workspace, AtomicU64::new(entry.place));
        let created_at = entry.created_at;
        let updated_at = created_at.clone();
        let by = server.clone();
        let first = Entry { owner, workspace, created_at, updated_at, server, by, epoch: 1, ..Entry::default() };
        let (mut now, mut last, mut turns, mut turn) = (first.clone(), first.clone(), Vec::new(), Vec::new());
        for append in appends.into_iter().take(most) {
            now.take(&RecordNotes {
                opened: append.opened.clone(),
                closed: append.closed.clone(),
                title: append.title.clone(),
            });
            now.last += append.events.len() as u64;
            if let Some(event) = append.events.last() {
                now.updated_at.clone_from(&event.at);
            }
            turn.push(append);
            if now.open.is_empty() {
                turns.push(std::mem::take(&mut turn));
                last = now.clone();
            }
        }
        Ok(Self { turns, first, last, place })
    }

    /// An entry of a copy.
    fn entry(&self, entry: &Entry) -> Entry {
        Entry { place: self.place.fetch_add(1, Ordering::Relaxed) + 1, ..entry.clone() }
    }

    fn record_bytes(&self, session: SessionId) -> usize {
        let mut head = Write::claim(session, None, &self.first.by, Vec::new()).head(1);
        let mut bytes = 0;
        for append in self.turns.iter().flatten() {
            let write = Write::events(session, &head, &[append], MESSAGE);
            bytes += write.messages.iter().map(|message| message.payload.len()).sum::<usize>();
            head = write.head(head.seq + 1);
        }
        bytes
    }
}

fn append(session: SessionId, events: Vec<EncodedEvent>, notes: RecordNotes) -> Append {
    let RecordNotes { opened, closed, title } = notes;
    Append { session, expected: 0, events, blobs: Vec::new(), opened, closed, title, urgent: true }
}

/// Writes these copies, all of which are in one stream.
async fn copy_into(
    jetstream: JetStream,
    original: Arc<Original>,
    (stream, ids): (String, Vec<SessionId>),
) -> Result<(), LogError> {
    let last = last_seq(&jetstream, &stream).await?;
    let mut copier = Copier { jetstream, original, stream, last };
    for group in ids.chunks(BESIDE) {
        copier.copy(group).await?;
    }
    copier.wait_for(copier.last).await
}

/// What writes one stream.
struct Copier {
    jetstream: JetStream,
    original: Arc<Original>,
    stream: String,
    /// The sequence of the last message that was sent.
    last: u64,
}

impl Copier {
    async fn copy(&mut self, ids: &[SessionId]) -> Result<(), LogError> {
        let original = Arc::clone(&self.original);
        let mut heads = Vec::with_capacity(ids.len());
        for &id in ids {
            let claim = Write::claim(id, None, &original.first.by, original.first.to_bytes());
            heads.push(self.send(id, &claim).await?);
        }
        let listed = self.list(&original.first, ids.iter().map(|id| (*id, 0)).collect()).await?;
        for turn in &original.turns {
            for (&id, head) in ids.iter().zip(&mut heads) {
                for append in turn {
                    let write = Write::events(id, head, &[append], MESSAGE);
                    *head = self.send(id, &write).await?;
                }
            }
        }
        self.list(&original.last, listed).await.map(drop)
    }

    /// Sends a write, which gets the next sequence.
    async fn send(&mut self, id: SessionId, write: &Write) -> Result<Head, LogError> {
        let [message] = write.messages.as_slice() else {
            return Err(LogError::Store("a record is too large to be copied".to_owned()));
        };
        self.last += 1;
        let (subject, headers) = (Subjects::of(id).events(), message.headers());
        let payload = message.payload.clone();
        if self.last.is_multiple_of(ON_THEIR_WAY) {
            match self.jetstream.publish(&subject, Some(write.behind), headers, payload).await {
                Ok(seq) if seq == self.last => {}
                // The disk is behind.
                Err(NatsError::Unknown(_)) => self.wait_for(self.last).await?,
                Ok(_) | Err(NatsError::Sequence) => return Err(self.disturbed()),
                Err(error) => return Err(error.into()),
            }
        } else {
            self.jetstream.publish_unanswered(&subject, write.behind, headers, payload).await?;
        }
        Ok(write.head(self.last))
    }

    /// Puts these sessions into the list, each behind its entry with this sequence; the sequences of the new ones.
    async fn list(&self, entry: &Entry, sessions: Vec<(SessionId, u64)>) -> Result<Vec<(SessionId, u64)>, LogError> {
        let put = |(id, behind): (SessionId, u64)| async move {
            let (subject, payload) = (Subjects::of(id).entry(), self.original.entry(entry).to_bytes());
            loop {
                let headers = HeaderMap::new();
                match self.jetstream.publish(&subject, Some(behind), headers, payload.clone().into()).await {
                    Ok(seq) => return Ok((id, seq)),
                    // The disk is behind, or was: then it is there.
                    Err(NatsError::Unknown(_) | NatsError::Sequence) => {}
                    Err(error) => return Err(error.into()),
                }
                match self.jetstream.last(META, &subject).await {
                    Ok(Some(there)) if there.seq > behind => return Ok((id, there.seq)),
                    Ok(_) | Err(NatsError::Unknown(_)) => sleep(AGAIN).await,
                    Err(error) => return Err(error.into()),
                }
            }
        };
        stream::iter(sessions).map(put).buffered(ENTRIES).try_collect().await
    }

    /// Waits until the stream has this message.
    async fn wait_for(&self, seq: u64) -> Result<(), LogError> {
        let begun = Instant::now();
        while begun.elapsed() < BEHIND {
            match last_seq(&self.jetstream, &self.stream).await {
                Ok(last) if last == seq => return Ok(()),
                Ok(last) if last > seq => break,
                _ => sleep(AGAIN).await,
            }
        }
        Err(self.disturbed())
    }

    fn disturbed(&self) -> LogError {
        let (stream, last) = (&self.stream, self.last);
        LogError::Store(format!("{stream} does not end with the message {last}: it is full, or somebody else writes"))
    }
}

/// The sequence of a stream's last message.
async fn last_seq(jetstream: &JetStream, stream: &str) -> Result<u64, LogError> {
    #[derive(Deserialize)]
    struct Info {
        state: State,
    }
    #[derive(Deserialize)]
    struct State {
        last_seq: u64,
    }
    let info: Info = jetstream.ask(&format!("STREAM.INFO.{stream}"), &json!({})).await?;
    Ok(info.state.last_seq)
}
