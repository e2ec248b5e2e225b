//! Between what happened and what clients get: gives each event its `seq`, encodes it once, hands it to the log
//! without waiting, and lets frames out in order, each only after its commit.
//!
//! Everything that must not overtake an event (transients, answers about the state) is in the same line. When an
//! append fails, everything behind it fails with it.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;

use futures_util::FutureExt;
use futures_util::future::Shared;
use switchboard_protocol::{MessageId, ServerFrame, ServerMessage, SessionId};
use tokio::sync::oneshot;

use super::frames;
use super::state::SessionState;
use super::subscriber::{Outgoing, SubscriberId};
use switchboard_events::{Append, Committed, EncodedEvent, LogError, NewEvent, ServerOnly, SessionLog};

/// How many events, and how many bytes of them, may be on their way at once.
const MAX_EVENTS: usize = 256;
const MAX_BYTES: usize = 24 * 1024 * 1024;
/// How many bytes of transients may wait behind a commit; more are left out, for nothing keeps them anyway.
const MAX_TRANSIENT_BYTES: usize = 512 * 1024;
/// The largest frame.
const MAX_FRAME_BYTES: usize = 16 * 1024 * 1024;

/// Who waits for an event's commit.
pub(super) type ReceiptSender = oneshot::Sender<Result<(), LogError>>;

/// An event with what belongs to it on its way.
pub(super) struct Outbound {
    pub(super) event: NewEvent,
    /// An event that the log takes with it, or not at all.
    pub(super) with: Option<NewEvent>,
    /// Somebody waits: do not gather.
    pub(super) urgent: bool,
    pub(super) receipt: Option<ReceiptSender>,
    /// The client that hears of it when the message cannot be taken.
    pub(super) sender: Option<(SubscriberId, MessageId)>,
}

/// Something whose turn has come.
pub(super) enum Released {
    /// A frame for every client; `seq` says whether it is kept.
    Frame(Box<ServerFrame>, Arc<str>),
    /// A frame for one client.
    Answer(SubscriberId, Outgoing),
}

/// An append failed, and everything behind it.
pub(super) struct Failed {
    pub(super) error: LogError,
    /// The clients whose messages were not taken.
    pub(super) refused: Vec<(SubscriberId, MessageId)>,
}

/// The line.
pub(super) struct Outbox {
    log: Arc<dyn SessionLog>,
    session: SessionId,
    last: u64,
    durable: u64,
    line: VecDeque<Item>,
    events: usize,
    bytes: usize,
    transient_bytes: usize,
}

enum Item {
    Event(Box<Appending>),
    Transient(Box<ServerFrame>, Arc<str>),
    Answer(SubscriberId, Outgoing),
}

struct Appending {
    frame: ServerFrame,
    text: Arc<str>,
    committed: Shared<Committed>,
    receipt: Option<ReceiptSender>,
    sender: Option<(SubscriberId, MessageId)>,
}

impl Outbox {
    pub(super) fn new(log: Arc<dyn SessionLog>, session: SessionId, last: u64) -> Self {
        let line = VecDeque::new();
        Self { log, session, last, durable: last, line, events: 0, bytes: 0, transient_bytes: 0 }
    }

    /// The last event that is durable.
    pub(super) fn durable(&self) -> u64 {
        self.durable
    }

    /// Whether nothing is on its way.
    pub(super) fn is_empty(&self) -> bool {
        self.line.is_empty()
    }

    /// Whether more may be taken in.
    pub(super) fn has_room(&self) -> bool {
        self.events < MAX_EVENTS && self.bytes < MAX_BYTES
    }

    /// Puts an event into the line, hands it to the log, and lets the state take note of it; with it the one that the log takes
    /// with it.
    pub(super) fn push(&mut self, outbound: Outbound, state: &mut SessionState) {
        let Outbound { event, with, urgent, receipt, sender } = outbound;
        let mut append = Append {
            session: self.session,
            expected: self.last,
            events: Vec::with_capacity(1),
            blobs: Vec::new(),
            opened: Vec::new(),
            closed: Vec::new(),
            title: None,
            urgent,
        };
        let mut written = Vec::with_capacity(1);
        for event in std::iter::once(event).chain(with) {
            self.last += 1;
            let frame = frames::frame(Some(self.last), event.turn_id, event.message);
            let text: Arc<str> = frames::text(&frame).into();
            state.apply(&frame, event.private.as_deref());
            let private = event.private.map(|private| Arc::from(private_text(&private)));
            append.events.push(EncodedEvent { at: frame.timestamp.clone(), frame: Arc::clone(&text), private });
            append.blobs.extend(event.blobs);
            append.opened.extend(opened(&frame.message));
            append.closed.extend(closed(&frame.message));
            append.title = append.title.or_else(|| title(&frame.message));
            written.push((frame, text));
        }
        let largest = written.iter().map(|(_, text)| text.len()).max().unwrap_or_default();
        let committed = self.hand_over(append, largest).shared();
        let last = written.len() - 1;
        let (mut receipt, mut sender) = (receipt, sender);
        for (place, (frame, text)) in written.into_iter().enumerate() {
            self.events += 1;
            self.bytes += text.len();
            // Both are durable in the same moment.
            let receipt = if place == last { receipt.take() } else { None };
            let (committed, sender) = (committed.clone(), sender.take());
            self.line.push_back(Item::Event(Box::new(Appending { frame, text, committed, receipt, sender })));
        }
    }

