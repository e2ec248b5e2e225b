//! What the owner of a client holds: the stream of events, ways to send, and the task that does the work.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_util::Stream;
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Utf8Bytes;

use super::connect::connect;
use super::connection::{Command, Connection};
use super::endpoint::Endpoint;
use super::queue::EventQueue;
use super::resume::Position;
use super::{ClientConfig, ClientEvent, ConnectError, SendError};
use crate::{ClientFrame, MessageId, SessionId};

/// The largest frame that a server takes.
const LARGEST_FRAME: usize = 4 * 1024 * 1024;
/// Messages that may wait for their acknowledgement.
const UNACKNOWLEDGED: usize = 256;
/// Frames that may wait to be written.
const COMMANDS: usize = 64;

/// A connection to one session that reconnects automatically.
///
/// Dropping it cuts the connection; [`close`](Self::close) ends it properly.
#[derive(Debug)]
pub struct Client {
    session: SessionId,
    sender: FrameSender,
    events: mpsc::Receiver<ClientEvent>,
    closing: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Client {
    /// Connects. The first event is the frame `session-ready`.
    ///
    /// # Errors
    /// If there is no server, or it refuses us; only an established connection is retried automatically.
    pub async fn connect(config: ClientConfig) -> Result<Self, ConnectError> {
        let endpoint = Endpoint::new(&config)?;
        let mut position = Position::new(config.session, config.start);
        let ready = connect(&config, &endpoint, &mut position).await?;

        let session = ready.session;
        let (commands, receiver) = mpsc::channel(COMMANDS);
        let (closing, closed) = watch::channel(false);
        let (queue, events) = EventQueue::new();
        let connection = Connection::new(config, endpoint, position, receiver, closed, queue);
        #[expect(clippy::disallowed_methods, reason = "the client holds the handle and ends the task with itself")]
        let task = tokio::spawn(connection.run(ready));

        let sender = FrameSender { commands, places: Arc::new(Semaphore::new(UNACKNOWLEDGED)) };
        Ok(Self { session, sender, events, closing, task })
    }

    /// The session that it is attached to.
    #[must_use]
    pub fn session(&self) -> SessionId {
        self.session
    }

    /// The next event; none after [`ClientEvent::Closed`]. May be dropped at any time without loss.
    pub async fn next(&mut self) -> Option<ClientEvent> {
        self.events.recv().await
    }

    /// Sends a frame: [`FrameSender::send`].
    ///
    /// # Errors
    /// As [`FrameSender::send`].
    pub async fn send(&self, frame: ClientFrame) -> Result<Option<MessageId>, SendError> {
        self.sender.send(frame).await
    }

    /// Something that sends for as long as the client lives.
    #[must_use]
    pub fn sender(&self) -> FrameSender {
        self.sender.clone()
    }

    /// Writes what was given to [`send`](Self::send), says goodbye and waits until the server has heard it.
    pub async fn close(mut self) {
        self.closing.send_replace(true);
        // An unread event must not hold the task.
        self.events.close();
        // The task ends on its own within a few seconds; whoever leaves need not know that it panicked.
        let _ended = (&mut self.task).await;
    }
}

/// The stream ends after [`ClientEvent::Closed`].
impl Stream for Client {
    type Item = ClientEvent;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<ClientEvent>> {
        self.events.poll_recv(context)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Sends frames to the server.
#[derive(Debug, Clone)]
pub struct FrameSender {
    commands: mpsc::Sender<Command>,
    places: Arc<Semaphore>,
}

impl FrameSender {
    /// Hands a frame to the connection; without one it waits for the next. Returns a message's id, which it gets here
    /// if it has none.
    ///
    /// A message is sent again after a lost connection until the server acknowledges it; other frames are not.
    ///
    /// # Errors
    /// If the frame is too large, too many messages are unacknowledged, or the client is closed.
    pub async fn send(&self, mut frame: ClientFrame) -> Result<Option<MessageId>, SendError> {
        let id = match &mut frame {
            ClientFrame::SendMessage { message_id, .. } => {
                Some(message_id.get_or_insert_with(|| uuid::Uuid::new_v4().to_string()).clone())
            }
            _ => None,
        };
        let text = serde_json::to_string(&frame).map_err(|_| SendError::Closed)?;
        if text.len() > LARGEST_FRAME {
            return Err(SendError::TooLarge { bytes: text.len(), limit: LARGEST_FRAME });
        }
        self.command(Utf8Bytes::from(text), id.clone()).await?;
        Ok(id)
    }

    /// Sends text as it is: for tests of what a server does with it.
    ///
    /// # Errors
    /// If the client is closed.
    pub async fn send_text(&self, text: impl Into<String>) -> Result<(), SendError> {
        self.command(Utf8Bytes::from(text.into()), None).await
    }

    async fn command(&self, text: Utf8Bytes, message: Option<MessageId>) -> Result<(), SendError> {
        let message = match message {
            Some(id) => {
                let place = self.places.clone().try_acquire_owned().map_err(|_| SendError::TooMany(UNACKNOWLEDGED))?;
                Some((id, place))
            }
            None => None,
        };
        self.commands.send(Command { text, message }).await.map_err(|_| SendError::Closed)
    }
}
