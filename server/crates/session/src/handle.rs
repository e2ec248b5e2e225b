//! What others may ask of a session; hides the channel. Cheap to clone.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};
use switchboard_protocol::{CallId, ClientFrame, SessionId, Variable};
use tokio::sync::{mpsc, oneshot};

use super::command::{AttachFrom, Attached, GoLive, SessionCommand};
use super::error::SessionError;
use super::frame_limits;
use super::refusal::Refusal;
use super::resources;
use super::state;
use super::subscriber::{CloseReason, Next, Outgoing, SubscriberId, SubscriberReader};
use super::subscription::Subscription;
use switchboard_accounts::Rights;
use switchboard_agent::TurnView;
use switchboard_context::ContextManager;
use switchboard_events::{ArtifactValue, LogError, SessionLog, StoredEvent, Values};
use switchboard_tools::{FoundResource, ResourceHandle, ToolManager};
use switchboard_workspace::Workspace;

/// How long a client's command waits for room in the mailbox.
const MAILBOX_TIMEOUT: Duration = Duration::from_secs(10);

/// One session.
#[derive(Clone)]
pub struct SessionHandle {
    pub(super) id: SessionId,
    pub(super) commands: mpsc::Sender<Box<SessionCommand>>,
    pub(super) log: Arc<dyn SessionLog>,
    pub(super) values: Arc<Values>,
    pub(super) tools: Arc<ToolManager>,
}

/// One attached client, in two halves.
pub struct Attachment {
    /// `session-ready`, as JSON text.
    pub ready: String,
    /// What the client says.
    pub sender: ClientSender,
    /// What the client gets.
    pub receiver: ClientReceiver,
}

/// The half of an attached client that says something.
pub struct ClientSender {
    commands: mpsc::Sender<Box<SessionCommand>>,
    subscriber: SubscriberId,
    rights: Rights,
}

/// The half of an attached client that gets frames; dropping it detaches the client.
pub struct ClientReceiver {
    session: SessionHandle,
    subscriber: SubscriberId,
    reader: SubscriberReader,
    have: u64,
    upto: u64,
    subscription: Subscription,
}

impl SessionHandle {
    /// The session's id.
    #[must_use]
    pub fn id(&self) -> SessionId {
        self.id
    }

    /// Attaches a client; a `viewer` shows windows.
    ///
    /// # Errors
    /// When the client says it has seen more than there is, or the session has just closed.
    pub async fn attach(&self, from: AttachFrom, viewer: bool) -> Result<Attachment, SessionError> {
        let attached = self.ask(|reply| SessionCommand::Attach { from, viewer, reply }).await??;
        let Attached { subscriber, reader, ready, have, upto } = attached;
        let sender = ClientSender { commands: self.commands.clone(), subscriber, rights: Rights::All };
        Ok(Attachment {
            ready,
            sender,
            receiver: ClientReceiver {
                session: self.clone(),
                subscriber,
                reader,
                have,
                upto,
                subscription: Subscription::default(),
            },
        })
    }

    /// The variables, the conversation and the operations as they are now.
    ///
    /// # Errors
    /// When the session has just closed.
    pub async fn view(&self) -> Result<Arc<TurnView>, SessionError> {
        self.ask(SessionCommand::View).await
    }

    /// A variable with its whole value.
    ///
    /// # Errors
    /// When it does not exist or its value cannot be read.
    pub async fn variable(&self, name: &str) -> Result<(Variable, Arc<ArtifactValue>), SessionError> {
        self.value_in(&self.view().await?.context, name).await
    }

    /// A variable as it was at this event, with its whole value, however it was changed or removed since.
    ///
    /// # Errors
    /// When it did not exist then, or the log or the value cannot be read.
    pub async fn variable_at(&self, name: &str, seq: u64) -> Result<(Variable, Arc<ArtifactValue>), SessionError> {
        self.value_in(&state::load(self.log.as_ref(), self.id, seq).await?.context, name).await
    }

    async fn value_in(
        &self,
        context: &ContextManager,
        name: &str,
    ) -> Result<(Variable, Arc<ArtifactValue>), SessionError> {
        let entry = context.get(name).ok_or_else(|| context.unknown(name))?;
        Ok((entry.variable.clone(), self.values.load(&entry.value).await?))
    }

    /// The workspace without what rules close.
    #[must_use]
    pub fn workspace(&self) -> Arc<Workspace> {
        self.tools.workspace()
    }

    /// What a handle of a variable or a call stands for; none if there is no such thing.
    ///
    /// # Errors
    /// When its value cannot be read, or the session has just closed.
    pub async fn resource(&self, handle: &ResourceHandle) -> Result<Option<FoundResource>, SessionError> {
        let view = self.view().await?;
        Ok(resources::find(handle, &view, &self.values).await?)
    }

    /// Keeps a value that the user brings, under this name or one like it; the name.
    ///
    /// # Errors
    /// When the value is too large, there are too many variables, or the session has just closed.
    pub async fn keep(&self, name: &str, value: ArtifactValue) -> Result<String, SessionError> {
        let name = name.to_owned();
        self.ask(|reply| SessionCommand::Keep { name, value, reply }).await?
    }

    /// Removes a value that the user brought and that no message has.
    ///
    /// # Errors
    /// When there is no such variable, a message has it, or the session has just closed.
    pub async fn discard(&self, name: &str) -> Result<(), SessionError> {
        let name = name.to_owned();
        self.ask(|reply| SessionCommand::Discard { name, reply }).await?
    }

