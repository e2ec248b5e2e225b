//! A session in memory for tests of this and higher rooms: keeps what is recorded, and answers approvals as told.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use switchboard_protocol::{Decision, ServerMessage, SessionId};
use tokio::sync::{Notify, oneshot};

use crate::host::{Approval, ApprovalAsk, CallHost};
use crate::question::{QueryAnswer, QueryAsk};
use switchboard_context::ContextManager;
use switchboard_events::{FileHistory, FileImage, MemoryLog, NewEvent, Receipt, RecordError, Recorder, Values};

/// A session in memory.
pub struct TestHost {
    values: Values,
    kept: Mutex<Recorded>,
    news: Notify,
}

#[derive(Default)]
struct Recorded {
    events: Vec<NewEvent>,
    transients: Vec<ServerMessage>,
    context: ContextManager,
    asks: Vec<ApprovalAsk>,
    answers: VecDeque<Approval>,
    meanwhile: VecDeque<Box<dyn FnOnce() + Send>>,
    queries: Vec<QueryAsk>,
    words: VecDeque<QueryAnswer>,
    refuses: bool,
}

impl Default for TestHost {
    fn default() -> Self {
        let log = Arc::new(MemoryLog::new());
        Self { values: Values::new(log, SessionId::random()), kept: Mutex::default(), news: Notify::new() }
    }
}

impl TestHost {
    /// What was recorded, in order.
    pub fn events(&self) -> Vec<NewEvent> {
        self.kept().events.clone()
    }

    /// The frames of what was recorded, in order.
    pub fn messages(&self) -> Vec<ServerMessage> {
        self.kept().events.iter().map(|event| event.message.clone()).collect()
    }

    /// The transient frames, in order.
    pub fn transients(&self) -> Vec<ServerMessage> {
        self.kept().transients.clone()
    }

    /// Waits until a transient frame is like this.
    pub async fn transient_like(&self, like: impl Fn(&ServerMessage) -> bool) {
        loop {
            let news = self.news.notified();
            if self.kept().transients.iter().any(&like) {
                return;
            }
            news.await;
        }
    }

    /// What was asked.
    pub fn asks(&self) -> Vec<ApprovalAsk> {
        self.kept().asks.clone()
    }

    /// The next question is answered so; without an answer left, the call is allowed once.
    pub fn will_answer(&self, decision: Decision) {
        self.will_answer_with(Approval { decision, arguments: None, reason: None });
    }

    /// The next question is answered so.
    pub fn will_answer_with(&self, approval: Approval) {
        self.kept().answers.push_back(approval);
    }

    /// What calls asked their user.
    pub fn queries(&self) -> Vec<QueryAsk> {
        self.kept().queries.clone()
    }

    /// The next question of a call is answered so; without an answer left, it waits until it is dropped.
    pub fn user_will_say(&self, answer: QueryAnswer) {
        self.kept().words.push_back(answer);
    }

    /// This happens while the next question waits for its answer.
    pub fn meanwhile(&self, act: impl FnOnce() + Send + 'static) {
        self.kept().meanwhile.push_back(Box::new(act));
    }

    /// Events get no receipt any more: the session has ended.
    pub fn refuse_from_now_on(&self) {
        self.kept().refuses = true;
    }

    /// The variables as they are now.
    pub fn variables(&self) -> ContextManager {
        self.kept().context.clone()
    }

    fn kept(&self) -> MutexGuard<'_, Recorded> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Recorder for TestHost {
    async fn record(&self, event: NewEvent, _urgent: bool) -> Result<Receipt, RecordError> {
        let mut kept = self.kept();
        if let ServerMessage::ContextUpdate { set, removed } = &event.message {
            let values = event.private.as_ref().map(|private| private.values.clone()).unwrap_or_default();
            kept.context.apply(set, removed, &values);
        }
        kept.events.push(event);
        let (sender, receiver) = oneshot::channel();
        if kept.refuses {
            return Ok(Receipt::new(receiver));
        }
        // The receiver is in the receipt, so there is one.
        let _sent = sender.send(Ok(()));
        Ok(Receipt::new(receiver))
    }

    async fn transient(&self, message: ServerMessage) {
        self.kept().transients.push(message);
        self.news.notify_waiters();
    }
}

#[async_trait]
impl CallHost for TestHost {
    fn values(&self) -> &Values {
        &self.values
    }

    async fn context(&self) -> Result<ContextManager, RecordError> {
        Ok(self.variables())
    }

    async fn ask_approval(&self, ask: ApprovalAsk) -> Approval {
        let meanwhile = self.kept().meanwhile.pop_front();
        if let Some(act) = meanwhile {
            act();
        }
        let mut kept = self.kept();
        kept.asks.push(ask);
        let allowed = Approval { decision: Decision::AllowOnce, arguments: None, reason: None };
        kept.answers.pop_front().unwrap_or(allowed)
    }

    async fn ask_query(&self, ask: QueryAsk) -> QueryAnswer {
        let answer = {
            let mut kept = self.kept();
            kept.queries.push(ask);
            kept.words.pop_front()
        };
        self.news.notify_waiters();
        match answer {
            Some(answer) => answer,
            None => std::future::pending().await,
        }
    }

    async fn file_history(&self) -> Result<FileHistory, RecordError> {
        let mut history = FileHistory::default();
        for (seq, event) in (1..).zip(&self.kept().events) {
            let private = event.private.as_deref();
            match &event.message {
                ServerMessage::ToolCallStart { call_id, tool, .. } => {
                    let images = private.is_some_and(|private| private.images.is_some());
                    let checkpoint = private.and_then(|private| private.checkpoint.as_ref());
                    history.started(call_id, tool, seq, images, checkpoint);
                }
                ServerMessage::ToolCallEnd { call_id, undid, .. } => {
                    history.ended(
                        call_id,
                        private.and_then(|private| private.changes.as_deref()),
                        private.and_then(|private| private.checkpoint.as_ref()),
                        undid.as_deref().unwrap_or_default(),
                    );
                }
                _ => {}
            }
        }
        Ok(history)
    }

    async fn file_images(&self, started: u64) -> Result<Vec<FileImage>, RecordError> {
        let at = usize::try_from(started - 1).expect("a place in memory");
        let private = self.kept().events[at].private.clone();
        Ok(private.and_then(|private| private.images).unwrap_or_default())
    }
}
