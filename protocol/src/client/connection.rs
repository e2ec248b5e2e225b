//! The task that owns the socket: pump frames both ways until the connection ends, connect again, go on.

use std::ops::ControlFlow;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use tokio::sync::{OwnedSemaphorePermit, mpsc, watch};
use tokio::time::{Instant, sleep, sleep_until, timeout};
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::{Error, Message, Utf8Bytes};

use super::connect::{LARGEST_FRAME, Ready, Socket, connect};
use super::endpoint::Endpoint;
use super::error::{closed, may_retry};
use super::outbox::{Outbox, Unacknowledged};
use super::queue::EventQueue;
use super::resume::{Fit, Position};
use super::{ClientConfig, ClientEvent};
use crate::{MessageId, ServerFrame, close};

/// How long a write may take before the connection counts as lost.
const WRITE_LIMIT: Duration = Duration::from_secs(30);
/// How long what was missed may take before unacknowledged messages are sent all the same.
const CATCH_UP_LIMIT: Duration = Duration::from_secs(30);
/// How long a goodbye may take.
const GOODBYE_LIMIT: Duration = Duration::from_secs(5);

/// A frame to write; with the id of the message, if it is one.
#[derive(Debug)]
pub(crate) struct Command {
    pub(crate) text: Utf8Bytes,
    pub(crate) message: Option<(MessageId, OwnedSemaphorePermit)>,
}

pub(crate) struct Connection {
    config: ClientConfig,
    endpoint: Endpoint,
    position: Position,
    outbox: Outbox,
    commands: mpsc::Receiver<Command>,
    closing: watch::Receiver<bool>,
    queue: EventQueue,
    attempt: u32,
}

/// How a connection ended.
enum End {
    /// The owner wants it.
    Closing,
    /// It was lost; a server that has too much to do is left alone for longer.
    Lost { reason: String, overloaded: bool },
    /// There is no use in trying again.
    Final { code: Option<u16>, reason: String },
}

impl End {
    fn lost(reason: impl Into<String>) -> Self {
        Self::Lost { reason: reason.into(), overloaded: false }
    }

    fn closed(code: Option<u16>, reason: &str) -> Self {
        let reason = closed(code, reason);
        if may_retry(code) {
            Self::Lost { reason, overloaded: matches!(code, Some(close::RATE | close::OVERLOAD)) }
        } else {
            Self::Final { code, reason }
        }
    }
}

impl Connection {
    pub(crate) fn new(
        config: ClientConfig,
        endpoint: Endpoint,
        position: Position,
        commands: mpsc::Receiver<Command>,
        closing: watch::Receiver<bool>,
        queue: EventQueue,
    ) -> Self {
        Self { config, endpoint, position, outbox: Outbox::default(), commands, closing, queue, attempt: 0 }
    }

    pub(crate) async fn run(mut self, first: Ready) {
        let mut ready = first;
        loop {
            let began = Instant::now();
            self.announce(&ready);
            let mut socket = ready.socket;
            let end = self.pump(&mut socket, ready.last_seq).await;
            if began.elapsed() > self.config.backoff.max {
                self.attempt = 0;
            }
            let lost = match end {
                End::Closing => return self.say_goodbye(socket).await,
                End::Final { code, reason } => return self.give_up(code, reason).await,
                End::Lost { reason, overloaded } => (reason, overloaded),
            };
            drop(socket);
            ready = match self.reconnect(lost).await {
                Ok(ready) => ready,
                Err(End::Final { code, reason }) => return self.give_up(code, reason).await,
                Err(_) => return,
            };
            self.queue.push(ClientEvent::Reconnected);
        }
    }

    fn announce(&mut self, ready: &Ready) {
        if self.config.raw {
            self.queue.push(ClientEvent::Raw(ready.text.to_string()));
        }
        self.queue.push(ClientEvent::Frame(Box::new(ready.frame.clone())));
    }

    async fn resend(&mut self, socket: &mut Socket) -> Result<(), End> {
        for text in self.outbox.again() {
            write(socket, Message::Text(text)).await?;
        }
        Ok(())
    }

    /// Carries frames both ways until the connection ends.
    ///
    /// What was missed is read before anything is sent: it may hold the acknowledgements of what was sent before.
    async fn pump(&mut self, socket: &mut Socket, last_seq: u64) -> End {
        let mut heard = Instant::now();
        let catch_up = heard + CATCH_UP_LIMIT;
        let mut catching_up = true;
        loop {
            if catching_up && (self.position.has_seen(last_seq) || self.outbox.is_empty()) {
                catching_up = false;
                if let Err(end) = self.resend(socket).await {
                    return end;
                }
            }
            let reading = self.queue.has_room();
            let step = tokio::select! {
                () = asked(&mut self.closing) => ControlFlow::Break(End::Closing),
                () = self.queue.deliver() => ControlFlow::Continue(()),
                () = sleep_until(catch_up), if catching_up => {
                    catching_up = false;
                    match self.resend(socket).await {
                        Ok(()) => ControlFlow::Continue(()),
                        Err(end) => ControlFlow::Break(end),
                    }
                }
                command = self.commands.recv(), if !catching_up => match command {
                    Some(command) => self.send(socket, command).await,
                    None => ControlFlow::Break(End::Closing),
                },
                message = socket.next(), if reading => {
                    heard = Instant::now();
                    if matches!(message, Some(Ok(Message::Close(_)))) {
                        // Writes the answer that tungstenite has prepared; a server that is gone needs none.
                        let _answered = timeout(GOODBYE_LIMIT, socket.flush()).await;
                    }
                    self.hear(message)
                }
                () = sleep_until(heard + self.config.idle_limit), if reading => {
                    ControlFlow::Break(End::lost("the server has been silent for too long"))
                }
            };
            if let ControlFlow::Break(end) = step {
                return end;
            }
            if !reading {
                heard = Instant::now();
            }
        }
    }

