//! Replay, then live: what the client missed is read from the log at the client's own pace, and new events come by
//! themselves from exactly where the reading ended.

use super::writer::{Ended, Writer, flush, put, text};
use switchboard_session::ClientReceiver;

/// How many events are read at once.
const PAGE: u64 = 32;

/// Sends everything that the client does not have; when it returns, the receiver is live.
pub(super) async fn replay(writer: &mut Writer, receiver: &mut ClientReceiver) -> Result<(), Ended> {
    loop {
        while let Some(outgoing) = receiver.ready() {
            put(writer, receiver, text(&outgoing.text)).await?;
        }
        flush(writer, receiver).await?;
        let page = receiver.catch_up(PAGE).await.map_err(|error| Some(error.into()))?;
        if page.is_empty() {
            return Ok(());
        }
        for event in page {
            put(writer, receiver, text(&event.frame)).await?;
        }
    }
}
