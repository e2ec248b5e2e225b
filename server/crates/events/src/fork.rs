//! What a forked session says of its origin. It stands on the session's first event, so that it can be read without the
//! rest of the log, and goes with it into exports.

use serde::{Deserialize, Serialize};
use switchboard_protocol::{ForkedFrom, MessageId, SessionId};

/// The most versions that a record has.
pub const MAX_VERSIONS: usize = 64;

/// Where a session was forked from, and which of its messages stand in the place of others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ForkRecord {
    /// The session that it was made from, and the last event that it has of it; 0: none.
    pub from: ForkedFrom,
    /// The session that is the origin of the origin, and so on: sessions of one root belong together.
    pub root: SessionId,
    /// Its messages that stand in the place of others, those that it has of its origin first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub versions: Vec<MessageVersion>,
}

/// A message that was edited or sent again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MessageVersion {
    /// The message.
    pub message: MessageId,
    /// It is this event or one soon after it.
    pub seq: u64,
    /// The message that was said there first.
    pub first: MessageId,
    /// Which event that is, in each session that has it.
    pub first_seq: u64,
}
