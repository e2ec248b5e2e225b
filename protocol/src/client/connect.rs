//! One attempt to connect: the upgrade, then `session-ready`.

use futures_util::StreamExt;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::http::Response;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message, Utf8Bytes};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

use super::ClientConfig;
use super::endpoint::Endpoint;
use super::error::ConnectError;
use super::resume::Position;
use crate::{ServerFrame, ServerMessage, SessionId};

pub(crate) type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Frames from a server may be long, a whole context for example, but not without end.
pub(crate) const LARGEST_FRAME: usize = 64 * 1024 * 1024;

/// A connection that is ready.
pub(crate) struct Ready {
    pub(crate) socket: Socket,
    pub(crate) session: SessionId,
    /// The last event that there was.
    pub(crate) last_seq: u64,
    pub(crate) frame: ServerFrame,
    pub(crate) text: Utf8Bytes,
}

/// Connects and waits for `session-ready`.
pub(crate) async fn connect(
    config: &ClientConfig,
    endpoint: &Endpoint,
    position: &mut Position,
) -> Result<Ready, ConnectError> {
    let attempt = async {
        let mut socket = open(endpoint, &position.query()).await?;
        let (frame, text) = first_frame(&mut socket, endpoint).await?;
        Ok((socket, frame, text))
    };
    let (socket, frame, text) = timeout(config.connect_limit, attempt)
        .await
        .map_err(|_| ConnectError::Timeout { url: endpoint.address().to_owned(), limit: config.connect_limit })??;

    let ServerMessage::SessionReady { session_id, last_seq, generation, snapshot, .. } = &frame.message else {
        return Err(unexpected(&text));
    };
    let (session, last_seq) = (*session_id, *last_seq);
    position.ready(session, last_seq, generation.as_deref(), snapshot.as_ref());
    Ok(Ready { socket, session, last_seq, frame, text })
}

async fn open(endpoint: &Endpoint, query: &str) -> Result<Socket, ConnectError> {
    // Small buffers: tungstenite's own cost 128 KiB a connection, and a load generator has thousands.
    let sizes = WebSocketConfig::default()
        .read_buffer_size(8 * 1024)
        .write_buffer_size(8 * 1024)
        .max_message_size(Some(LARGEST_FRAME))
        .max_frame_size(Some(LARGEST_FRAME));
    match connect_async_with_config(endpoint.request(query)?, Some(sizes), true).await {
        Ok((socket, _)) => Ok(socket),
        Err(Error::Http(response)) => {
            Err(ConnectError::Refused { status: response.status().as_u16(), body: said(&response) })
        }
        Err(error) => Err(unreachable(endpoint, &error)),
    }
}

async fn first_frame(socket: &mut Socket, endpoint: &Endpoint) -> Result<(ServerFrame, Utf8Bytes), ConnectError> {
    loop {
        match socket.next().await {
            Some(Ok(Message::Text(text))) => {
                let frame = serde_json::from_str(&text).map_err(|_| unexpected(&text))?;
                return Ok((frame, text));
            }
            Some(Ok(Message::Close(close))) => {
                let (code, reason) = close
                    .map_or((None, String::new()), |close| (Some(u16::from(close.code)), close.reason.to_string()));
                return Err(ConnectError::Closed { code, reason });
            }
            Some(Ok(_)) => {}
            Some(Err(error)) => return Err(unreachable(endpoint, &error)),
            None => return Err(ConnectError::Closed { code: None, reason: String::new() }),
        }
    }
}

fn unreachable(endpoint: &Endpoint, error: &Error) -> ConnectError {
    ConnectError::Unreachable { url: endpoint.address().to_owned(), reason: error.to_string() }
}

fn unexpected(text: &str) -> ConnectError {
    let start: String = text.chars().take(100).collect();
    ConnectError::Closed {
        code: None,
        reason: format!("the server's first frame is not a `session-ready` that this client can read: {start}"),
    }
}

/// The `detail` of a problem document, else the beginning of what the server wrote.
fn said(response: &Response<Option<Vec<u8>>>) -> String {
    let body = response.body().as_deref().unwrap_or_default();
    let text = match serde_json::from_slice::<serde_json::Value>(body) {
        Ok(problem) => problem["detail"].as_str().unwrap_or_default().to_owned(),
        Err(_) => String::from_utf8_lossy(body).into_owned(),
    };
    text.trim().chars().filter(|character| !character.is_control()).take(300).collect()
}
