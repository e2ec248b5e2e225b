//! An event before and after it is in the log.

use switchboard_protocol::{MessageId, ServerMessage};

use super::payload::ServerOnly;
use super::value::Blob;

/// Something that happened, before the actor gives it a place in the log.
#[derive(Debug, Clone)]
pub struct NewEvent {
    /// The turn that it belongs to.
    pub turn_id: Option<MessageId>,
    /// What clients get.
    pub message: ServerMessage,
    /// What only the server sees.
    pub private: Option<Box<ServerOnly>>,
    /// Large values that `private` refers to; written in the same transaction.
    pub blobs: Vec<Blob>,
}

impl NewEvent {
    /// An event of a turn, with nothing private.
    #[must_use]
    pub fn of_turn(turn_id: &MessageId, message: ServerMessage) -> Self {
        Self { turn_id: Some(turn_id.clone()), message, private: None, blobs: Vec::new() }
    }

    /// An event outside turns, with nothing private.
    #[must_use]
    pub fn of_session(message: ServerMessage) -> Self {
        Self { turn_id: None, message, private: None, blobs: Vec::new() }
    }

    /// The same event with something private.
    #[must_use]
    pub fn with_private(mut self, private: ServerOnly) -> Self {
        self.private = Some(Box::new(private));
        self
    }

    /// The same event with large values.
    #[must_use]
    pub fn with_blobs(mut self, blobs: impl IntoIterator<Item = Blob>) -> Self {
        self.blobs.extend(blobs);
        self
    }
}

/// An event as the log has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredEvent {
    /// Its place, from 1 without gaps.
    pub seq: u64,
    /// RFC 3339.
    pub at: String,
    /// The exact JSON text that clients get.
    pub frame: std::sync::Arc<str>,
    /// The JSON text of [`ServerOnly`], if there is something private.
    pub private: Option<std::sync::Arc<str>>,
}
