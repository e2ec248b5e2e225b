//! One attached client as the session sees it: a queue with a limit in bytes.
//!
//! The actor never waits for a client. When the queue is full the client is *behind*: nothing is queued any more, and
//! it reads from the log at its own pace until it has everything again. One that falls behind without end loses its
//! socket, never its log. What is not kept (live output) is left out first, and its newest part comes once the client has
//! read what waits.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{Notify, mpsc, oneshot};

/// Frames that may wait for one client, whatever their size.
const MAX_FRAMES: usize = 1024;

/// How many times its queue a client may fall behind at once.
const MAX_BEHIND: usize = 16;

/// Names one attached client within its session.
pub(super) type SubscriberId = u64;

/// A frame on its way to a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outgoing {
    /// Its place in the log, if it goes to every client as an event of the log.
    pub seq: Option<u64>,
    /// Its JSON text, encoded once for all clients.
    pub text: Arc<str>,
}

/// Why the session lets go of a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CloseReason {
    /// It reads too slowly.
    SlowReader,
    /// The session was deleted.
    Deleted,
    /// The session had to begin again from its log; the client should connect again.
    Restarted,
    /// Another server has the session; the client should connect again, and read on where it was.
    Moved,
}

/// The session's end.
pub(super) struct Subscriber {
    sender: mpsc::Sender<Outgoing>,
    shared: Arc<Shared>,
    limit: usize,
    close: Option<oneshot::Sender<CloseReason>>,
    live: bool,
    viewer: bool,
    missed: usize,
    /// Whether a frame that is not kept was left out.
    starved: bool,
}

/// The client's end; dropping it detaches the client.
#[derive(Debug)]
pub(super) struct SubscriberReader {
    receiver: mpsc::Receiver<Outgoing>,
    shared: Arc<Shared>,
    closed: oneshot::Receiver<CloseReason>,
}

/// What comes to a client next.
pub(super) enum Next {
    /// A frame.
    Frame(Outgoing),
    /// The queue was full: what follows has to be read from the log, or asked for.
    Behind,
}

#[derive(Debug, Default)]
struct Shared {
    queued: AtomicUsize,
    behind: Notify,
}

/// The client is too slow and has to go.
pub(super) struct TooSlow;

/// A client's two ends.
pub(super) fn subscriber(limit: usize, viewer: bool) -> (Subscriber, SubscriberReader) {
    let (sender, receiver) = mpsc::channel(MAX_FRAMES);
    let (close, closed) = oneshot::channel();
    let shared = Arc::new(Shared::default());
    let subscriber = Subscriber {
        sender,
        shared: Arc::clone(&shared),
        limit,
        close: Some(close),
        live: false,
        viewer,
        missed: 0,
        starved: false,
    };
    (subscriber, SubscriberReader { receiver, shared, closed })
}

impl Subscriber {
    /// Whether the client shows windows.
    pub(super) fn is_viewer(&self) -> bool {
        self.viewer
    }

    /// Whether new events are queued.
    pub(super) fn is_live(&self) -> bool {
        self.live
    }

    /// From now on new events are queued.
    pub(super) fn go_live(&mut self) {
        self.missed = 0;
        self.starved = false;
        self.live = true;
    }

    /// Whether frames that are not kept were left out since it was last asked; what they came to is sent again then.
    pub(super) fn take_starved(&mut self) -> bool {
        std::mem::take(&mut self.starved)
    }

    /// Queues an event of the log, if the client has everything before it.
    pub(super) fn send(&mut self, outgoing: &Outgoing) -> Result<(), TooSlow> {
        if self.live {
            if self.has_room() && self.queue(outgoing.clone()) {
                return Ok(());
            }
            self.live = false;
            self.shared.behind.notify_one();
        }
        self.missed = self.missed.saturating_add(outgoing.text.len());
        if self.missed > self.limit.saturating_mul(MAX_BEHIND) { Err(TooSlow) } else { Ok(()) }
    }

    /// Queues an answer to this client, which is in no log.
    pub(super) fn answer(&mut self, outgoing: Outgoing) -> Result<(), TooSlow> {
        // Answers wait beside events; only somebody who asks and asks and never reads fills both.
        let room = self.shared.queued.load(Ordering::Acquire) <= self.limit.saturating_mul(MAX_BEHIND);
        if room && self.queue(outgoing) { Ok(()) } else { Err(TooSlow) }
    }

    /// Queues a frame that may be missed: a client that is behind does without, and hears of it when its queue is empty.
    pub(super) fn offer(&mut self, outgoing: &Outgoing) {
        if !self.live || self.starved {
            return;
        }
        let room = self.shared.queued.load(Ordering::Acquire) <= self.limit / 4;
        if !(room && self.sender.capacity() > MAX_FRAMES / 2 && self.queue(outgoing.clone())) {
            self.starved = true;
            self.shared.behind.notify_one();
        }
    }

    /// Tells the client why it has to go.
    pub(super) fn close(mut self, reason: CloseReason) {
        if let Some(close) = self.close.take() {
            let _ = close.send(reason);
        }
    }

    /// Completes when the client has gone.
    pub(super) fn gone(&self) -> impl Future<Output = ()> + Send + 'static {
        let sender = self.sender.clone();
        async move { sender.closed().await }
    }

    fn has_room(&self) -> bool {
        self.shared.queued.load(Ordering::Acquire) <= self.limit
    }

    /// False when too many frames wait. A client that has gone takes everything.
    fn queue(&self, outgoing: Outgoing) -> bool {
        let bytes = outgoing.text.len();
        self.shared.queued.fetch_add(bytes, Ordering::AcqRel);
        let queued = !matches!(self.sender.try_send(outgoing), Err(mpsc::error::TrySendError::Full(_)));
        if !queued {
            self.shared.queued.fetch_sub(bytes, Ordering::AcqRel);
        }
        queued
    }
}

impl SubscriberReader {
    /// What comes next, or why nothing does.
    pub(super) async fn next(&mut self) -> Result<Next, CloseReason> {
        // In this order: what is queued comes before the news that the queue was full.
        tokio::select! {
            biased;
            reason = &mut self.closed => Err(reason.unwrap_or(CloseReason::Restarted)),
            outgoing = self.receiver.recv() => match outgoing {
                Some(outgoing) => {
                    self.shared.queued.fetch_sub(outgoing.text.len(), Ordering::AcqRel);
                    Ok(Next::Frame(outgoing))
                }
                None => Err((&mut self.closed).await.unwrap_or(CloseReason::Restarted)),
            },
            () = self.shared.behind.notified() => Ok(Next::Behind),
        }
    }

    /// A frame that already exists.
    pub(super) fn ready(&mut self) -> Option<Outgoing> {
        let outgoing = self.receiver.try_recv().ok()?;
        self.shared.queued.fetch_sub(outgoing.text.len(), Ordering::AcqRel);
        Some(outgoing)
    }

    /// Completes when the session lets go of the client.
    pub(super) async fn closed(&mut self) -> CloseReason {
        (&mut self.closed).await.unwrap_or(CloseReason::Restarted)
    }
}
