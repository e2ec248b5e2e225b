//! What a session can be told. Replies come by `oneshot`; what a client says is answered on its subscriber.

use std::num::NonZeroUsize;
use std::sync::Arc;

use serde_json::{Map, Value};
use switchboard_protocol::{CallId, ClientFrame};
use tokio::sync::oneshot;

use super::error::SessionError;
use super::refusal::Refusal;
use super::subscriber::{SubscriberId, SubscriberReader};
use switchboard_accounts::Rights;
use switchboard_agent::TurnView;
use switchboard_events::ArtifactValue;

/// From where a client wants to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttachFrom {
    /// A session that was made just now.
    New,
    /// Every event after this one.
    After(u64),
    /// A snapshot and the last events.
    Tail(u64),
    /// A snapshot, the last messages of the user and all that came after the first of them; at most so many events.
    LastMessages {
        /// How many messages.
        messages: NonZeroUsize,
        /// How many events at most.
        events: u64,
    },
}

/// A command to the actor.
pub(super) enum SessionCommand {
    /// A client comes.
    Attach { from: AttachFrom, viewer: bool, reply: oneshot::Sender<Result<Attached, SessionError>> },
    /// A client has read everything up to `have`.
    GoLive { subscriber: SubscriberId, have: u64, reply: oneshot::Sender<GoLive> },
    /// A client says something.
    Client { subscriber: SubscriberId, rights: Rights, frame: Box<ClientFrame> },
    /// A client said something that cannot be done.
    Refuse { subscriber: SubscriberId, refusal: Refusal },
    /// Somebody wants to see the variables.
    View(oneshot::Sender<Arc<TurnView>>),
    /// Somebody wants to see the whole of what a waiting question is about.
    Asked(CallId, oneshot::Sender<Option<Arc<Map<String, Value>>>>),
    /// The user brings a value; the name under which it is kept.
    Keep { name: String, value: ArtifactValue, reply: oneshot::Sender<Result<String, SessionError>> },
    /// The user takes back a value that was brought, unless a message has it.
    Discard { name: String, reply: oneshot::Sender<Result<(), SessionError>> },
    /// A client came upon damage in the log while it read.
    Damaged,
    /// Another reasoner decides from now on.
    ReasonerChanged,
    /// Another server has claimed the session.
    Moved,
    /// A test wants to compare the state.
    #[cfg(test)]
    State(oneshot::Sender<Box<super::state::SessionState>>),
    /// The session is deleted: everything ends, nothing is written any more.
    Delete,
}

/// What the actor gives a client that comes.
pub(super) struct Attached {
    pub(super) subscriber: SubscriberId,
    pub(super) reader: SubscriberReader,
    /// `session-ready`, as JSON text.
    pub(super) ready: String,
    /// The last event that the client has.
    pub(super) have: u64,
    /// The last event that it can read now; when it has it, new ones come by themselves.
    pub(super) upto: u64,
}

/// Whether new events come by themselves now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GoLive {
    /// They do.
    Live,
    /// There are more to be read first, up to this one.
    ReadTo(u64),
}
