//! What waits for the writer: a bounded queue that gives out batches.
//!
//! A batch is taken when somebody waits for a commit, when it is full, or when its oldest job is 20 ms old. When much
//! waits, what begins something new is refused with [`LogError::Busy`], said at once, and turns that have begun wait for
//! [`Queue::room`], one behind the other. What cannot wait, such as the end of a turn, is still taken, as far as the memory for
//! it goes. Because an append names the `seq` it expects, one that is refused here also stops those of its
//! session behind it.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use switchboard_protocol::SessionId;
use tokio::sync::{Notify, Semaphore, oneshot};

use super::listing::Listing;
use switchboard_accounts::Principal;
use switchboard_events::{Append, LogError, LogRoom, RawEvent};

/// How long a job waits for company.
const GATHER: Duration = Duration::from_millis(20);
/// How many events a batch has at most, unless one job alone has more.
const BATCH_EVENTS: usize = 512;
/// How many jobs and bytes may wait when something new begins, or when a turn goes on.
const CROWDED: Room = Room { jobs: 8192, bytes: 32 * 1024 * 1024 };
/// How many may wait when a session asks whether a message may begin: fewer, for others append before it does.
const CROWDED_SOON: Room = Room { jobs: 6144, bytes: 24 * 1024 * 1024 };
/// How many may wait at all, unless one job alone has more.
const FULL: Room = Room { jobs: 65_536, bytes: 512 * 1024 * 1024 };

/// How much may wait.
struct Room {
    jobs: usize,
    bytes: usize,
}

/// Something for the writer to do.
#[derive(Debug)]
pub(super) enum Work {
    Create {
        session: SessionId,
        owner: Principal,
    },
    Append(Append),
    Pin {
        session: SessionId,
        pinned: bool,
    },
    HandOver {
        session: SessionId,
        owner: Principal,
    },
    #[cfg_attr(not(feature = "nats"), expect(dead_code, reason = "only a migration settles sessions"))]
    Settle {
        session: SessionId,
        listing: Listing,
    },
    Delete {
        session: SessionId,
    },
    Check,
}

impl Work {
    fn urgent(&self) -> bool {
        !matches!(self, Self::Append(append) if !append.urgent)
    }

    /// Whether it begins something: a session, or the answer to a message.
    fn begins(&self) -> bool {
        match self {
            Self::Create { .. } => true,
            Self::Append(append) => !append.opened.is_empty(),
            Self::Pin { .. } | Self::HandOver { .. } | Self::Settle { .. } | Self::Delete { .. } | Self::Check => false,
        }
    }

    fn events(&self) -> usize {
        if let Self::Append(append) = self { append.events.len().max(1) } else { 1 }
    }

    /// The session that it is about.
    pub(super) fn session(&self) -> Option<SessionId> {
        match self {
            Self::Append(append) => Some(append.session),
            Self::Create { session, .. }
            | Self::Pin { session, .. }
            | Self::HandOver { session, .. }
            | Self::Settle { session, .. }
            | Self::Delete { session } => Some(*session),
            Self::Check => None,
        }
    }

    /// How much text and how many bytes of large values it brings.
    pub(super) fn bytes(&self) -> usize {
        let Self::Append(append) = self else { return 0 };
        let events: usize = append.events.iter().map(|event| RawEvent::of(event).bytes()).sum();
        events + append.blobs.iter().map(|blob| blob.bytes.len()).sum::<usize>()
    }
}

/// What became of a job. Some have more to say than "done": whether there was such a session.
type Outcome = Result<bool, LogError>;

/// Work and whoever waits for its outcome.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) work: Work,
    replies: Vec<oneshot::Sender<Outcome>>,
    since: Instant,
    bytes: usize,
}

impl Job {
    pub(super) fn new(work: Work) -> (Self, oneshot::Receiver<Outcome>) {
        let (reply, outcome) = oneshot::channel();
        let bytes = work.bytes();
        (Self { work, replies: vec![reply], since: Instant::now(), bytes }, outcome)
    }

    /// Tells whoever waits. Whoever does not any more needs no answer.
    pub(super) fn answer(self, outcome: &Outcome) {
        for reply in self.replies {
            let _ = reply.send(outcome.clone());
        }
    }
}

/// Between whoever appends and the writer.
#[derive(Debug)]
pub(super) struct Queue {
    waiting: Mutex<QueuedJobs>,
    changed: Condvar,
    /// Told when a batch was taken.
    taken: Notify,
    /// Who goes on when there is room.
    turnstile: Arc<Semaphore>,
}