    /// Puts a frame that is not kept into the line; left out when too much waits already.
    pub(super) fn push_transient(&mut self, turn_id: Option<MessageId>, message: ServerMessage) {
        if self.transient_bytes > MAX_TRANSIENT_BYTES {
            return;
        }
        let frame = frames::frame(None, turn_id, message);
        let text: Arc<str> = frames::text(&frame).into();
        self.transient_bytes += text.len();
        self.line.push_back(Item::Transient(Box::new(frame), text));
    }

    /// Puts an answer to one client into the line: what it tells is durable when it is sent.
    pub(super) fn push_answer(&mut self, subscriber: SubscriberId, outgoing: Outgoing) {
        self.line.push_back(Item::Answer(subscriber, outgoing));
    }

    /// What may be sent now without waiting for a commit.
    pub(super) fn release(&mut self) -> Option<Released> {
        match self.line.front()? {
            Item::Event(_) => None,
            Item::Transient(..) | Item::Answer(..) => match self.line.pop_front()? {
                Item::Transient(frame, text) => {
                    self.transient_bytes -= text.len();
                    Some(Released::Frame(frame, text))
                }
                Item::Answer(subscriber, outgoing) => Some(Released::Answer(subscriber, outgoing)),
                Item::Event(_) => None,
            },
        }
    }

    /// Waits for the commit at the head of the line; pends when there is none. Canceling it loses nothing.
    pub(super) async fn next_commit(&mut self) -> Result<Released, Failed> {
        let result = poll_fn(|context| match self.line.front_mut() {
            Some(Item::Event(event)) => event.committed.poll_unpin(context),
            _ => Poll::Pending,
        })
        .await;
        if let Err(error) = result {
            return Err(self.fail(&error));
        }
        let Some(Item::Event(event)) = self.line.pop_front() else { unreachable!("the head was an event") };
        let Appending { frame, text, receipt, .. } = *event;
        self.events -= 1;
        self.bytes -= text.len();
        self.durable += 1;
        if let Some(receipt) = receipt {
            let _ = receipt.send(Ok(()));
        }
        Ok(Released::Frame(Box::new(frame), text))
    }

    /// Everything in the line fails: what was said of a state that is none must not be sent either.
    fn fail(&mut self, error: &LogError) -> Failed {
        let mut refused = Vec::new();
        for item in self.line.drain(..) {
            let Item::Event(event) = item else { continue };
            if let Some(receipt) = event.receipt {
                let _ = receipt.send(Err(error.clone()));
            }
            refused.extend(event.sender);
        }
        self.last = self.durable;
        (self.events, self.bytes, self.transient_bytes) = (0, 0, 0);
        Failed { error: error.clone(), refused }
    }

    fn hand_over(&self, append: Append, bytes: usize) -> Committed {
        if bytes > MAX_FRAME_BYTES {
            let error = LogError::Store(format!("an event of {bytes} bytes is larger than {MAX_FRAME_BYTES}"));
            return Box::pin(std::future::ready(Err(error)));
        }
        self.log.append(append)
    }
}

fn private_text(private: &ServerOnly) -> String {
    serde_json::to_string(private).expect("what is private has only text keys and numbers that JSON knows")
}

fn opened(message: &ServerMessage) -> Vec<MessageId> {
    match message {
        ServerMessage::UserMessage { message_id, .. } => vec![message_id.clone()],
        _ => Vec::new(),
    }
}

fn closed(message: &ServerMessage) -> Vec<MessageId> {
    match message {
        ServerMessage::AgentResponse { message_ids, .. }
        | ServerMessage::AgentError { message_ids: Some(message_ids), .. } => message_ids.clone(),
        _ => Vec::new(),
    }
}

fn title(message: &ServerMessage) -> Option<String> {
    match message {
        ServerMessage::SessionUpdate { title, .. } => title.clone(),
        _ => None,
    }
}
