//! What the tests of the client say to it and hear from it.
#![allow(dead_code, clippy::allow_attributes, reason = "each test file uses its part")]

use serde_json::Value;
use switchboard_protocol::client::{Client, ClientConfig, ClientEvent};
use switchboard_protocol::{ClientFrame, ServerFrame, SessionId};
use tokio::join;

use crate::server::{Peer, Server};

/// A client and the server's end of its connection.
pub(crate) async fn connect(
    server: &Server,
    config: ClientConfig,
    session: SessionId,
    last_seq: u64,
) -> (Client, Peer) {
    let (client, peer) = join!(Client::connect(config), server.accept_ready(session, last_seq));
    (client.expect("a connection"), peer)
}

/// The numbers of the next frames.
pub(crate) async fn numbers(client: &mut Client, count: usize) -> Vec<Option<u64>> {
    let mut numbers = Vec::new();
    for _ in 0..count {
        numbers.push(frame(client).await.seq);
    }
    numbers
}

/// The next event, which is a frame.
pub(crate) async fn frame(client: &mut Client) -> ServerFrame {
    match client.next().await {
        Some(ClientEvent::Frame(frame)) => *frame,
        other => panic!("not a frame: {other:?}"),
    }
}

/// A message without an id.
pub(crate) fn message(text: &str) -> ClientFrame {
    ClientFrame::SendMessage { text: text.to_owned(), timestamp: None, message_id: None, mode: None, attachments: None }
}

/// Id and text of a `send-message`.
pub(crate) fn sent(frame: &Value) -> (String, String) {
    assert_eq!(frame["type"], "send-message", "{frame}");
    let field = |name: &str| frame[name].as_str().expect("a text").to_owned();
    (field("messageId"), field("text"))
}
