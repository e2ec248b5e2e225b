//! Where a specialist's turn runs: on the session of whoever called it, with a conversation and variables of its own.
//!
//! Its calls are events of the session, under the call that they belong to; what it thinks is progress of that call; what
//! it stores stays with it and goes when it ends.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use switchboard_protocol::{CallId, Operation, ServerMessage, SessionId, Stream};
use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::host::{TurnHost, TurnView, UserMessage};
use switchboard_context::ContextManager;
use switchboard_conversation::{ChatConfig, ToolAwareChatEngine};
use switchboard_events::{
    FileHistory, FileImage, MemoryLog, NewEvent, Receipt, RecordError, Recorder, ServerOnly, Values,
};
use switchboard_runtime::Pages;
use switchboard_tools::{
    Approval, ApprovalAsk, CallChain, CallHost, OutputSink, QueryAnswer, QueryAsk, ResourceService,
};

/// A specialist's place in the session. Cheap to clone.
#[derive(Clone)]
pub(super) struct SpecialistHost(Arc<Inner>);

struct Inner {
    outer: Arc<dyn CallHost>,
    /// The call that the specialist is.
    parent: CallId,
    progress: Arc<dyn OutputSink>,
    call_chain: CallChain,
    values: Values,
    own: Mutex<Own>,
    waits: Mutex<Waits>,
}

/// What belongs to the specialist alone.
struct Own {
    context: ContextManager,
    conversation: ToolAwareChatEngine,
    operations: Pages<Arc<Operation>>,
}

/// The time that went by while the user was asked.
#[derive(Default)]
struct Waits {
    open: usize,
    since: Option<Instant>,
    waited: Duration,
}

impl SpecialistHost {
    pub(super) fn new(
        outer: Arc<dyn CallHost>,
        parent: CallId,
        progress: Arc<dyn OutputSink>,
        call_chain: CallChain,
        chat: ChatConfig,
    ) -> Self {
        let own = Own {
            context: ContextManager::default(),
            conversation: ToolAwareChatEngine::new(Arc::new(chat)),
            operations: Pages::default(),
        };
        let values = Values::new(Arc::new(MemoryLog::new()), SessionId::random());
        let (own, waits) = (Mutex::new(own), Mutex::default());
        Self(Arc::new(Inner { outer, parent, progress, call_chain, values, own, waits }))
    }

    /// How long it has waited for the user.
    pub(super) fn waited(&self) -> Duration {
        let waits = self.waits();
        waits.waited + waits.since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    fn own(&self) -> MutexGuard<'_, Own> {
        self.0.own.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn waits(&self) -> MutexGuard<'_, Waits> {
        self.0.waits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn while_waiting<T>(&self, answer: impl Future<Output = T>) -> T {
        let _waiting = WaitsForUser::begin(self);
        answer.await
    }

    /// One call less for all specialists of the chain.
    fn draw(&self) {
        if let Some(left) = &self.0.call_chain.calls_left {
            let _ = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        }
    }

    /// Takes what is the specialist's own out of an event.
    fn keep(&self, private: &mut ServerOnly) {
        let mut own = self.own();
        for message in private.messages.drain(..) {
            own.conversation.add(message);
        }
        if let Some(operation) = private.operation.take() {
            own.operations.push(Arc::new(operation));
        }
        private.taken.clear();
    }
}

/// One question to the user that is open.
struct WaitsForUser<'a>(&'a SpecialistHost);

impl<'a> WaitsForUser<'a> {
    fn begin(host: &'a SpecialistHost) -> Self {
        let mut waits = host.waits();
        waits.open += 1;
        waits.since.get_or_insert_with(Instant::now);
        drop(waits);
        Self(host)
    }
}

impl Drop for WaitsForUser<'_> {
    fn drop(&mut self) {
        let mut waits = self.0.waits();
        waits.open -= 1;
        if waits.open == 0
            && let Some(since) = waits.since.take()
        {
            waits.waited += since.elapsed();
        }
    }
}

#[async_trait]
impl Recorder for SpecialistHost {
    async fn record(&self, mut event: NewEvent, urgent: bool) -> Result<Receipt, RecordError> {
        if let Some(private) = &mut event.private {
            self.keep(private);
        }
        match &mut event.message {
            ServerMessage::ContextUpdate { set, removed } => {
                let private = event.private.take().unwrap_or_default();
                let mut own = self.own();
                own.context.settle(set, &private.values);
                own.context.apply(set, removed, &private.values);
                return Ok(done());
            }
            ServerMessage::AgentThinking { message, .. } => {
                self.0.progress.chunk(Stream::Progress, &format!("{message}\n"));
                return Ok(done());
            }
            // One of a specialist further down has drawn from the same already.
            ServerMessage::ToolCallStart { parent_call_id: parent @ None, .. } => {
                *parent = Some(self.0.parent.clone());
                self.draw();
            }
            // The session has no variable of that name.
            ServerMessage::ToolCallEnd { output_variable, .. } => *output_variable = None,
            _ => {}
        }
        self.0.outer.record(event, urgent).await
    }

    async fn transient(&self, message: ServerMessage) {
        match message {
            ServerMessage::AgentDelta { text, .. } => self.0.progress.chunk(Stream::Stdout, &text),
            other => self.0.outer.transient(other).await,
        }
    }
}

/// The receipt of what is not kept.
fn done() -> Receipt {
    let (sender, receiver) = oneshot::channel();
    let _ = sender.send(Ok(()));
    Receipt::new(receiver)
}

#[async_trait]
impl CallHost for SpecialistHost {
    fn values(&self) -> &Values {
        &self.0.values
    }

    async fn context(&self) -> Result<ContextManager, RecordError> {
        Ok(self.own().context.clone())
    }

    async fn ask_approval(&self, ask: ApprovalAsk) -> Approval {
        self.while_waiting(self.0.outer.ask_approval(ask)).await
    }

    async fn ask_query(&self, ask: QueryAsk) -> QueryAnswer {
        self.while_waiting(self.0.outer.ask_query(ask)).await
    }

    async fn file_history(&self) -> Result<FileHistory, RecordError> {
        self.0.outer.file_history().await
    }

    async fn file_images(&self, started: u64) -> Result<Vec<FileImage>, RecordError> {
        self.0.outer.file_images(started).await
    }

    fn resource_service(&self) -> Arc<dyn ResourceService> {
        self.0.outer.resource_service()
    }

    fn shared(&self) -> Option<Arc<dyn CallHost>> {
        Some(Arc::new(self.clone()))
    }

    fn call_chain(&self) -> CallChain {
        self.0.call_chain.clone()
    }
}

#[async_trait]
impl TurnHost for SpecialistHost {
    async fn view(&self) -> Result<Arc<TurnView>, RecordError> {
        let own = self.own();
        Ok(Arc::new(TurnView {
            context: own.context.clone(),
            conversation: own.conversation.clone(),
            operations: own.operations.clone(),
            ..TurnView::default()
        }))
    }

    /// Whoever steers a turn speaks to the session's agent.
    async fn steered(&self) -> Vec<UserMessage> {
        Vec::new()
    }
}
