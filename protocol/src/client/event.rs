//! The events that a client reports to its owner.

use std::time::Duration;

use serde_json::Value;

use crate::ServerFrame;

/// One thing that happened, in order.
#[derive(Debug, Clone, PartialEq)]
pub enum ClientEvent {
    /// The text of the frame that follows, if the configuration asks for it.
    Raw(String),
    /// A frame from the server.
    Frame(Box<ServerFrame>),
    /// A frame of a type that this client does not know, or one that it cannot read.
    Unknown(Value),
    /// The connection was lost; the client reconnects automatically.
    Disconnected {
        /// Why, for people.
        reason: String,
        /// When the next attempt begins.
        retry_in: Duration,
    },
    /// The connection is back. `session-ready` follows, then what was missed, once.
    Reconnected,
    /// The server's log is not the one that was read: it ends before, or it is another history. Forget what came; the
    /// client reconnects, and everything comes from the beginning.
    StartedOver,
    /// The client gave up, or the server said that there is no use in trying again. Nothing follows.
    Closed {
        /// The close code, if the server gave one.
        code: Option<u16>,
        /// Why and what to do, for people.
        reason: String,
    },
}
