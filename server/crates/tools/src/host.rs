//! What the manager needs of the session whose call it runs.

use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use async_trait::async_trait;
use serde_json::{Map, Value};
use switchboard_protocol::{CallId, Decision, Risk};

use super::cut::CutSpecialist;
use super::question::{QueryAnswer, QueryAsk};
use super::resource::{NoWindows, ResourceService};
use switchboard_context::ContextManager;
use switchboard_events::{CallRecord, FileHistory, FileImage, FileSeen, Grant, RecordError, Recorder, Values};

/// Where a call runs: records its events, knows its values, asks its user.
#[async_trait]
pub trait CallHost: Recorder {
    /// The session's values.
    fn values(&self) -> &Values;

    /// The session's variables as they are now, with everything that was recorded before.
    async fn context(&self) -> Result<ContextManager, RecordError>;

    /// Asks the user and waits for the answer; the host records request and resolution, keeps the time limit and the
    /// grants, and answers [`Decision::Cancelled`] when the turn ends.
    async fn ask_approval(&self, ask: ApprovalAsk) -> Approval;

    /// Asks the user a running call's question and waits for what becomes of it; the host records question and
    /// resolution, checks the answer against the choices, and keeps the time limit. Dropped, it withdraws the question.
    async fn ask_query(&self, ask: QueryAsk) -> QueryAnswer;

    /// The calls of the session that changed files.
    async fn file_history(&self) -> Result<FileHistory, RecordError>;

    /// The files as they were before the call that the event `started` began.
    async fn file_images(&self, started: u64) -> Result<Vec<FileImage>, RecordError>;

    /// The windows and notifications of the session; nothing can be shown where there are none.
    fn resource_service(&self) -> Arc<dyn ResourceService> {
        Arc::new(NoWindows)
    }

    /// The same host for a tool that makes calls of its own; none where that cannot be.
    fn shared(&self) -> Option<Arc<dyn CallHost>> {
        None
    }

    /// How the specialist goes on that this call is, if the server's end cut its turn off.
    async fn cut_specialist(&self, _call: &CallId) -> Option<CutSpecialist> {
        None
    }

    /// Which specialists stand above calls that are made here.
    fn call_chain(&self) -> CallChain {
        CallChain::default()
    }
}

/// The specialists that called each other down to a call, and what they leave it of their limits.
#[derive(Debug, Clone, Default)]
pub struct CallChain {
    /// Their ids, the outermost first.
    pub agents: Vec<String>,
    /// How many more may stand below; none: no limit yet.
    pub depth_left: Option<u32>,
    /// How many calls all of them together may still make; none: no limit yet.
    pub calls_left: Option<Arc<AtomicU32>>,
}

/// A question: may this tool run?
#[derive(Debug, Clone, PartialEq)]
pub struct ApprovalAsk {
    /// The call.
    pub call_id: CallId,
    /// What makes it again after a restart.
    pub call: CallRecord,
    /// The call of the specialist that makes it.
    pub parent: Option<CallId>,
    /// What the session knows of the files that it changes.
    pub files: Vec<FileSeen>,
    /// The tool.
    pub tool: String,
    /// Its module.
    pub module: String,
    /// Resolved arguments, large values as previews: what will run.
    pub arguments: Map<String, Value>,
    /// The same, whole.
    pub whole: Arc<Map<String, Value>>,
    /// What it may do.
    pub risk: Risk,
    /// Why it is asked.
    pub reason: String,
    /// Whether it can be undone.
    pub undoable: bool,
    /// What it would do to files that are there, as a unified diff.
    pub diff: Option<String>,
    /// What `allow-session` would allow, in words.
    pub covers: String,
    /// What `allow-session` would allow; a grant already given that covers it answers at once.
    pub grant: Grant,
}

/// The answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Approval {
    /// The answer.
    pub decision: Decision,
    /// Other arguments to run with (references unresolved); they are resolved, validated and guarded anew, not asked anew.
    pub arguments: Option<Map<String, Value>>,
    /// What the user said about it.
    pub reason: Option<String>,
}
