//! What work (a turn, or a call of the user's own) may ask of the session that runs it: every request is a message to the
//! actor, on a bounded channel of its own, tagged with the work's id so that work of the past is not listened to.

use std::sync::Arc;

use async_trait::async_trait;
use switchboard_protocol::{CallId, Decision, MessageId, Notification, OpenWindow, ServerMessage, SessionId};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use super::error::ImportError;
use super::message::Message;
use super::outbox::ReceiptSender;
use super::slash::Command;
use super::state::SessionState;
use super::subscriber::{Outgoing, SubscriberId};
use switchboard_agent::{PlanAsk, TurnHost, TurnView, UserMessage};
use switchboard_context::ContextManager;
use switchboard_conversation::Summary;
use switchboard_events::{FileHistory, FileImage, LogError, LogRoom, NewEvent, Receipt, RecordError, Recorder, Values};
use switchboard_mcp::Prompt;
use switchboard_tools::{
    Approval, ApprovalAsk, CallHost, CutSpecialist, DisplayRequest, Displayed, QueryAnswer, QueryAsk, ResourceService,
};

/// Names one piece of work within its session.
pub(super) type WorkId = u64;

/// A request of some work.
pub(super) struct FromWork {
    pub(super) work: WorkId,
    pub(super) request: Box<WorkRequest>,
}

/// What work may request.
pub(super) enum WorkRequest {
    /// Put an event into the log.
    Record { event: NewEvent, with: Option<Box<NewEvent>>, urgent: bool, receipt: ReceiptSender, room: LogRoom },
    /// Send something that is not kept.
    Transient(ServerMessage),
    /// The session as it is now.
    View(oneshot::Sender<Arc<TurnView>>),
    /// The calls that changed files.
    Files(oneshot::Sender<FileHistory>),
    /// How a specialist goes on that the server's end cut off.
    CutSpecialist(CallId, oneshot::Sender<Option<CutSpecialist>>),
    /// Messages that joined the turn.
    Steered(oneshot::Sender<Vec<UserMessage>>),
    /// Ask the user.
    Ask(ApprovalAsk, oneshot::Sender<Approval>),
    /// Ask the user a question of a call; the token withdraws it.
    AskQuery(QueryAsk, CancellationToken, oneshot::Sender<QueryAnswer>),
    /// Show the user a plan that waits beyond the turn.
    AskPlan(PlanAsk),
    /// Show something in a window.
    Display(DisplayRequest, oneshot::Sender<Displayed>),
    /// Show a notification; how many clients show it.
    Notify(Notification, oneshot::Sender<usize>),
    /// Close a window, named by its id or by what it shows.
    CloseWindow(String, oneshot::Sender<Option<OpenWindow>>),
    /// The turn has ended, with this frame.
    TurnEnded(ServerMessage),
    /// The call has ended.
    CallEnded(CallEnd),
    /// A state of the past was read, for `/load`.
    Loaded(Box<Loaded>),
    /// An MCP server was switched on or off, or could not be.
    McpSwitched(Box<McpSwitched>),
    /// An MCP server has given a prompt, or has not.
    Prompted(Box<Prompted>),
    /// A fork was made, or could not be.
    Forked(Box<Forked>),
    /// A summary of what fell out of the window was written.
    Summarized(Summary),
    /// A stored frame was read, for a client that asked again.
    Answer(SubscriberId, Outgoing),
}

/// How a call of the user's own ended.
pub(super) enum CallEnd {
    /// With what is to be said of it.
    Told(String),
    /// It did not work, for this reason.
    Failed(String),
    /// Something in it broke.
    BrokeDown,
}

/// A state of the past.
pub(super) struct Loaded {
    pub(super) subscriber: SubscriberId,
    pub(super) message_id: MessageId,
    pub(super) command: &'static Command,
    pub(super) name: String,
    pub(super) state: Result<SessionState, LogError>,
}

/// What became of switching an MCP server.
pub(super) struct McpSwitched {
    pub(super) subscriber: SubscriberId,
    pub(super) message_id: MessageId,
    pub(super) command: &'static Command,
    /// What is said of it, or why it was not done.
    pub(super) said: Result<String, String>,
}

/// What became of a fork.
pub(super) struct Forked {
    pub(super) subscriber: SubscriberId,
    pub(super) message_id: MessageId,
    pub(super) command: &'static Command,
    /// The last event that it has of this session.
    pub(super) upto: u64,
    pub(super) made: Result<SessionId, ImportError>,
}

/// What an MCP server gave for a prompt.
pub(super) struct Prompted {
    pub(super) subscriber: SubscriberId,
    /// The message as it came.
    pub(super) message: Message,
    pub(super) prompt: Prompt,
    /// What it should say.
    pub(super) text: Result<String, String>,
}

