//! A WebSocket server that does what a test tells it, step by step.
#![allow(dead_code, clippy::allow_attributes, reason = "each test file uses its part")]

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use switchboard_protocol::SessionId;
use switchboard_protocol::client::{Backoff, ClientConfig};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::handshake::server::{ErrorResponse, Request, Response};
use tokio_tungstenite::tungstenite::http::HeaderMap;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};
use tokio_tungstenite::{WebSocketStream, accept_hdr_async};

/// Listens on a free port; every connection is accepted by the test.
pub(crate) struct Server {
    listener: TcpListener,
}

impl Server {
    pub(crate) async fn start() -> Self {
        Self { listener: TcpListener::bind("127.0.0.1:0").await.expect("a free port") }
    }

    /// The configuration of a client of this server that loses no time.
    pub(crate) fn config(&self) -> ClientConfig {
        let address = self.listener.local_addr().expect("the address");
        let mut config = ClientConfig::new(format!("http://{address}"));
        config.backoff = Backoff { min: std::time::Duration::from_millis(1), max: std::time::Duration::from_millis(2) };
        config
    }

    /// The next connection, before the upgrade.
    pub(crate) async fn accept_tcp(&self) -> TcpStream {
        self.listener.accept().await.expect("a connection").0
    }

    /// The next connection.
    #[expect(clippy::result_large_err, reason = "the callback's type is tungstenite's")]
    pub(crate) async fn accept(&self) -> Peer {
        let stream = self.accept_tcp().await;
        let (mut target, mut headers) = (String::new(), HeaderMap::new());
        let note = |request: &Request, response: Response| -> Result<Response, ErrorResponse> {
            target = request.uri().to_string();
            headers = request.headers().clone();
            Ok(response)
        };
        let socket = accept_hdr_async(stream, note).await.expect("an upgrade");
        Peer { socket, target, headers }
    }

    /// The next connection, greeted.
    pub(crate) async fn accept_ready(&self, session: SessionId, last_seq: u64) -> Peer {
        let mut peer = self.accept().await;
        peer.ready(session, last_seq).await;
        peer
    }
}

/// The server's end of one connection.
pub(crate) struct Peer {
    socket: WebSocketStream<TcpStream>,
    /// Path and query of the request.
    pub(crate) target: String,
    /// Headers of the request.
    pub(crate) headers: HeaderMap,
}

impl Peer {
    pub(crate) async fn ready(&mut self, session: SessionId, last_seq: u64) {
        self.send(session_ready(session, last_seq)).await;
    }

    /// The event behind which the client wants to read on.
    pub(crate) fn after(&self) -> u64 {
        let (_, after) = self.target.split_once("after=").expect("`after` in the query");
        after.parse().expect("a number")
    }

    /// The bare connection, to write to it what a server should not.
    pub(crate) fn into_stream(self) -> TcpStream {
        self.socket.into_inner()
    }

    pub(crate) async fn send(&mut self, frame: Value) {
        self.send_message(Message::text(frame.to_string())).await;
    }

    pub(crate) async fn send_message(&mut self, message: Message) {
        self.socket.send(message).await.expect("a client that reads");
    }

    /// Sends events with these numbers.
    pub(crate) async fn events(&mut self, numbers: impl IntoIterator<Item = u64>) {
        for seq in numbers {
            self.send(event(seq)).await;
        }
    }

    /// The next message.
    pub(crate) async fn read_message(&mut self) -> Option<Message> {
        self.socket.next().await.map(|message| message.expect("a client that goes properly"))
    }

    /// The next frame.
    pub(crate) async fn read(&mut self) -> Value {
        let message = self.read_message().await.expect("a frame");
        serde_json::from_str(message.to_text().expect("text")).expect("JSON")
    }

    /// Acknowledges a message.
    pub(crate) async fn acknowledge(&mut self, seq: u64, id: &str) {
        self.send(user_message(seq, id)).await;
    }

    pub(crate) async fn close(mut self, code: u16, reason: &str) {
        let frame = CloseFrame { code: code.into(), reason: Utf8Bytes::from(reason) };
        self.send_message(Message::Close(Some(frame))).await;
        // The client's own close, if it is still there.
        while let Some(Ok(_)) = self.socket.next().await {}
    }
}

/// The time in every frame.
pub(crate) const TIME: &str = "2026-03-02T09:15:04.127Z";

/// The first frame of a connection.
pub(crate) fn session_ready(session: SessionId, last_seq: u64) -> Value {
    json!({
        "type": "session-ready", "sessionId": session, "lastSeq": last_seq, "resumed": last_seq > 0,
        "protocolVersion": 1, "reasoner": {"kind": "rules"}, "pending": [], "timestamp": TIME,
    })
}

/// The bytes of a text frame as a server writes them.
pub(crate) fn text_frame(frame: &Value) -> Vec<u8> {
    let text = frame.to_string();
    let length = u16::try_from(text.len()).expect("a short frame").to_be_bytes();
    [&[0x81, 126], &length[..], text.as_bytes()].concat()
}

/// An event that says nothing.
pub(crate) fn event(seq: u64) -> Value {
    json!({"type": "session-update", "title": format!("title {seq}"), "seq": seq, "timestamp": TIME})
}

/// The acknowledgement of a message.
pub(crate) fn user_message(seq: u64, id: &str) -> Value {
    json!({
        "type": "user-message", "messageId": id, "text": "hi", "mode": "queue",
        "seq": seq, "timestamp": TIME, "turnId": id,
    })
}
