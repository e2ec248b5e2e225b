//! Session by session: what the target does not have is copied, all of it is compared, and only then it gets its entry.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::{self, StreamExt};
use switchboard_accounts::Principal;
use switchboard_events::{
    Append, Blob, BlobHash, EncodedEvent, LogError, RawEvent, RecordNotes, ServerOnly, StoredEvent,
};
use switchboard_protocol::SessionId;

use super::end::End;
use super::outcome::{MigrateError, Migrated};
use super::place::LogPlace;
use crate::backup::{Progress, Watch};
use crate::listing::Listing;

/// How many sessions are copied at once.
const AT_ONCE: usize = 8;
/// How much is appended at once, unless one event alone has more.
const APPEND_BYTES: usize = 1024 * 1024;
/// How long it waits while more waits to be written than the target takes.
const AGAIN: Duration = Duration::from_millis(50);

/// The two logs, and how far it has come.
pub(super) struct Carrier<'a> {
    from: (&'a LogPlace, &'a dyn End),
    to: (&'a LogPlace, &'a dyn End),
    watch: Watch<'a>,
    sessions: AtomicU64,
    of: AtomicU64,
    events: AtomicU64,
    values: AtomicU64,
}

/// Why a session is not carried over.
enum Stop {
    /// For a reason of its own.
    Left(String),
    /// Nothing more is.
    Failed(MigrateError),
}

/// What became of a session.
enum Outcome {
    /// The target has all of it; it needs its entry.
    Copied(Listing),
    /// It is the same there.
    There,
    /// It is none: it was being imported.
    None,
}

impl<'a> Carrier<'a> {
    pub(super) fn new(from: (&'a LogPlace, &'a dyn End), to: (&'a LogPlace, &'a dyn End), watch: Watch<'a>) -> Self {
        let (sessions, of, events, values) = Default::default();
        Self { from, to, watch, sessions, of, events, values }
    }

    /// Carries all sessions over, in the order of the list.
    pub(super) async fn carry_all(&self) -> Result<Migrated, MigrateError> {
        let sessions = self.from.1.sessions().await.map_err(|error| at(self.from.0, error))?;
        self.of.store(sessions.len() as u64, Ordering::Relaxed);
        let mut done = Migrated::default();
        let mut copied = stream::iter(sessions)
            .map(async |session| match session {
                Ok(session) => (Some(session), self.copy(session).await),
                Err(wrong) => (None, Err(Stop::Left(format!("{}: {wrong}", self.from.0)))),
            })
            .buffered(AT_ONCE);
        while let Some((session, outcome)) = copied.next().await {
            let outcome = match (session, outcome) {
                (Some(session), Ok(Outcome::Copied(listing))) => {
                    self.settle(session, listing).await.map(|()| done.copied += 1)
                }
                (_, Ok(Outcome::There)) => {
                    done.there += 1;
                    Ok(())
                }
                (_, outcome) => outcome.map(drop),
            };
            match outcome {
                Ok(()) => {}
                Err(Stop::Left(why)) => done.left.push(why),
                Err(Stop::Failed(error)) => return Err(error),
            }
            self.sessions.fetch_add(1, Ordering::Relaxed);
            self.tell()?;
        }
        for (place, log) in [self.from, self.to] {
            log.check_alone().await.map_err(|error| at(place, error))?;
        }
        (done.events, done.values) = (self.events.load(Ordering::Relaxed), self.values.load(Ordering::Relaxed));
        Ok(done)
    }

    /// Copies what the target does not have of a session, and compares it.
    async fn copy(&self, session: SessionId) -> Result<Outcome, Stop> {
        let importing = Principal::importing();
        let listing = match self.source(session, self.from.1.listing(session).await)? {
            Some(listing) if listing.owner != importing => listing,
            _ => return Ok(Outcome::None),
        };
        match self.target(session, self.to.1.listing(session).await)? {
            Some(there) if there.owner != importing => {
                return if there == listing && self.is_same(session).await? {
                    Ok(Outcome::There)
                } else {
                    let to = self.to.0;
                    Err(Stop::Left(format!("session {session}: {to} has it with other contents, and keeps them")))
                };
            }
            Some(_) => {}
            None => self.target(session, self.to.1.create(session, &importing).await)?,
        }
        match self.fill(session).await {
            Err(Stop::Left(why)) => {
                self.target(session, self.to.1.delete(session).await)?;
                Err(Stop::Left(why))
            }
            filled => filled.map(|()| Outcome::Copied(listing)),
        }
    }

    /// Copies the events that the target does not have, and compares all of them.
    async fn fill(&self, session: SessionId) -> Result<(), Stop> {
        let mut after = self.target(session, self.to.1.claim(session).await)?;
        let mut copied = HashSet::new();
        loop {
            let page = self.source(session, self.from.1.page(session, after).await)?;
            if page.events.is_empty() {
                break;
            }
            let (mut notes, mut append) = (page.notes.into_iter().peekable(), Appending::new(session, after));
            for event in page.events {
                for hash in values(&event).map_err(|wrong| self.damaged(session, &wrong))? {
                    if copied.insert(hash.clone()) {
                        let bytes = self.source(session, self.from.1.blob(session, &hash).await)?;
                        append.blobs.push(Blob { bytes: self.sound(session, &hash, bytes)?, hash });
                    }
                }
                after = event.seq;
                append.push(event);
                if let Some((_, said)) = notes.next_if(|(last, _)| *last == after) {
                    append.note(said);
                }
                if append.bytes() >= APPEND_BYTES {
                    self.append(std::mem::replace(&mut append, Appending::new(session, after))).await?;
                }
            }
            self.append(append).await?;
        }
        if self.is_same(session).await? {
            return Ok(());
        }
        Err(Stop::Left(format!("session {session}: what was read back from {} is not the same", self.to.0)))
    }