    /// The whole arguments of a call that waits for its approval; `None` if none waits under this id.
    ///
    /// # Errors
    /// When the session has just closed.
    pub async fn asked(&self, call_id: CallId) -> Result<Option<Arc<Map<String, Value>>>, SessionError> {
        self.ask(|reply| SessionCommand::Asked(call_id, reply)).await
    }

    /// Up to `limit` events after `after`, oldest first.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub async fn read_events(&self, after: u64, limit: u64) -> Result<Vec<StoredEvent>, SessionError> {
        Ok(self.log.read(self.id, after, limit).await?)
    }

    /// The last `limit` events before `before`, oldest first.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub async fn read_events_before(&self, before: u64, limit: u64) -> Result<Vec<StoredEvent>, SessionError> {
        Ok(self.log.read_before(self.id, before, limit).await?)
    }

    pub(super) async fn ask<T>(
        &self,
        command: impl FnOnce(oneshot::Sender<T>) -> SessionCommand,
    ) -> Result<T, SessionError> {
        let (reply, answer) = oneshot::channel();
        self.commands.send(Box::new(command(reply))).await.map_err(|_| SessionError::Gone)?;
        answer.await.map_err(|_| SessionError::Gone)
    }
}

impl ClientSender {
    /// The same for a client that may do only so much.
    #[must_use]
    pub fn with_rights(self, rights: Rights) -> Self {
        Self { rights, ..self }
    }

    /// Hands over what the client says; the answer comes as frames.
    ///
    /// # Errors
    /// The refusal to be sent to this client.
    pub async fn send(&self, frame: impl Into<Box<ClientFrame>>) -> Result<(), Refusal> {
        let frame = frame.into();
        frame_limits::check(&frame)?;
        let about = match &*frame {
            ClientFrame::SendMessage { message_id, .. } => message_id.clone(),
            _ => None,
        };
        let command = SessionCommand::Client { subscriber: self.subscriber, rights: self.rights, frame };
        self.commands.send_timeout(command.into(), MAILBOX_TIMEOUT).await.map_err(|_| {
            Refusal::new("busy", "This session has more waiting than it can accept. Nothing was done.")
                .suggesting("Send it again in a few seconds.")
                .retry_after(5_000)
                .about(about)
        })
    }

    /// Sends a refusal to this client, in order with everything else that it gets.
    pub async fn refuse(&self, refusal: Refusal) {
        // A session that has gone has let go of the client already.
        let command = SessionCommand::Refuse { subscriber: self.subscriber, refusal };
        let _ = self.commands.send(command.into()).await;
    }
}

impl ClientReceiver {
    /// The same for a client that subscribes to some types of frames.
    #[must_use]
    pub fn with_subscription(self, subscription: Subscription) -> Self {
        Self { subscription, ..self }
    }

    /// The next events that the client has to read from the log before new ones come by themselves; none when they do.
    ///
    /// # Errors
    /// When the log cannot be read or the session has closed.
    pub async fn catch_up(&mut self, limit: u64) -> Result<Vec<StoredEvent>, SessionError> {
        loop {
            if self.have < self.upto {
                let mut page = match self.session.read_events(self.have, limit.min(self.upto - self.have)).await {
                    Err(SessionError::Log(LogError::Damaged { .. })) => {
                        // It comes back from its log, read-only; so do its clients. One that has gone is as good.
                        let _ = self.session.commands.send(SessionCommand::Damaged.into()).await;
                        return Err(SessionError::Gone);
                    }
                    page => page?,
                };
                self.have = page.last().ok_or(SessionError::Gone)?.seq;
                page.retain(|event| self.subscription.has(&event.frame));
                if page.is_empty() {
                    continue;
                }
                return Ok(page);
            }
            let (subscriber, have) = (self.subscriber, self.have);
            match self.session.ask(|reply| SessionCommand::GoLive { subscriber, have, reply }).await? {
                GoLive::Live => return Ok(Vec::new()),
                GoLive::ReadTo(upto) => self.upto = upto,
            }
        }
    }

    /// The next frame; none when the client fell behind and has to [catch up](Self::catch_up) again.
    ///
    /// # Errors
    /// Why the session let go of the client.
    pub async fn next(&mut self) -> Result<Option<Outgoing>, CloseReason> {
        loop {
            match self.reader.next().await? {
                Next::Behind => return Ok(None),
                Next::Frame(outgoing) => {
                    if let Some(outgoing) = self.take(outgoing) {
                        return Ok(Some(outgoing));
                    }
                }
            }
        }
    }

    /// A frame that already exists.
    pub fn ready(&mut self) -> Option<Outgoing> {
        loop {
            let outgoing = self.reader.ready()?;
            if let Some(outgoing) = self.take(outgoing) {
                return Some(outgoing);
            }
        }
    }

    /// Completes when the session lets go of the client.
    pub async fn closed(&mut self) -> CloseReason {
        self.reader.closed().await
    }

    /// Notes that the client has a frame, or does not want it. What it has read from the log while it was behind may still be
    /// in its queue: it attached and fell behind before it read, or its task had used up its turn and found the queue empty.
    fn take(&mut self, outgoing: Outgoing) -> Option<Outgoing> {
        if let Some(seq) = outgoing.seq {
            if seq <= self.have {
                return None;
            }
            self.have = seq;
        }
        self.subscription.has(&outgoing.text).then_some(outgoing)
    }
}
