//! The nearest bare thing to compare with: an axum WebSocket that echoes text, with the buffers that the server uses.

use axum::Router;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::routing::get;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let upgrade =
        |upgrade: WebSocketUpgrade| async { upgrade.read_buffer_size(4096).write_buffer_size(4096).on_upgrade(echo) };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}", listener.local_addr()?);
    axum::serve(listener, Router::new().route("/ws", get(upgrade))).await?;
    Ok(())
}

async fn echo(mut socket: WebSocket) {
    while let Some(Ok(message)) = socket.recv().await {
        let Message::Text(_) = message else { continue };
        if socket.send(message).await.is_err() {
            return;
        }
    }
}
