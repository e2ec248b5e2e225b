//! What is shown of sessions, wherever they are stored.

use bytes::Bytes;
use futures_util::stream::BoxStream;

/// A file on its way, piece by piece.
pub(super) type Pieces = BoxStream<'static, anyhow::Result<Bytes>>;

/// A session in short, as the API tells it.
pub(super) use switchboard_protocol::SessionSummary as Summary;