    async fn append(&self, append: Appending) -> Result<(), Stop> {
        let (session, append) = (append.session, append.into_append());
        if append.events.is_empty() {
            return Ok(());
        }
        let counts = (append.events.len() as u64, append.blobs.len() as u64);
        loop {
            match self.to.1.append(append.clone()).await {
                Err(LogError::Busy) => tokio::time::sleep(AGAIN).await,
                appended => break self.target(session, appended)?,
            }
        }
        self.events.fetch_add(counts.0, Ordering::Relaxed);
        self.values.fetch_add(counts.1, Ordering::Relaxed);
        self.tell().map_err(Stop::Failed)
    }

    /// Whether both logs have the same events and sound values.
    async fn is_same(&self, session: SessionId) -> Result<bool, Stop> {
        let (mut after, mut seen) = (0, HashSet::new());
        loop {
            let was = self.source(session, self.from.1.page(session, after).await)?.events;
            let is = self.target(session, self.to.1.page(session, after).await)?.events;
            let both = was.len().min(is.len());
            if was[..both] != is[..both] {
                return Ok(false);
            }
            let Some(last) = is[..both].last() else { return Ok(was.len() == is.len()) };
            for event in &is[..both] {
                for hash in values(event).map_err(|wrong| self.damaged(session, &wrong))? {
                    if seen.insert(hash.clone()) {
                        let bytes = self.target(session, self.to.1.blob(session, &hash).await)?;
                        if bytes.is_none_or(|bytes| BlobHash::of(&bytes) != hash) {
                            return Ok(false);
                        }
                    }
                }
            }
            after = last.seq;
            self.tell().map_err(Stop::Failed)?;
        }
    }

    /// Gives a session that was copied to its owner.
    async fn settle(&self, session: SessionId, listing: Listing) -> Result<(), Stop> {
        self.target(session, self.to.1.settle(session, listing.clone()).await)?;
        match self.target(session, self.to.1.listing(session).await)? {
            Some(there) if there == listing => Ok(()),
            _ => Err(Stop::Left(format!("session {session}: {} does not list it as it was", self.to.0))),
        }
    }

    fn source<T>(&self, session: SessionId, read: Result<T, LogError>) -> Result<T, Stop> {
        read.map_err(|error| self.stop(session, self.from.0, error))
    }

    fn target<T>(&self, session: SessionId, done: Result<T, LogError>) -> Result<T, Stop> {
        done.map_err(|error| self.stop(session, self.to.0, error))
    }

    fn stop(&self, session: SessionId, place: &LogPlace, error: LogError) -> Stop {
        match error {
            LogError::Damaged { seq, detail, .. } => {
                Stop::Left(format!("session {session}: it is damaged in {place} at event {seq}: {detail}"))
            }
            error => Stop::Failed(at(place, error)),
        }
    }

    fn damaged(&self, session: SessionId, wrong: &str) -> Stop {
        Stop::Left(format!("session {session}: it is damaged in {}: {wrong}", self.from.0))
    }

    fn sound(&self, session: SessionId, hash: &BlobHash, bytes: Option<Bytes>) -> Result<Bytes, Stop> {
        let sound = bytes.filter(|bytes| BlobHash::of(bytes) == *hash);
        sound.ok_or_else(|| self.damaged(session, &format!("the value {hash} is missing or not as it was written")))
    }

    fn tell(&self) -> Result<(), MigrateError> {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        let (sessions, of, events) = (read(&self.sessions), read(&self.of), read(&self.events));
        if (self.watch)(Progress::Carried { sessions, of, events }).is_break() {
            return Err(MigrateError::Cancelled);
        }
        Ok(())
    }
}

fn at(place: &LogPlace, error: LogError) -> MigrateError {
    MigrateError::Log { place: place.to_string(), error }
}

/// The large values that an event refers to.
fn values(event: &StoredEvent) -> Result<Vec<BlobHash>, String> {
    let Some(private) = &event.private else { return Ok(Vec::new()) };
    let private: ServerOnly =
        serde_json::from_str(private).map_err(|error| format!("event {} cannot be read: {error}", event.seq))?;
    Ok(private.blobs().cloned().collect())
}

/// An append that is being put together.
struct Appending {
    session: SessionId,
    expected: u64,
    events: Vec<EncodedEvent>,
    blobs: Vec<Blob>,
    notes: RecordNotes,
}

impl Appending {
    fn new(session: SessionId, expected: u64) -> Self {
        Self { session, expected, events: Vec::new(), blobs: Vec::new(), notes: RecordNotes::default() }
    }

    fn push(&mut self, event: StoredEvent) {
        let StoredEvent { seq: _, at, frame, private } = event;
        self.events.push(EncodedEvent { at, frame, private });
    }

    /// Takes what the record says that ends here.
    fn note(&mut self, notes: RecordNotes) {
        self.notes.add(&append_of(self.session, notes));
    }

    fn bytes(&self) -> usize {
        let text: usize = self.events.iter().map(|event| RawEvent::of(event).bytes()).sum();
        text + self.blobs.iter().map(|blob| blob.bytes.len()).sum::<usize>()
    }

    fn into_append(self) -> Append {
        let Self { session, expected, events, blobs, notes } = self;
        Append { expected, events, blobs, ..append_of(session, notes) }
    }
}

/// An append that says this and nothing else.
fn append_of(session: SessionId, notes: RecordNotes) -> Append {
    let RecordNotes { opened, closed, title } = notes;
    Append { session, expected: 0, events: Vec::new(), blobs: Vec::new(), opened, closed, title, urgent: true }
}
