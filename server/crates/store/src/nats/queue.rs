//! What waits to be written to one session, and how much waits in all.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use switchboard_events::{Append, LogError};
use tokio::sync::{Notify, oneshot};
use tokio::time::{Instant, sleep_until};

use super::link::text_bytes;

/// How long an append waits for company.
const GATHER: Duration = Duration::from_millis(20);
/// How many events are written at once, unless one append alone has more.
const BATCH_EVENTS: usize = 512;
/// How many bytes are written at once, unless one append alone has more.
const BATCH_BYTES: usize = 900 * 1024;
/// How many appends and bytes may wait when something new begins.
const CROWDED: (usize, usize) = (6144, 24 * 1024 * 1024);
/// How many may wait at all.
const FULL: (usize, usize) = (65_536, 512 * 1024 * 1024);

/// How much waits, in all sessions together.
#[derive(Debug, Default)]
pub(super) struct Backlog {
    jobs: AtomicUsize,
    bytes: AtomicUsize,
}

impl Backlog {
    /// Whether nothing new of so many bytes is to begin.
    pub(super) fn is_crowded(&self, bytes: usize) -> bool {
        self.exceeds(CROWDED, bytes)
    }

    fn exceeds(&self, (jobs, most): (usize, usize), bytes: usize) -> bool {
        let waiting = self.jobs.load(Ordering::Relaxed);
        waiting > 0 && (waiting >= jobs || self.bytes.load(Ordering::Relaxed) + bytes > most)
    }
}

/// An append and whoever waits for it.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) append: Append,
    reply: oneshot::Sender<Result<(), LogError>>,
    bytes: usize,
    since: Instant,
    backlog: Arc<Backlog>,
}

impl Job {
    /// A job, if there is room for it.
    pub(super) fn new(
        append: Append,
        backlog: &Arc<Backlog>,
    ) -> Result<(Self, oneshot::Receiver<Result<(), LogError>>), LogError> {
        let blobs: usize = append.blobs.iter().map(|blob| blob.bytes.len()).sum();
        let bytes = text_bytes(&append.events) + blobs;
        let room = if append.opened.is_empty() { FULL } else { CROWDED };
        if backlog.exceeds(room, bytes) {
            return Err(LogError::Busy);
        }
        backlog.jobs.fetch_add(1, Ordering::Relaxed);
        backlog.bytes.fetch_add(bytes, Ordering::Relaxed);
        let (reply, outcome) = oneshot::channel();
        Ok((Self { append, reply, bytes, since: Instant::now(), backlog: Arc::clone(backlog) }, outcome))
    }

    /// Tells whoever waits; whoever does not any more needs no answer.
    pub(super) fn answer(self, outcome: Result<(), LogError>) {
        let Self { append: _, reply, bytes, since: _, backlog } = self;
        backlog.jobs.fetch_sub(1, Ordering::Relaxed);
        backlog.bytes.fetch_sub(bytes, Ordering::Relaxed);
        let _ = reply.send(outcome);
    }
}

/// What waits to be written to a session. One task at a time takes from it.
#[derive(Debug, Default)]
pub(super) struct Queue {
    waiting: Mutex<Waiting>,
    /// Told when what waits is to be written at once.
    ripe: Notify,
    /// Told when nobody takes from it any more.
    idle: Notify,
}

#[derive(Debug, Default)]
struct Waiting {
    jobs: VecDeque<Job>,
    /// A task takes from it.
    is_taken: bool,
    closed: bool,
}

impl Queue {
    /// Puts a job at the end; whether a task has to be started that takes it.
    pub(super) fn push(&self, job: Job) -> bool {
        let mut waiting = self.waiting();
        waiting.jobs.push_back(job);
        if waiting.is_ripe() {
            self.ripe.notify_one();
        }
        !std::mem::replace(&mut waiting.is_taken, true)
    }

    /// Waits until what is there is to be written.
    pub(super) async fn gathered(&self) {
        let due = {
            let waiting = self.waiting();
            match waiting.jobs.front() {
                Some(oldest) if !waiting.is_ripe() => oldest.since + GATHER,
                _ => return,
            }
        };
        tokio::select! {
            () = sleep_until(due) => {}
            () = self.ripe.notified() => {}
        }
    }

    /// The jobs that are written next, in the order of the calls; when there are none, whoever asks takes no more.
    pub(super) fn take(&self) -> Vec<Job> {
        let mut waiting = self.waiting();
        let (mut jobs, mut events, mut bytes) = (Vec::new(), 0, 0);
        while let Some(job) = waiting.jobs.front() {
            events += job.append.events.len().max(1);
            bytes += job.bytes;
            if !jobs.is_empty() && (events > BATCH_EVENTS || bytes > BATCH_BYTES) {
                break;
            }
            jobs.extend(waiting.jobs.pop_front());
        }
        if jobs.is_empty() {
            waiting.is_taken = false;
            self.idle.notify_waiters();
        }
        jobs
    }

    /// Writes what waits at once, from now on, and waits until it is written.
    pub(super) async fn close(&self) {
        loop {
            let idle = self.idle.notified();
            {
                let mut waiting = self.waiting();
                waiting.closed = true;
                if !waiting.is_taken {
                    return;
                }
            }
            self.ripe.notify_one();
            idle.await;
        }
    }

    /// Whether nothing waits and nobody writes.
    pub(super) fn is_idle(&self) -> bool {
        !self.waiting().is_taken
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    fn is_ripe(&self) -> bool {
        let events: usize = self.jobs.iter().map(|job| job.append.events.len()).sum();
        self.closed || events >= BATCH_EVENTS || self.jobs.iter().any(|job| job.append.urgent)
    }
}
