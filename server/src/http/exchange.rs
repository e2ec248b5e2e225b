//! One request as a client of its session: it attaches, says something, reads what comes, and goes.

use std::collections::VecDeque;
use std::sync::Arc;

use switchboard_protocol::{ClientFrame, ServerFrame, ServerMessage, SessionId};

use super::error::Problem;
use switchboard_accounts::{Principal, Rights};
use switchboard_session::{AttachFrom, Attachment, ClientReceiver, ClientSender, Sessions};

/// How many events are read from the log at once.
const PAGE: u64 = 64;

/// An attached request.
pub(super) struct Exchange {
    /// `session-ready`.
    pub(super) ready: ServerFrame,
    sender: ClientSender,
    receiver: ClientReceiver,
    page: VecDeque<Received>,
    live: bool,
}

/// A frame as it came.
pub(super) struct Received {
    /// What it says.
    pub(super) frame: ServerFrame,
    /// Its exact text.
    pub(super) text: Arc<str>,
}

impl Exchange {
    /// Attaches.
    ///
    /// # Errors
    /// When there is no such session, or it cannot be read.
    pub(super) async fn begin(
        sessions: &Sessions,
        (owner, rights): (&Principal, Rights),
        session: SessionId,
        from: AttachFrom,
    ) -> Result<Self, Problem> {
        let Attachment { ready, sender, receiver } = sessions.attach(owner, Some(session), from, false).await?;
        let ready = parse(ready.into())?.frame;
        let sender = sender.with_rights(rights);
        Ok(Self { ready, sender, receiver, page: VecDeque::new(), live: false })
    }

    /// Says something.
    ///
    /// # Errors
    /// Why it was refused.
    pub(super) async fn send(&self, frame: ClientFrame) -> Result<(), Problem> {
        self.sender.send(frame).await.map_err(Problem::from)
    }

    /// The next frame.
    ///
    /// # Errors
    /// When the session let go of this client.
    pub(super) async fn next(&mut self) -> Result<Received, Problem> {
        loop {
            if let Some(received) = self.page.pop_front() {
                return Ok(received);
            }
            if self.live {
                match self.receiver.next().await.map_err(Problem::gone)? {
                    Some(outgoing) => return parse(outgoing.text),
                    // It fell behind: what it missed is in the log.
                    None => self.live = false,
                }
                continue;
            }
            let page = self.receiver.catch_up(PAGE).await?;
            self.live = page.is_empty();
            self.page = page.into_iter().map(|event| parse(event.frame)).collect::<Result<_, _>>()?;
        }
    }

    /// Says something and waits until it has happened.
    ///
    /// # Errors
    /// Why it was refused.
    pub(super) async fn tell(&mut self, frame: ClientFrame) -> Result<(), Problem> {
        self.send(frame).await?;
        self.context().await.map(drop)
    }

    /// Asks for `context-state`, which comes after everything that was said before has happened.
    ///
    /// # Errors
    /// Why what was said before was refused.
    pub(super) async fn context(&mut self) -> Result<ServerMessage, Problem> {
        self.send(ClientFrame::GetContext {}).await?;
        loop {
            let frame = self.next().await?.frame;
            match frame.message {
                state @ ServerMessage::ContextState { .. } => return Ok(state),
                ServerMessage::AgentError { message_ids: None, .. } if frame.seq.is_none() => {
                    return Err(Problem::refused(frame));
                }
                _ => {}
            }
        }
    }
}

fn parse(text: Arc<str>) -> Result<Received, Problem> {
    let frame = serde_json::from_str(&text).map_err(|error| Problem::internal(&error))?;
    Ok(Received { frame, text })
}
