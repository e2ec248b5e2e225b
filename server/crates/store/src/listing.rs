//! What a list says of a session, in any store: what is carried from one to another beside the events.

use switchboard_accounts::Principal;
use switchboard_protocol::MessageId;

/// The entry of a session, without its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Listing {
    pub(super) owner: Principal,
    pub(super) title: Option<String>,
    /// RFC 3339.
    pub(super) created_at: String,
    /// RFC 3339.
    pub(super) updated_at: String,
    /// Its last event.
    pub(super) last: u64,
    /// The user keeps it at the top.
    pub(super) pinned: bool,
    /// Messages that are open.
    pub(super) open: Vec<MessageId>,
}
