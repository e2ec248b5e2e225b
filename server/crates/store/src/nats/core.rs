//! What the log in NATS is made of, for all that work on it: the connection, the list, the lease, and the sessions that this
//! server writes.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::HeaderMap;
use switchboard_accounts::Principal;
use switchboard_events::{LogError, ServerId, SessionChange, SessionChanges};
use switchboard_protocol::SessionId;
use tokio::runtime::Handle;
use tokio::sync::broadcast;
use tokio::time::sleep;

use super::error::NatsError;
use super::index::Index;
use super::jetstream::JetStream;
use super::layout::{META, Subjects};
use super::lease::Lease;
use super::link::{Head, Linked, Sealed, Write};
use super::meta::Entry;
use super::queue::{Backlog, Queue};
use super::reading::{Doubt, Reader, Tail};

/// For how long a write is tried that is not answered: as long as NATS takes to choose another leader, and once more.
const UNCERTAIN: Duration = Duration::from_secs(12);
/// How long it waits before a write is sent once more.
const AGAIN: Duration = Duration::from_millis(20);
/// How many sessions are remembered; what is known of others is read again when they are written.
const REMEMBERED: usize = 10_000;
/// How many sessions that are lost may wait to be let go of.
const LOSSES: usize = 1024;
/// How often an entry of the list is tried while others change it.
const ATTEMPTS: usize = 20;

/// All of it.
#[derive(Debug)]
pub(super) struct Core {
    pub(super) jetstream: JetStream,
    pub(super) index: Index,
    pub(super) changes: SessionChanges,
    /// Tells of sessions that other servers have claimed.
    pub(super) losses: broadcast::Sender<SessionId>,
    pub(super) server: ServerId,
    pub(super) lease: Lease,
    pub(super) max_sessions: Option<u64>,
    pub(super) backlog: Arc<Backlog>,
    /// Where tasks run.
    pub(super) handle: Handle,
    sessions: Mutex<HashMap<SessionId, Arc<Session>>>,
    closed: AtomicBool,
}

/// A session that this server writes, or wrote.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) id: SessionId,
    pub(super) queue: Queue,
    /// The sequence of the last message that this server has written.
    pub(super) written: AtomicU64,
    /// Whoever writes the session holds this.
    pub(super) standing: tokio::sync::Mutex<Standing>,
}

/// What is known of a session that is to be written.
#[derive(Debug, Default)]
pub(super) enum Standing {
    /// Nothing, but it may be this server's.
    #[default]
    Unknown,
    /// It is this server's.
    Held(Box<Held>),
    /// What became of an append is not known, or another server has it: it must be claimed before it is written.
    Lost(LogError),
}

/// A session of this server.
#[derive(Debug, Clone)]
pub(super) struct Held {
    pub(super) head: Head,
    pub(super) entry: Entry,
    /// The sequence of its entry in the list.
    pub(super) entry_seq: u64,
    /// The list in NATS does not have its newest entry.
    pub(super) is_behind: bool,
}

/// What became of a write.
#[derive(Debug)]
pub(super) enum Published {
    /// It is stored; its last message has this sequence.
    Stored(u64),
    /// It is not, because something else stands at the session's end.
    Refused(Tail),
}

impl Core {
    pub(super) fn new(
        (jetstream, index, lease): (JetStream, Index, Lease),
        (server, max_sessions, handle): (ServerId, Option<u64>, Handle),
    ) -> Self {
        Self {
            jetstream,
            index,
            changes: SessionChanges::default(),
            losses: broadcast::channel(LOSSES).0,
            server,
            lease,
            max_sessions,
            backlog: Arc::default(),
            handle,
            sessions: Mutex::default(),
            closed: AtomicBool::new(false),
        }
    }

    /// Whether it still takes something.
    pub(super) fn open(&self) -> Result<(), LogError> {
        if self.closed.load(Ordering::Acquire) { Err(LogError::Closed) } else { Ok(()) }
    }

    /// Takes nothing any more; the sessions that it knows.
    pub(super) fn close(&self) -> Vec<Arc<Session>> {
        self.closed.store(true, Ordering::Release);
        self.sessions().values().cloned().collect()
    }

    /// What is known of a session.
    pub(super) fn session(&self, id: SessionId) -> Arc<Session> {
        let mut sessions = self.sessions();
        if sessions.len() >= REMEMBERED && !sessions.contains_key(&id) {
            sessions.retain(|_, session| Arc::strong_count(session) > 1 || !session.may_be_forgotten());
        }
        let session = sessions.entry(id).or_insert_with(|| Arc::new(Session::new(id)));
        Arc::clone(session)
    }

    /// What is known of a session, if anything is.
    pub(super) fn known(&self, id: SessionId) -> Option<Arc<Session>> {
        self.sessions().get(&id).cloned()
    }

