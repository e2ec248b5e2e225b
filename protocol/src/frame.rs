//! The envelope of what a server says.

use crate::{MessageId, ServerMessage};

/// One frame from the server: a message with its place in the log and in a turn.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct ServerFrame {
    /// What is said, with its `type`.
    #[serde(flatten)]
    pub message: ServerMessage,
    /// The place in the session's log, from 1 without holes; absent for frames that are not kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
    /// RFC 3339.
    pub timestamp: String,
    /// The message that began the turn which the frame belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<MessageId>,
}
