//! A session in memory with everything real behind it: registry, index, manager, built-in tools, and a workspace in a
//! temporary folder.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use switchboard_protocol::{Operation, ServerMessage};
use tokio_util::sync::CancellationToken;

use super::{DEFAULT_MAX_ITERATIONS, Reasoner, Rules, ToolUsingChatAgent, TurnEnd, TurnHost, TurnView, UserMessage};
use crate::accounts::Principal;
use crate::builtin;
use crate::context::ContextManager;
use crate::conversation::ToolAwareChatEngine;
use crate::events::{ChatMessage, ChatRole, FileHistory, FileImage, NewEvent, Receipt, RecordError, Recorder, Values};
use crate::runtime::Shutdown;
use crate::search::ToolIndex;
use crate::tools::test_support::TestHost;
use crate::tools::{
    Approval, ApprovalAsk, ApproveMode, CallHost, Policy, QueryAnswer, QueryAsk, RuleSet, Tool, ToolChange,
    ToolManager, ToolManagerConfig, ToolRegistry,
};
use crate::workspace::Workspace;

/// A session for tests.
pub(crate) struct TestSession {
    pub(crate) agent: ToolUsingChatAgent,
    pub(crate) tools: ToolManager,
    pub(crate) host: AgentHost,
    pub(crate) cancellation: CancellationToken,
    policy: Arc<Policy>,
    folder: tempfile::TempDir,
    turns: Mutex<usize>,
}

/// Records, and shows the agent what was recorded.
#[derive(Default)]
pub(crate) struct AgentHost {
    inner: TestHost,
    steering: Mutex<VecDeque<Vec<UserMessage>>>,
    replies: Mutex<Vec<(usize, ChatMessage)>>,
}

/// What a turn came to, for comparing.
#[derive(Debug)]
pub(crate) struct Turned {
    pub(crate) text: String,
    pub(crate) tools: Vec<String>,
    pub(crate) updated: Vec<String>,
    pub(crate) reasoning: String,
    pub(crate) complete: bool,
    pub(crate) operations: u32,
    /// The code of an `agent-error`.
    pub(crate) code: Option<String>,
    pub(crate) suggestions: Vec<String>,
}

impl TestSession {
    /// A session with the built-in tools and these files.
    pub(crate) fn with_files(files: &[(&str, &str)]) -> Self {
        Self::with(files, Vec::new(), DEFAULT_MAX_ITERATIONS)
    }

    /// A session with the built-in tools, these others, and this many rounds.
    pub(crate) fn with(files: &[(&str, &str)], others: Vec<Arc<dyn Tool>>, rounds: u32) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (path, text) in files {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().expect("a folder above")).expect("folders");
            std::fs::write(path, text).expect("a file");
        }
        let registry = Arc::new(ToolRegistry::new());
        let index = Arc::new(ToolIndex::new());
        let indexed = Arc::clone(&index);
        registry.on_change(move |change| match change {
            ToolChange::Added(definition) => indexed.insert(definition),
            ToolChange::Removed(name) => {
                indexed.remove(name);
            }
        });
        for tool in
            builtin::all(&builtin::ShellConfig::default(), &builtin::WebConfig::default()).into_iter().chain(others)
        {
            registry.insert(tool).expect("a tool with a name of its own");
        }
        let policy = Arc::new(Policy::new(ApproveMode::Auto));
        let tools = ToolManager::new(ToolManagerConfig {
            registry: Arc::clone(&registry),
            policy: Arc::clone(&policy),
            workspace: Arc::new(Workspace::open(folder.path(), &[]).expect("a workspace")),
            principal: Principal::local(),
            shutdown: Shutdown::new(),
        });
        let agent = ToolUsingChatAgent::new(Arc::new(Rules), registry, index, rounds);
        Self {
            agent,
            tools,
            host: AgentHost::default(),
            cancellation: CancellationToken::new(),
            policy,
            folder,
            turns: Mutex::default(),
        }
    }

    /// The same session with another reasoner.
    pub(crate) fn reasoning(mut self, reasoner: Arc<dyn Reasoner>) -> Self {
        self.agent.reasoner = reasoner;
        self
    }

    /// Calls are asked about, or not, from now on.
    pub(crate) fn approve_mode(&self, mode: ApproveMode) {
        self.policy.set(mode, RuleSet::default());
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// What a file of the workspace holds; nothing if it is not there.
    pub(crate) fn file(&self, path: &str) -> Option<String> {
        std::fs::read_to_string(self.folder().join(path)).ok()
    }

    /// Runs a turn.
    pub(crate) async fn say(&self, text: &str) -> Turned {
        self.say_with(text, None).await
    }

    /// Runs a turn whose user asked for this tool.
    pub(crate) async fn try_tool(&self, tool: &str, text: &str) -> Turned {
        self.say_with(text, Some(tool.to_owned())).await
    }

    async fn say_with(&self, text: &str, tool: Option<String>) -> Turned {
        let number = {
            let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
            *turns += 1;
            *turns
        };
        let message = UserMessage { id: format!("m{number}"), text: text.to_owned(), tool };
        let ended = self.agent.process_message(message, &self.tools, &self.host, &self.cancellation).await;
        let turned = Turned::from(ended);
        self.host.replied(&turned.text);
        turned
    }

    /// The text of a variable's value, as a file would hold it.
    pub(crate) async fn variable(&self, name: &str) -> Option<serde_json::Value> {
        let context = self.host.inner.variables();
        context.value(self.host.values(), name).await.ok().map(|value| value.to_json())
    }

    /// Sets a variable as a user does.
    pub(crate) async fn set(&self, name: &str, value: serde_json::Value) {
        use crate::context::{OutputName, user_origin};
        use crate::events::ArtifactValue;
        let value = match value {
            serde_json::Value::String(text) => ArtifactValue::Text(text),
            other => ArtifactValue::Json(other),
        };
        let name = OutputName::Given(name.to_owned());
        let planned = self.host.inner.variables().plan_set(self.host.values(), &name, value, user_origin());
        let (_, change) = planned.expect("a value that can be set");
        self.host.record(change.into_event(None), false).await.expect("recorded");
    }
}