    async fn send(&mut self, socket: &mut Socket, command: Command) -> ControlFlow<End> {
        if let Some((id, place)) = command.message {
            self.outbox.push(Unacknowledged { id, text: command.text.clone(), _place: place });
        }
        match write(socket, Message::Text(command.text)).await {
            Ok(()) => ControlFlow::Continue(()),
            Err(end) => ControlFlow::Break(end),
        }
    }

    fn hear(&mut self, message: Option<Result<Message, Error>>) -> ControlFlow<End> {
        match message {
            Some(Ok(Message::Text(text))) => self.hear_text(&text),
            Some(Ok(Message::Close(Some(close)))) => {
                ControlFlow::Break(End::closed(Some(u16::from(close.code)), &close.reason))
            }
            Some(Ok(Message::Close(None))) | None => ControlFlow::Break(End::closed(None, "")),
            // Pings are answered within tungstenite.
            Some(Ok(_)) => ControlFlow::Continue(()),
            Some(Err(Error::Capacity(_))) => ControlFlow::Break(End::Final {
                code: None,
                reason: format!("the server sent a frame of more than {} MiB", LARGEST_FRAME >> 20),
            }),
            Some(Err(error)) => ControlFlow::Break(End::lost(error.to_string())),
        }
    }

    fn hear_text(&mut self, text: &Utf8Bytes) -> ControlFlow<End> {
        let (event, seq) = match serde_json::from_str::<ServerFrame>(text) {
            Ok(frame) => {
                self.outbox.hear(&frame);
                if self.outbox.is_echo(&frame) {
                    return ControlFlow::Continue(());
                }
                let seq = if is_repeated(&frame) { None } else { frame.seq };
                (ClientEvent::Frame(Box::new(frame)), seq)
            }
            Err(_) => {
                let value = serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_string()));
                let seq = value["seq"].as_u64();
                (ClientEvent::Unknown(value), seq)
            }
        };
        match seq.map(|seq| self.position.see(seq)) {
            Some(Fit::Seen) => return ControlFlow::Continue(()),
            Some(Fit::Hole(missing)) => {
                return ControlFlow::Break(End::lost(format!("the server skipped event {missing}")));
            }
            Some(Fit::Next) | None => {}
        }
        if self.config.raw {
            self.queue.push(ClientEvent::Raw(text.to_string()));
        }
        self.queue.push(event);
        ControlFlow::Continue(())
    }

    /// Tries until there is a connection, the server says that there will be none, or `give_up_after` is over.
    async fn reconnect(&mut self, lost: (String, bool)) -> Result<Ready, End> {
        let began = Instant::now();
        let (mut reason, mut overloaded) = lost;
        loop {
            let retry_in = if overloaded { self.config.backoff.max } else { self.config.backoff.wait(self.attempt) };
            self.attempt = self.attempt.saturating_add(1);
            if self.config.give_up_after.is_some_and(|give_up_after| began.elapsed() + retry_in > give_up_after) {
                return Err(End::Final { code: None, reason: format!("gave up connecting again: {reason}") });
            }
            self.queue.push(ClientEvent::Disconnected { reason, retry_in });

            let attempt = async {
                sleep(retry_in).await;
                connect(&self.config, &self.endpoint, &mut self.position).await
            };
            let result = tokio::select! {
                () = asked(&mut self.closing) => return Err(End::Closing),
                result = self.queue.during(attempt) => result,
            };
            match result {
                Ok(ready) => return Ok(ready),
                Err(error) if error.close_code() == Some(close::AFTER_BEYOND_END) && self.position.start_over() => {
                    self.queue.push(ClientEvent::StartedOver);
                    (reason, overloaded) = (error.to_string(), false);
                }
                Err(error) if error.is_final() => {
                    return Err(End::Final { code: error.close_code(), reason: error.to_string() });
                }
                Err(error) => {
                    overloaded = matches!(error.close_code(), Some(close::RATE | close::OVERLOAD));
                    reason = error.to_string();
                }
            }
        }
    }

    async fn say_goodbye(mut self, mut socket: Socket) {
        let goodbye = async {
            while let Ok(command) = self.commands.try_recv() {
                if self.send(&mut socket, command).await.is_break() {
                    return;
                }
            }
            let close = CloseFrame { code: CloseCode::Normal, reason: Utf8Bytes::default() };
            if socket.close(Some(close)).await.is_ok() {
                while matches!(socket.next().await, Some(Ok(message)) if !message.is_close()) {}
            }
        };
        // A server that does not answer a goodbye has been told all the same.
        let _answered = timeout(GOODBYE_LIMIT, goodbye).await;
    }

    async fn give_up(mut self, code: Option<u16>, reason: String) {
        // From here on `send` says that it is closed.
        self.commands.close();
        self.queue.push(ClientEvent::Closed { code, reason });
        tokio::select! {
            () = asked(&mut self.closing) => {}
            () = self.queue.flush() => {}
        }
    }
}

/// Waits until the owner wants to close, or is gone.
async fn asked(closing: &mut watch::Receiver<bool>) {
    let _gone = closing.wait_for(|closing| *closing).await;
}

/// The answer to a message that was sent again on purpose: the event itself has its own place in the log.
fn is_repeated(frame: &ServerFrame) -> bool {
    matches!(frame.message, crate::ServerMessage::UserMessage { repeated: Some(true), .. })
}

async fn write(socket: &mut Socket, message: Message) -> Result<(), End> {
    match timeout(WRITE_LIMIT, socket.send(message)).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(End::lost(error.to_string())),
        Err(_) => Err(End::lost("the server has not read anything for too long")),
    }
}
