//! A session in memory with everything real behind it: registry, index, manager, built-in tools, and a workspace in a
//! temporary folder.

#![expect(missing_docs, reason = "the fields of a fixture are named by what they are")]

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use switchboard_protocol::{Operation, QueryId, ServerMessage};
use tokio_util::sync::CancellationToken;

use crate::{
    AskedPlan, DEFAULT_MAX_ITERATIONS, PlanAsk, Reasoner, ToolUsingChatAgent, TurnEnd, TurnHost, TurnView, UserMessage,
};
use switchboard_accounts::Principal;
use switchboard_builtin as builtin;
use switchboard_context::ContextManager;
use switchboard_conversation::ToolAwareChatEngine;
use switchboard_events::{
    ChatMessage, ChatRole, FileHistory, FileImage, NewEvent, Receipt, RecordError, Recorder, Values,
};
use switchboard_runtime::Shutdown;
use switchboard_sandbox::Workers;
use switchboard_sandbox::test_support::built_server;
use switchboard_search::ToolIndex;
use switchboard_tools::test_support::TestHost;
use switchboard_tools::{
    Approval, ApprovalAsk, ApproveMode, CallHost, Policy, QueryAnswer, QueryAsk, RuleSet, Tool, ToolChange,
    ToolManager, ToolManagerConfig, ToolRegistry,
};
use switchboard_workspace::Workspace;

/// A session for tests.
pub struct TestSession {
    pub agent: ToolUsingChatAgent,
    pub tools: ToolManager,
    pub host: AgentHost,
    pub cancellation: CancellationToken,
    policy: Arc<Policy>,
    folder: tempfile::TempDir,
    turns: Mutex<usize>,
}

/// Records, and shows the agent what was recorded.
#[derive(Default)]
pub struct AgentHost {
    inner: TestHost,
    steering: Mutex<VecDeque<Vec<UserMessage>>>,
    replies: Mutex<Vec<(usize, ChatMessage)>>,
    /// The plan that was asked about last, which the next turn answers.
    plan: Mutex<Option<Arc<AskedPlan>>>,
}

/// What a turn came to, for comparing.
#[derive(Debug)]
pub struct Turned {
    pub text: String,
    pub tools: Vec<String>,
    pub updated: Vec<String>,
    pub reasoning: String,
    pub complete: bool,
    pub operations: u32,
    /// The code of an `agent-error`.
    pub code: Option<String>,
    pub suggestions: Vec<String>,
}

impl TestSession {
    /// A session with the built-in tools and these files, in which this reasoner decides.
    pub fn with_files(reasoner: Arc<dyn Reasoner>, files: &[(&str, &str)]) -> Self {
        Self::with(reasoner, files, Vec::new(), DEFAULT_MAX_ITERATIONS)
    }

    /// A session with the built-in tools, these others, and this many rounds.
    pub fn with(reasoner: Arc<dyn Reasoner>, files: &[(&str, &str)], others: Vec<Arc<dyn Tool>>, rounds: u32) -> Self {
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
        let shell = builtin::ShellConfig { workers: Workers::of(built_server()), ..builtin::ShellConfig::default() };
        for tool in builtin::all(&shell, &builtin::WebConfig::default()).into_iter().chain(others) {
            registry.insert(tool).expect("a tool with a name of its own");
        }
        let policy = Arc::new(Policy::new(ApproveMode::Auto));
        let tools = ToolManager::new(ToolManagerConfig {
            registry: Arc::clone(&registry),
            policy: Arc::clone(&policy),
            workspace: Arc::new(Workspace::open(folder.path(), &[]).expect("a workspace")),
            principal: Principal::local(),
            shutdown: Shutdown::new(),
            checkpoints: None,
        });
        let agent = ToolUsingChatAgent::new(reasoner, registry, index, rounds);
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

    /// Calls are asked about, or not, from now on.
    pub fn approve_mode(&self, mode: ApproveMode) {
        self.policy.set(mode, RuleSet::default(), &[]);
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// What a file of the workspace holds; nothing if it does not exist.
    pub fn file(&self, path: &str) -> Option<String> {
        std::fs::read_to_string(self.folder().join(path)).ok()
    }

    /// Runs a turn.
    pub async fn say(&self, text: &str) -> Turned {
        self.say_with(text, None).await
    }

    /// Runs a turn whose user asked for this tool.
    pub async fn try_tool(&self, tool: &str, text: &str) -> Turned {
        self.say_with(text, Some(tool.to_owned())).await
    }

    async fn say_with(&self, text: &str, tool: Option<String>) -> Turned {
        let number = {
            let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
            *turns += 1;
            *turns
        };
        let message = UserMessage { id: format!("m{number}"), text: text.to_owned(), tool, ..UserMessage::default() };
        let ended = self.agent.process_message(message, &self.tools, &self.host, &self.cancellation).await;
        let turned = Turned::from(ended);
        self.host.replied(&turned.text);
        turned
    }

    /// The text of a variable's value, as a file would hold it.
    pub async fn variable(&self, name: &str) -> Option<serde_json::Value> {
        let context = self.host.inner.variables();
        context.value(self.host.values(), name).await.ok().map(|value| value.to_json())
    }

    /// Sets a variable as a user does.
    pub async fn set(&self, name: &str, value: serde_json::Value) {
        use switchboard_context::{OutputName, user_origin};
        use switchboard_events::ArtifactValue;
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
    pub fn will_steer(&self, stages: Vec<Vec<UserMessage>>) {
        self.steering.lock().unwrap_or_else(PoisonError::into_inner).extend(stages);
    }

    /// The pieces of replies so far.
    pub fn deltas(&self) -> Vec<(u64, String)> {
        let pieces = self.inner.transients().into_iter().filter_map(|message| match message {
            ServerMessage::AgentDelta { offset, text } => Some((offset, text)),
            _ => None,
        });
        pieces.collect()
    }

    /// The frames so far.
    pub fn messages(&self) -> Vec<ServerMessage> {
        self.inner.messages()
    }

    pub fn events(&self) -> Vec<NewEvent> {
        self.inner.events()
    }

    pub fn answers_with(&self, approval: Approval) {
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
        if let ServerMessage::QueryResolved { query_id, .. } = &event.message {
            let mut plan = self.plan.lock().unwrap_or_else(PoisonError::into_inner);
            plan.take_if(|asked| asked.query_id == *query_id);
        }
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
            plan: self.plan.lock().unwrap_or_else(PoisonError::into_inner).clone(),
            ..TurnView::default()
        }))
    }

    async fn steered(&self) -> Vec<UserMessage> {
        self.steering.lock().unwrap_or_else(PoisonError::into_inner).pop_front().unwrap_or_default()
    }

    async fn ask_plan(&self, ask: PlanAsk) {
        let asked = AskedPlan { query_id: QueryId::random(), plan: ask.plan };
        *self.plan.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(asked));
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