    /// A session as it stands now, read from the leader; none if there is none.
    pub(super) async fn take_up(&self, id: SessionId) -> Result<Option<Held>, LogError> {
        let reader = Reader::new(&self.jetstream, id);
        let damaged = |seq: u64, detail: String| LogError::Damaged { session: id, seq, detail };
        let written = self.known(id).map_or(0, |session| session.written.load(Ordering::Acquire));
        let mut doubt = Doubt::default();
        let (tail, (entry, entry_seq)) = loop {
            let (tail, (entry, seq)) = tokio::try_join!(reader.last(), self.entry(id))?;
            let is_past = match (&tail, &entry) {
                (Tail::Nothing, Some(_)) | (Tail::Sound(_), None) => true,
                (Tail::Nothing, None) => seq == 0 && self.jetstream.was_silent(),
                (Tail::Sound(last), Some(entry)) => entry.last > last.link.last || last.seq < written,
                (Tail::Damaged(_), _) => false,
            };
            if !is_past || doubt.is_over().await {
                break (tail, (entry, seq));
            }
        };
        let head = match tail {
            Tail::Nothing => return Ok(None),
            Tail::Sound(last) => Head::from(last),
            Tail::Damaged(detail) => return Err(damaged(entry.map_or(1, |entry| entry.last + 1), detail.to_owned())),
        };
        let last = head.link.last;
        let Some(mut entry) = entry else {
            return Err(damaged(last + 1, "its entry in the list of sessions is missing".to_owned()));
        };
        if entry.last > last {
            let detail = format!("the session has {} events, but the last one found is {last}", entry.last);
            return Err(damaged(last + 1, detail));
        }
        // What the server that had it did not come to say.
        let is_behind = entry.last < last;
        let unknown = (entry.last + 1, last);
        let wrong = reader.records(Some(&head), unknown, |record, seq| match seq < record.last() {
            false if !entry.take_record(record) => Err("what it says of its session cannot be read".to_owned()),
            _ => Ok(()),
        });
        match wrong.await? {
            Some(damage) => Err(damage),
            None => Ok(Some(Held { head, entry, entry_seq, is_behind })),
        }
    }

    /// What the list says of a session as its leader has it, and the sequence of that.
    pub(super) async fn entry(&self, id: SessionId) -> Result<(Option<Entry>, u64), NatsError> {
        let message = self.jetstream.last(META, &Subjects::of(id).entry()).await?;
        let Some(message) = message else { return Ok((None, 0)) };
        let entry: Option<Entry> = serde_json::from_slice(&message.payload).ok();
        Ok((entry.filter(|entry| !entry.gone), message.seq))
    }

    /// The same, and that there is none only when that is certain.
    pub(super) async fn sure_entry(&self, id: SessionId) -> Result<(Option<Entry>, u64), NatsError> {
        let mut doubt = Doubt::default();
        loop {
            let (entry, seq) = self.entry(id).await?;
            if entry.is_some() || seq > 0 || !self.jetstream.was_silent() || doubt.is_over().await {
                return Ok((entry, seq));
            }
        }
    }

    /// What stands at a session's end, and its last event as far as the list knows it.
    pub(super) async fn tail(&self, id: SessionId) -> Result<(Tail, u64), LogError> {
        let mut doubt = Doubt::default();
        loop {
            let tail = Reader::new(&self.jetstream, id).last().await?;
            let row = self.index.row(id).await?;
            let is_past = match (&tail, &row) {
                (Tail::Nothing, Some(_)) => true,
                (Tail::Nothing, None) => self.jetstream.was_silent(),
                (Tail::Sound(last), Some(row)) => row.last_seq > last.link.last,
                (Tail::Sound(_), None) | (Tail::Damaged(_), _) => false,
            };
            if !is_past || doubt.is_over().await {
                return Ok((tail, row.map_or(0, |row| row.last_seq)));
            }
        }
    }

    /// Stores a write, unless something else stands where it belongs. An answer that does not come is not taken for any; while
    /// NATS chooses a leader, it is tried again.
    pub(super) async fn publish(&self, session: &Session, write: &Write) -> Result<Published, LogError> {
        let published = self.try_publish(session.id, write).await?;
        if let Published::Stored(seq) = &published {
            session.written.fetch_max(*seq, Ordering::Release);
        }
        Ok(published)
    }

    async fn try_publish(&self, id: SessionId, write: &Write) -> Result<Published, LogError> {
        let (subjects, reader) = (Subjects::of(id), Reader::new(&self.jetstream, id));
        let (begun, mut doubt) = (Instant::now(), Doubt::default());
        loop {
            let error = match self.send(subjects, write).await {
                Ok(seq) => return Ok(Published::Stored(seq)),
                Err(error) if error.may_pass() => error,
                Err(error) => return Err(error.into()),
            };
            let error = match reader.last().await {
                Ok(Tail::Sound(last)) if last.check == write.check() => return Ok(Published::Stored(last.seq)),
                Ok(tail) => {
                    let (seq, is_sound) = match &tail {
                        Tail::Sound(last) => (last.seq, true),
                        Tail::Nothing => (0, true),
                        Tail::Damaged(_) => (0, false),
                    };
                    let is_past = is_sound && seq < write.behind && !doubt.is_over().await;
                    if !is_past && (seq != write.behind || !is_sound) {
                        return Ok(Published::Refused(tail));
                    }
                    error
                }
                Err(error) if error.may_pass() => error,
                Err(error) => return Err(error.into()),
            };
            if begun.elapsed() > UNCERTAIN {
                return Err(error.into());
            }
            tracing::debug!(session = %id, ?error, "a write is sent once more");
            // It may still be on its way: sent once more, one of the two is stored.
            sleep(AGAIN).await;
        }
    }

