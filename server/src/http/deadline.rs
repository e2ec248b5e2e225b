//! How large a request's body may be, and how long it may take: some seconds, and longer the more of it has come. Whoever sends slower than that
//! gets 408 and loses the connection.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, StatusCode, header};
use futures_util::StreamExt;
use tokio::time::{Instant, timeout_at};

use super::error::Problem;

/// What every body may take.
const GRACE: Duration = Duration::from_secs(10);

/// How many bytes a second must come after that, on the whole.
const SLOWEST: u64 = 16 * 1024;

/// The time that one body has.
pub(super) struct Deadline {
    began: Instant,
    received: u64,
}

impl Deadline {
    /// From now on.
    pub(super) fn begin() -> Self {
        Self { began: Instant::now(), received: 0 }
    }

    /// Until when the next piece must be there.
    pub(super) fn at(&self) -> Instant {
        self.began + GRACE + Duration::from_millis(self.received * 1000 / SLOWEST)
    }

    /// A piece of this length is there.
    pub(super) fn received(&mut self, bytes: usize) {
        self.received += u64::try_from(bytes).unwrap_or(u64::MAX);
    }
}

/// The whole body.
///
/// # Errors
/// When it has more bytes than `limit`, or comes too slowly.
pub(super) async fn read(body: Body, limit: usize) -> Result<Bytes, Problem> {
    let (mut body, mut deadline, mut all) = (body.into_data_stream(), Deadline::begin(), Vec::new());
    while let Some(piece) = timeout_at(deadline.at(), body.next()).await.map_err(|_| too_slow())? {
        let piece = piece.map_err(|error| Problem::bad_request("body", format!("the body broke off: {error}")))?;
        if all.len() + piece.len() > limit {
            return Err(too_large(limit));
        }
        deadline.received(piece.len());
        all.extend_from_slice(&piece);
    }
    Ok(all.into())
}

/// The body came too slowly.
pub(super) fn too_slow() -> Problem {
    Problem::new(StatusCode::REQUEST_TIMEOUT, "the body arrived too slowly")
        .in_field("body")
        .suggest(format!("send it within {} seconds, or at {} KiB a second", GRACE.as_secs(), SLOWEST / 1024))
        .with_header(header::CONNECTION, HeaderValue::from_static("close"))
}

/// The body is larger than it may be.
pub(super) fn too_large(limit: usize) -> Problem {
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, format!("the body is larger than {limit} bytes"))
        .in_field("body")
        .suggest("send less at once")
}