/// The session, as its work sees it.
#[derive(Clone)]
pub(super) struct SessionHost {
    pub(super) work: WorkId,
    pub(super) turn_id: Option<MessageId>,
    pub(super) values: Arc<Values>,
    pub(super) requests: mpsc::Sender<FromWork>,
}

impl SessionHost {
    /// Sends a request; fails when the session has ended.
    pub(super) async fn request(&self, request: WorkRequest) -> Result<(), RecordError> {
        let request = FromWork { work: self.work, request: Box::new(request) };
        self.requests.send(request).await.map_err(|_| RecordError::Gone)
    }

    /// Sends a request that has an answer.
    pub(super) async fn asked<T>(
        &self,
        request: impl FnOnce(oneshot::Sender<T>) -> WorkRequest,
    ) -> Result<T, RecordError> {
        let (reply, answer) = oneshot::channel();
        self.request(request(reply)).await?;
        answer.await.map_err(|_| RecordError::Gone)
    }
}

/// The way back for something that the session has done beside it: what it brings is always listened to.
pub(super) struct Errand {
    pub(super) requests: mpsc::Sender<FromWork>,
}

impl Errand {
    /// Brings what was fetched; a session that has ended does not need it any more.
    pub(super) async fn bring(self, request: WorkRequest) {
        let _ = self.requests.send(FromWork { work: 0, request: Box::new(request) }).await;
    }
}

impl SessionHost {
    async fn record_both(
        &self,
        mut event: NewEvent,
        mut with: Option<NewEvent>,
        urgent: bool,
    ) -> Result<Receipt, RecordError> {
        for event in std::iter::once(&mut event).chain(with.as_mut()) {
            event.turn_id.clone_from(&self.turn_id);
        }
        let (receipt, receiver) = oneshot::channel();
        // Here waits the turn, and not the session.
        let room = self.values.room().await;
        self.request(WorkRequest::Record { event, with: with.map(Box::new), urgent, receipt, room }).await?;
        Ok(Receipt::new(receiver))
    }
}

#[async_trait]
impl Recorder for SessionHost {
    async fn record(&self, event: NewEvent, urgent: bool) -> Result<Receipt, RecordError> {
        self.record_both(event, None, urgent).await
    }

    async fn record_with(&self, event: NewEvent, with: Option<NewEvent>) -> Result<Receipt, RecordError> {
        self.record_both(event, with, false).await
    }

    async fn transient(&self, message: ServerMessage) {
        // A session that has ended has nobody to send it to.
        let _ = self.request(WorkRequest::Transient(message)).await;
    }
}

#[async_trait]
impl CallHost for SessionHost {
    fn values(&self) -> &Values {
        &self.values
    }

    async fn context(&self) -> Result<ContextManager, RecordError> {
        Ok(self.view().await?.context.clone())
    }

    async fn ask_approval(&self, ask: ApprovalAsk) -> Approval {
        let (reply, answer) = oneshot::channel();
        let gone = Approval { decision: Decision::Cancelled, arguments: None, reason: None };
        match self.request(WorkRequest::Ask(ask, reply)).await {
            Ok(()) => answer.await.unwrap_or(gone),
            Err(_) => gone,
        }
    }

    async fn ask_query(&self, ask: QueryAsk) -> QueryAnswer {
        let withdrawn = CancellationToken::new();
        let _withdraw_when_dropped = withdrawn.clone().drop_guard();
        let (reply, answer) = oneshot::channel();
        match self.request(WorkRequest::AskQuery(ask, withdrawn, reply)).await {
            Ok(()) => answer.await.unwrap_or(QueryAnswer::Cancelled),
            Err(_) => QueryAnswer::Cancelled,
        }
    }

    async fn file_history(&self) -> Result<FileHistory, RecordError> {
        self.asked(WorkRequest::Files).await
    }

    async fn file_images(&self, started: u64) -> Result<Vec<FileImage>, RecordError> {
        let private = self.values.private(started).await?;
        Ok(private.and_then(|private| private.images).unwrap_or_default())
    }

    async fn cut_specialist(&self, call: &CallId) -> Option<CutSpecialist> {
        self.asked(|reply| WorkRequest::CutSpecialist(call.clone(), reply)).await.ok().flatten()
    }

    fn resource_service(&self) -> Arc<dyn ResourceService> {
        Arc::new(self.clone())
    }

    fn shared(&self) -> Option<Arc<dyn CallHost>> {
        Some(Arc::new(self.clone()))
    }
}

#[async_trait]
impl TurnHost for SessionHost {
    async fn view(&self) -> Result<Arc<TurnView>, RecordError> {
        self.asked(WorkRequest::View).await
    }

    async fn steered(&self) -> Vec<UserMessage> {
        self.asked(WorkRequest::Steered).await.unwrap_or_default()
    }

    async fn ask_plan(&self, ask: PlanAsk) {
        // A session that has ended asks nobody.
        let _ = self.request(WorkRequest::AskPlan(ask)).await;
    }
}
