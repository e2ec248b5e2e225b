//! What is shown of sessions, wherever they are stored.

use bytes::Bytes;
use futures_util::stream::BoxStream;
use serde::{Deserialize, Serialize};
use switchboard_events::SessionRow;
use switchboard_protocol::SessionId;

/// A file on its way, piece by piece.
pub(super) type Pieces = BoxStream<'static, anyhow::Result<Bytes>>;

/// A session in short, as the API tells it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Summary {
    pub(super) session_id: SessionId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) title: Option<String>,
    pub(super) created_at: String,
    pub(super) updated_at: String,
    pub(super) last_seq: u64,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) pinned: bool,
}

impl From<SessionRow> for Summary {
    fn from(row: SessionRow) -> Self {
        let SessionRow { session, owner: _, title, created_at, updated_at, last_seq, pinned } = row;
        Self { session_id: session, title, created_at, updated_at, last_seq, pinned }
    }
}
