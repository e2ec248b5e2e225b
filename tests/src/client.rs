//! A WebSocket client that checks what every client may rely on: `session-ready` comes first, `seq` has no gaps and
//! nothing comes twice.

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};
use uuid::Uuid;

use crate::{Turn, soon};

/// How a server closed the connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Closed {
    /// The close code; 1006 when there was none.
    pub code: u16,
    /// The reason.
    pub reason: String,
}

/// A connection to one session.
#[derive(Debug)]
pub struct TestClient {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// The `session-ready` frame.
    pub ready: Value,
    /// Every frame that came after it.
    pub frames: Vec<Value>,
    last_seq: Option<u64>,
    /// It subscribed to some types of frames: numbers are left out between those that come.
    partial: bool,
}

impl TestClient {
    /// Connects with this query and reads `session-ready`.
    pub async fn connect(address: &str, query: &str) -> Self {
        let mut client = Self::dial(address, query, &[]).await.unwrap_or_else(|error| panic!("connect: {error}"));
        client.ready = client.receive().await.unwrap_or_else(|closed| panic!("closed before it was ready: {closed:?}"));
        assert_eq!(client.ready["type"], "session-ready", "the first frame is session-ready");
        client
    }

    /// Connects with further headers, reading nothing.
    pub async fn dial(address: &str, query: &str, headers: &[(&'static str, &str)]) -> Result<Self, Box<Error>> {
        let mut request = format!("ws://{address}/ws{query}").into_client_request()?;
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().expect("a header value"));
        }
        let (socket, _) = soon("the connection", connect_async(request)).await?;
        Ok(Self { socket, ready: Value::Null, frames: Vec::new(), last_seq: None, partial: query.contains("types=") })
    }

    /// The session's id.
    #[must_use]
    pub fn session(&self) -> Uuid {
        self.ready["sessionId"].as_str().and_then(|id| id.parse().ok()).expect("session-ready names the session")
    }

    /// The `seq` of the last durable frame that came.
    #[must_use]
    pub fn last_seq(&self) -> u64 {
        self.last_seq.unwrap_or_default()
    }

    /// Sends a frame.
    pub async fn send(&mut self, frame: Value) {
        self.send_raw(&frame.to_string()).await;
    }

    /// Sends a text as it is.
    pub async fn send_raw(&mut self, text: &str) {
        soon("the sending", self.socket.send(Message::text(text))).await.expect("the frame is sent");
    }

    /// Sends a frame, if the server is still there.
    pub async fn try_send(&mut self, frame: Value) -> Result<(), Box<Error>> {
        self.send_message(Message::text(frame.to_string())).await
    }

    /// Sends any WebSocket message.
    pub async fn send_message(&mut self, message: Message) -> Result<(), Box<Error>> {
        Ok(soon("the sending", self.socket.send(message)).await?)
    }

    /// The next frame.
    pub async fn next(&mut self) -> Value {
        match self.receive().await {
            Ok(frame) => frame,
            Err(closed) => panic!("closed with {closed:?} after {:#?}", self.frames.last()),
        }
    }

    /// Reads until the server closes.
    pub async fn closed(&mut self) -> Closed {
        loop {
            if let Err(closed) = self.receive().await {
                return closed;
            }
        }
    }

    /// Reads frames until one fits; that one.
    pub async fn until(&mut self, what: &str, fits: impl Fn(&Value) -> bool) -> Value {
        loop {
            let frame = match self.receive().await {
                Ok(frame) => frame,
                Err(closed) => panic!("closed with {closed:?} while waiting for {what}"),
            };
            if fits(&frame) {
                return frame;
            }
        }
    }

    /// Reads until a frame of this type.
    pub async fn until_type(&mut self, kind: &str) -> Value {
        self.until(kind, |frame| frame["type"] == kind).await
    }

    /// Sends a message and reads until its turn has ended.
    pub async fn ask(&mut self, text: &str) -> Turn {
        let id = self.post(text).await;
        self.end_of(&id).await
    }

    /// Sends a message and returns its id without reading.
    pub async fn post(&mut self, text: &str) -> String {
        let id = Uuid::new_v4().to_string();
        self.send(json!({"type": "send-message", "text": text, "messageId": id})).await;
        id
    }

    /// Sends a slash command and reads its answer.
    pub async fn command(&mut self, text: &str) -> Value {
        self.send(json!({"type": "send-message", "text": text})).await;
        self.until("the command's answer", |frame| {
            frame["type"] == "command-response" || frame["type"] == "command-error"
        })
        .await
    }

    /// Reads until the turn that answers this message has ended.
    pub async fn end_of(&mut self, id: &str) -> Turn {
        let ended = |frame: &Value| {
            matches!(frame["type"].as_str(), Some("agent-response" | "agent-error"))
                && frame["messageIds"].as_array().is_some_and(|ids| ids.iter().any(|found| found == id))
        };
        if !self.frames.iter().any(ended) {
            self.until(&format!("the end of {id}"), ended).await;
        }
        Turn::of(id, &self.frames)
    }

    /// Closes the connection and waits until it is closed.
    pub async fn close(mut self) {
        let _ = self.socket.close(None).await;
        let _ = soon("the close", async { while let Some(Ok(_)) = self.socket.next().await {} }).await;
    }

    /// The next frame, or how the server closed.
    pub async fn receive(&mut self) -> Result<Value, Closed> {
        // The server's pings are no news: a server that has nothing else to say is one that hangs.
        soon("a frame", self.receive_frame()).await
    }

    async fn receive_frame(&mut self) -> Result<Value, Closed> {
        loop {
            match self.socket.next().await {
                Some(Ok(Message::Text(text))) => {
                    let frame: Value = serde_json::from_str(&text).expect("a frame is JSON");
                    self.check_order(&frame);
                    self.frames.push(frame.clone());
                    return Ok(frame);
                }
                Some(Ok(Message::Close(close))) => {
                    let close = close.map_or((CloseCode::Abnormal, String::new()), |c| (c.code, c.reason.to_string()));
                    return Err(Closed { code: close.0.into(), reason: close.1 });
                }
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(Closed { code: 1006, reason: error.to_string() }),
                None => return Err(Closed { code: 1006, reason: "the connection ended".to_owned() }),
            }
        }
    }

    fn check_order(&mut self, frame: &Value) {
        // What is sent again is acknowledged again at once, also while events in front of it are still on their way.
        let Some(seq) = frame["seq"].as_u64().filter(|_| frame["repeated"] != true) else { return };
        if let Some(last) = self.last_seq {
            // What was asked again is answered again, on the same socket, by the same frame.
            let repeated = self.frames.contains(frame);
            let next = seq == last + 1 || (self.partial && seq > last);
            assert!(repeated || next, "event {seq} came after {last}: {frame}");
        }
        self.last_seq = Some(self.last_seq.unwrap_or_default().max(seq));
    }
}