    async fn send(&self, subjects: Subjects, write: &Write) -> Result<u64, NatsError> {
        let message = |sealed: &Sealed| (sealed.headers(), sealed.payload.clone());
        let subject = subjects.events();
        match write.messages.as_slice() {
            [only] => {
                let (headers, payload) = message(only);
                self.jetstream.publish(&subject, Some(write.behind), headers, payload).await
            }
            several => {
                let messages = several.iter().map(message).collect();
                self.jetstream.publish_batch(&subject, write.behind, messages).await
            }
        }
    }

    /// Puts the newest entry of a session of this server into the list.
    pub(super) async fn put_entry(&self, id: SessionId, held: &mut Held) -> Result<(), LogError> {
        self.server.as_str().clone_into(&mut held.entry.by);
        let (begun, mut doubt, mut refused) = (Instant::now(), Doubt::default(), 0);
        loop {
            let error = match self.send_entry(id, &held.entry, held.entry_seq).await {
                Ok(seq) => {
                    (held.entry_seq, held.is_behind) = (seq, false);
                    return Ok(());
                }
                Err(error) if error.may_pass() => error,
                Err(error) => return Err(error.into()),
            };
            match self.entry(id).await {
                Ok((there, seq)) => match there {
                    _ if seq < held.entry_seq && !doubt.is_over().await => {}
                    None if seq > 0 => return Err(LogError::UnknownSession(id)),
                    Some(there) if there.epoch > held.entry.epoch => return Err(LogError::Moved(id)),
                    // It was stored, and the answer did not come.
                    Some(there) if there == held.entry && seq > held.entry_seq => {
                        (held.entry_seq, held.is_behind) = (seq, false);
                        return Ok(());
                    }
                    Some(there) => {
                        (held.entry.owner, held.entry.pinned) = (there.owner, there.pinned);
                        held.entry_seq = seq;
                    }
                    None => held.entry_seq = seq,
                },
                Err(error) if error.may_pass() => {}
                Err(error) => return Err(error.into()),
            }
            refused += usize::from(matches!(error, NatsError::Sequence));
            if refused > ATTEMPTS {
                return Err(LogError::Busy);
            }
            if begun.elapsed() > UNCERTAIN {
                return Err(error.into());
            }
            sleep(AGAIN).await;
        }
    }

    async fn send_entry(&self, id: SessionId, entry: &Entry, expected: u64) -> Result<u64, NatsError> {
        let payload = entry.to_bytes().into();
        self.jetstream.publish(&Subjects::of(id).entry(), Some(expected), HeaderMap::new(), payload).await
    }

    /// Changes what is the list's and not the log's; false if there is no such session.
    pub(super) async fn change_entry(
        &self,
        id: SessionId,
        change: impl Fn(&mut Entry) -> Result<(), LogError> + Send,
    ) -> Result<bool, LogError> {
        self.open()?;
        let session = self.session(id);
        let mut standing = session.standing.lock().await;
        for _ in 0..ATTEMPTS {
            let (Some(there), seq) = self.sure_entry(id).await? else { return Ok(false) };
            let mut entry = match &*standing {
                Standing::Held(held) => Entry { owner: there.owner, pinned: there.pinned, ..held.entry.clone() },
                Standing::Unknown | Standing::Lost(_) => there,
            };
            change(&mut entry)?;
            self.server.as_str().clone_into(&mut entry.by);
            match self.send_entry(id, &entry, seq).await {
                Ok(seq) => {
                    self.index.put(id, &entry)?;
                    let owner = Principal::named(&entry.owner);
                    self.changes.tell(SessionChange { session: id, owner, gone: false });
                    if let Standing::Held(held) = &mut *standing {
                        (held.entry, held.entry_seq, held.is_behind) = (entry, seq, false);
                    }
                    return Ok(true);
                }
                Err(NatsError::Sequence) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(LogError::Busy)
    }

    /// Whether this is the server that wrote a message.
    pub(super) fn is_ours(&self, message: &Linked) -> bool {
        message.link.by == self.server.as_str()
    }

    fn sessions(&self) -> MutexGuard<'_, HashMap<SessionId, Arc<Session>>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Session {
    fn new(id: SessionId) -> Self {
        Self { id, queue: Queue::default(), written: AtomicU64::default(), standing: tokio::sync::Mutex::default() }
    }

    /// Whether all that is known of it can be read again.
    fn may_be_forgotten(&self) -> bool {
        let standing = self.standing.try_lock();
        let is_known = standing.is_ok_and(|standing| match &*standing {
            Standing::Held(held) => !held.is_behind,
            Standing::Unknown => true,
            Standing::Lost(_) => false,
        });
        is_known && self.queue.is_idle()
    }
}