impl AgentHost {
    /// These messages join at the next stage, the next ones at the stage after it.
    pub(crate) fn will_steer(&self, stages: Vec<Vec<UserMessage>>) {
        self.steering.lock().unwrap_or_else(PoisonError::into_inner).extend(stages);
    }

    /// The pieces of replies so far.
    pub(crate) fn deltas(&self) -> Vec<(u64, String)> {
        let pieces = self.inner.transients().into_iter().filter_map(|message| match message {
            ServerMessage::AgentDelta { offset, text } => Some((offset, text)),
            _ => None,
        });
        pieces.collect()
    }

    /// The frames so far.
    pub(crate) fn messages(&self) -> Vec<ServerMessage> {
        self.inner.messages()
    }

    pub(crate) fn events(&self) -> Vec<NewEvent> {
        self.inner.events()
    }

    pub(crate) fn answers_with(&self, approval: Approval) {
        self.inner.will_answer_with(approval);
    }

    /// Keeps the end frame's text as the session does.
    fn replied(&self, text: &str) {
        let message = ChatMessage::new(ChatRole::Assistant, text);
        self.replies.lock().unwrap_or_else(PoisonError::into_inner).push((self.inner.events().len(), message));
    }
}

#[async_trait]
impl Recorder for AgentHost {
    async fn record(&self, event: NewEvent, urgent: bool) -> Result<Receipt, RecordError> {
        self.inner.record(event, urgent).await
    }

    async fn transient(&self, message: ServerMessage) {
        self.inner.transient(message).await;
    }
}

#[async_trait]
impl CallHost for AgentHost {
    fn values(&self) -> &Values {
        self.inner.values()
    }

    async fn context(&self) -> Result<ContextManager, RecordError> {
        self.inner.context().await
    }

    async fn ask_approval(&self, ask: ApprovalAsk) -> Approval {
        self.inner.ask_approval(ask).await
    }

    async fn ask_query(&self, ask: QueryAsk) -> QueryAnswer {
        self.inner.ask_query(ask).await
    }

    async fn file_history(&self) -> Result<FileHistory, RecordError> {
        self.inner.file_history().await
    }

    async fn file_images(&self, started: u64) -> Result<Vec<FileImage>, RecordError> {
        self.inner.file_images(started).await
    }
}

#[async_trait]
impl TurnHost for AgentHost {
    async fn view(&self) -> Result<Arc<TurnView>, RecordError> {
        let mut conversation = ToolAwareChatEngine::default();
        let mut operations = Vec::<Arc<Operation>>::new();
        let replies = self.replies.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for (place, event) in self.inner.events().iter().enumerate() {
            replies.iter().filter(|(at, _)| *at == place).for_each(|(_, reply)| conversation.add(reply.clone()));
            let Some(private) = &event.private else { continue };
            private.messages.iter().for_each(|message| conversation.add(message.clone()));
            operations.extend(private.operation.clone().map(Arc::new));
        }
        Ok(Arc::new(TurnView {
            context: self.inner.variables(),
            conversation,
            operations: operations.into_iter().collect(),
        }))
    }

    async fn steered(&self) -> Vec<UserMessage> {
        self.steering.lock().unwrap_or_else(PoisonError::into_inner).pop_front().unwrap_or_default()
    }
}

impl From<TurnEnd> for Turned {
    fn from(ended: TurnEnd) -> Self {
        match ended.message {
            ServerMessage::AgentResponse {
                text,
                tools_used,
                context_updated,
                reasoning,
                operation_count,
                complete,
                ..
            } => Self {
                text,
                tools: tools_used,
                updated: context_updated,
                reasoning,
                complete,
                operations: operation_count,
                code: None,
                suggestions: Vec::new(),
            },
            ServerMessage::AgentError { text, error, code, attempted_tools, suggestions, .. } => Self {
                text,
                tools: attempted_tools,
                updated: Vec::new(),
                reasoning: error,
                complete: false,
                operations: 0,
                code: Some(code),
                suggestions,
            },
            other => panic!("a turn does not end in {other:?}"),
        }
    }
}
