//! `--echo`: `/ws` sends back what it gets, so that a test of the WebSocket protocol can talk to the server that is shipped.
//! It knows no sessions.

use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use futures_util::StreamExt;

/// The largest message: such tests go up to 16 MiB.
const MAX_MESSAGE: usize = 32 * 1024 * 1024;

/// Takes a client in.
pub(super) fn upgrade(upgrade: WebSocketUpgrade) -> Response {
    upgrade.max_message_size(MAX_MESSAGE).max_frame_size(MAX_MESSAGE).on_upgrade(answer)
}

async fn answer(mut socket: WebSocket) {
    while let Some(Ok(message)) = socket.next().await {
        // Pings and closes are answered by the protocol itself.
        if matches!(message, Message::Text(_) | Message::Binary(_)) && socket.send(message).await.is_err() {
            return;
        }
    }
}
