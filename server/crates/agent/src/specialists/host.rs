//! Where a specialist's turn runs: on the session of whoever called it, with a conversation and variables of its own.
//!
//! Its calls are events of the session, under the call that they belong to; what it thinks is progress of that call; what
//! it stores stays with it. All that is written down with its calls and decisions, and so it goes on
//! after the server's end.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use switchboard_protocol::{CallId, Operation, ServerMessage, Stream};
use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::host::{TurnHost, TurnView, UserMessage};
use switchboard_context::ContextManager;
use switchboard_conversation::{ChatConfig, ToolAwareChatEngine};
use switchboard_events::{
    Blob, FileHistory, FileImage, InsideChange, InsideRecord, NewEvent, Receipt, RecordError, Recorder, ServerOnly,
    Values,
};
use switchboard_runtime::Pages;
use switchboard_tools::{
    Approval, ApprovalAsk, CallChain, CallHost, CutSpecialist, CutTurn, OutputSink, QueryAnswer, QueryAsk,
    ResourceService,
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
    own: Mutex<Own>,
    waits: Mutex<Waits>,
}

/// What belongs to the specialist alone.
struct Own {
    context: ContextManager,
    conversation: ToolAwareChatEngine,
    operations: Pages<Arc<Operation>>,
    /// What has not been written down yet.
    unsaved: InsideRecord,
    /// The large values in it.
    blobs: Vec<Blob>,
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
            unsaved: InsideRecord::of(parent.clone()),
            blobs: Vec::new(),
        };
        let (own, waits) = (Mutex::new(own), Mutex::default());
        Self(Arc::new(Inner { outer, parent, progress, call_chain, own, waits }))
    }

    /// Takes up what it had written down before the server's end; how its turn goes on. Nothing if another version of
    /// Switchboard wrote that.
    pub(super) fn take_up(&self, CutSpecialist { records, mut turn }: CutSpecialist) -> Option<CutTurn> {
        for record in records {
            if !record.is_known() {
                return None;
            }
            let mut own = self.own();
            record.messages.iter().for_each(|message| own.conversation.add(message.clone()));
            record.operations.iter().for_each(|operation| own.operations.push(Arc::new(operation.clone())));
            for InsideChange { set, removed, values } in &record.changes {
                own.context.apply(set, removed, values);
            }
            turn.continuation = record.continuation.clone().map(Arc::new).or(turn.continuation);
        }
        turn.done.iter().for_each(|_| self.draw());
        Some(turn)
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

    /// Takes note of what is the specialist's own in an event, and takes it out of it.
    fn keep(&self, private: &mut ServerOnly) {
        let mut guard = self.own();
        let own = &mut *guard;
        for message in private.messages.drain(..) {
            own.unsaved.messages.push(message.clone());
            own.conversation.add(message);
        }
        if let Some(operation) = private.operation.take() {
            own.unsaved.operations.push(operation.clone());
            own.operations.push(Arc::new(operation));
        }
        own.unsaved.continuation = private.continuation.take().or(own.unsaved.continuation.take());
        private.taken.clear();
    }

    /// Takes note of a change of its variables.
    fn change(&self, event: NewEvent) {
        let ServerMessage::ContextUpdate { mut set, removed } = event.message else { return };
        let values = event.private.map(|private| private.values).unwrap_or_default();
        let mut own = self.own();
        own.context.settle(&mut set, &values);
        own.context.apply(&set, &removed, &values);
        own.unsaved.changes.push(InsideChange { set, removed, values });
        own.blobs.extend(event.blobs);
    }

    /// The event with all that has not been written down.
    fn with_unsaved(&self, mut event: NewEvent) -> NewEvent {
        let mut own = self.own();
        let private = event.private.get_or_insert_default();
        // One of a specialist further down has its own.
        if private.inside.is_none() {
            private.inside = Some(Box::new(own.unsaved.take()));
            event.blobs.append(&mut own.blobs);
        }
        event
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
        let decides = event.private.as_ref().is_some_and(|private| private.continuation.is_some());
        if let Some(private) = &mut event.private {
            self.keep(private);
        }
        match &mut event.message {
            ServerMessage::ContextUpdate { .. } => {
                self.change(event);
                return Ok(done());
            }
            ServerMessage::AgentThinking { message, .. } => {
                self.0.progress.chunk(Stream::Progress, &format!("{message}\n"));
                if !decides {
                    return Ok(done());
                }
                event.private = None;
                event.message = ServerMessage::SessionUpdate { title: None, reasoner: None, context_tokens: None };
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
        self.0.outer.record(self.with_unsaved(event), urgent).await
    }

    /// What a call stored is written down with its end.
    async fn record_with(&self, event: NewEvent, with: Option<NewEvent>) -> Result<Receipt, RecordError> {
        if let Some(with) = with {
            self.change(with);
        }
        self.record(event, false).await
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
        self.0.outer.values()
    }

    async fn context(&self) -> Result<ContextManager, RecordError> {
        Ok(self.own().context.clone())
    }

    async fn ask_approval(&self, mut ask: ApprovalAsk) -> Approval {
        ask.parent.get_or_insert_with(|| self.0.parent.clone());
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

    async fn cut_specialist(&self, call: &CallId) -> Option<CutSpecialist> {
        self.0.outer.cut_specialist(call).await
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