impl Default for Queue {
    fn default() -> Self {
        let turnstile = Arc::new(Semaphore::new(1));
        Self { waiting: Mutex::default(), changed: Condvar::new(), taken: Notify::new(), turnstile }
    }
}

#[derive(Debug, Default)]
struct QueuedJobs {
    jobs: VecDeque<Job>,
    events: usize,
    bytes: usize,
    urgent: usize,
    closed: bool,
}

impl Queue {
    /// Puts a job at the end, or says why not; never waits.
    pub(super) fn push(&self, mut job: Job) -> Result<(), LogError> {
        let mut waiting = self.waiting();
        if waiting.closed {
            return Err(LogError::Closed);
        }
        if let Work::Check = job.work
            && let Some(check) = waiting.jobs.iter_mut().find(|job| matches!(job.work, Work::Check))
        {
            // One answers all who ask meanwhile.
            check.replies.retain(|reply| !reply.is_closed());
            check.replies.append(&mut job.replies);
            return Ok(());
        }
        let room = if job.work.begins() { CROWDED } else { FULL };
        if waiting.exceeds(&room, job.bytes) {
            return Err(LogError::Busy);
        }
        waiting.add(job);
        if waiting.jobs.len() == 1 || waiting.ripe() {
            self.changed.notify_one();
        }
        Ok(())
    }

    /// Whether nothing new of so many bytes is to begin.
    pub(super) fn is_crowded(&self, bytes: usize) -> bool {
        self.waiting().exceeds(&CROWDED_SOON, bytes)
    }

    /// Waits until the writer is not behind. Dropping the future loses nothing.
    pub(super) async fn room(&self) -> LogRoom {
        if !self.is_behind() {
            return LogRoom::default();
        }
        // It is never closed.
        let Ok(only) = Arc::clone(&self.turnstile).acquire_owned().await else { return LogRoom::default() };
        loop {
            let taken = self.taken.notified();
            if !self.is_behind() {
                return only.into();
            }
            taken.await;
        }
    }

    /// Whether what has begun is to wait too. Nobody waits for a writer that has ended.
    fn is_behind(&self) -> bool {
        let waiting = self.waiting();
        !waiting.closed && waiting.exceeds(&CROWDED, 0)
    }

    /// The next batch, in the order of the calls; an empty one when there is nothing to do until then; `None` when the
    /// queue is closed and empty.
    pub(super) fn next_batch(&self, until: Instant) -> Option<Vec<Job>> {
        let mut waiting = self.waiting();
        loop {
            let Some(oldest) = waiting.jobs.front() else {
                if waiting.closed {
                    return None;
                }
                let left = until.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    return Some(Vec::new());
                }
                (waiting, _) = self.changed.wait_timeout(waiting, left).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let left = GATHER.saturating_sub(oldest.since.elapsed());
            if left.is_zero() || waiting.ripe() {
                let batch = waiting.take_batch();
                self.taken.notify_waiters();
                return Some(batch);
            }
            (waiting, _) = self.changed.wait_timeout(waiting, left).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Takes no more jobs; those that wait are still given out.
    pub(super) fn close(&self) {
        self.waiting().closed = true;
        self.changed.notify_one();
        self.taken.notify_waiters();
    }

    /// Takes no more jobs and forgets those that wait.
    pub(super) fn abandon(&self) {
        self.close();
        self.waiting().jobs.clear();
    }

    fn waiting(&self) -> MutexGuard<'_, QueuedJobs> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl QueuedJobs {
    /// Whether so many bytes more are too much; one job alone never is.
    fn exceeds(&self, room: &Room, bytes: usize) -> bool {
        !self.jobs.is_empty() && (self.jobs.len() >= room.jobs || self.bytes + bytes > room.bytes)
    }

    fn ripe(&self) -> bool {
        self.urgent > 0 || self.events >= BATCH_EVENTS || self.closed
    }

    fn add(&mut self, job: Job) {
        self.events += job.work.events();
        self.bytes += job.bytes;
        self.urgent += usize::from(job.work.urgent());
        self.jobs.push_back(job);
    }

    fn take_batch(&mut self) -> Vec<Job> {
        let mut batch = Vec::new();
        let mut events = 0;
        while let Some(job) = self.jobs.front() {
            events += job.work.events();
            if events > BATCH_EVENTS && !batch.is_empty() {
                break;
            }
            let Some(job) = self.jobs.pop_front() else { break };
            self.events -= job.work.events();
            self.bytes -= job.bytes;
            self.urgent -= usize::from(job.work.urgent());
            batch.push(job);
        }
        batch
    }
}
