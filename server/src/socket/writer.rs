//! The half of a connection that writes, and what cuts it short.

use axum::extract::ws::{Message, WebSocket};
use futures_util::SinkExt as _;
use futures_util::stream::SplitSink;
use switchboard_session::ClientReceiver;

use super::close::Closing;

/// The half that writes.
pub(super) type Writer = SplitSink<WebSocket, Message>;

/// Why a connection ends; `None` when the client left on its own.
pub(super) type Ended = Option<Closing>;

/// Puts a frame into the socket's buffer, which is written out when it is full.
pub(super) async fn put(writer: &mut Writer, receiver: &mut ClientReceiver, message: Message) -> Result<(), Ended> {
    unless_closed(receiver, writer.feed(message)).await
}

/// Writes out what is in the socket's buffer.
pub(super) async fn flush(writer: &mut Writer, receiver: &mut ClientReceiver) -> Result<(), Ended> {
    unless_closed(receiver, writer.flush()).await
}

/// Gives up when the session lets go of the client meanwhile.
async fn unless_closed(
    receiver: &mut ClientReceiver,
    written: impl Future<Output = Result<(), axum::Error>>,
) -> Result<(), Ended> {
    tokio::select! {
        biased;
        written = written => written.map_err(|_| None),
        reason = receiver.closed() => Err(Some(reason.into())),
    }
}

/// A text frame.
pub(super) fn text(text: &str) -> Message {
    Message::Text(text.into())
}
