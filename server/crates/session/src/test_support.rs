//! A session bench for tests: a real log, the real tools' manager, and a reasoner that does what a message says.
//!
//! Messages: `say X` answers X, `call TOOL {json}` runs a tool, `hold` waits until the test lets it go on, `panic`
//! panics.

#![expect(missing_docs, reason = "the parts of a fixture are named by what they are")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use serde_json::{Map, Value, json};
use switchboard_protocol::{
    Choice, ClientFrame, QueryKind, ReasonerInfo, ReasonerKind, Risk, ServerFrame, ServerMessage, SessionId,
};
use tokio::sync::Semaphore;

use super::{AttachFrom, Attachment, Outgoing, SessionConfig, SessionServices, Sessions};
use switchboard_accounts::Principal;
use switchboard_agent::{
    Attempt, CandidateTool, Decision, NeedAnalysis, NextAction, Reasoner, ReasonerError, ReasonerFactory, Reasoning,
    Reply, Specialists, ToolSelection, ToolUsingChatAgent, TurnContext, TurnReasoner,
};
use switchboard_events::ArtifactValue;
use switchboard_events::{EventLog, MemoryLog};
use switchboard_runtime::Shutdown;
use switchboard_search::ToolIndex;
use switchboard_tools::test_support::{Scripted, spec, workspace};
use switchboard_tools::{ApproveMode, Policy, Question, Tool, ToolChange, ToolRegistry, ToolResult};

/// A server's worth of sessions.
pub struct Bench {
    pub sessions: Sessions,
    pub log: Arc<dyn EventLog>,
    pub shutdown: Shutdown,
    /// Turns that `hold` and tools named `wait` pass here, one a permit.
    pub gate: Arc<Semaphore>,
    /// While it is set, a session breaks down when a client attaches.
    pub poison: Arc<AtomicBool>,
    folder: Arc<tempfile::TempDir>,
}

impl Default for Bench {
    fn default() -> Self {
        Self::new()
    }
}

impl Bench {
    pub fn new() -> Self {
        Self::with(Arc::new(MemoryLog::new()), SessionConfig::default(), ApproveMode::Auto)
    }

    pub fn asking() -> Self {
        Self::with(Arc::new(MemoryLog::new()), SessionConfig::default(), ApproveMode::Ask)
    }

    pub fn with(log: Arc<dyn EventLog>, config: SessionConfig, mode: ApproveMode) -> Self {
        let gate = Arc::new(Semaphore::new(0));
        let (registry, index) = (Arc::new(ToolRegistry::new()), Arc::new(ToolIndex::new()));
        let listed = Arc::clone(&index);
        registry.on_change(move |change| match change {
            ToolChange::Added(definition) => listed.insert(definition),
            ToolChange::Removed(name) => {
                listed.remove(name);
            }
        });
        for (name, risk) in [("look", Risk::Read), ("act", Risk::Execute), ("note", Risk::Write)] {
            let tool = Scripted::tool(spec(name, risk), |_, arguments| async move {
                ToolResult::success(ArtifactValue::Json(Value::Object(arguments)))
            });
            registry.insert(tool).expect("the tool is new");
        }
        for (name, risk) in [("wait_look", Risk::Read), ("wait_act", Risk::Execute)] {
            let passes = Arc::clone(&gate);
            let tool = Scripted::tool(spec(name, risk), move |context, _| {
                let passes = Arc::clone(&passes);
                async move {
                    context.output.chunk(switchboard_protocol::Stream::Stdout, "begun\n");
                    tokio::select! {
                        () = pass(&passes) => {}
                        () = context.cancellation.cancelled() => {}
                    }
                    ToolResult::success(ArtifactValue::Json(json!("waited")))
                }
            });
            registry.insert(tool).expect("the tool is new");
        }
        registry.insert(asking()).expect("the tool is new");
        let shutdown = Shutdown::new();
        let poison = Arc::new(AtomicBool::new(false));
        let reasoner = Arc::new(Script { gate: Arc::clone(&gate), poison: Arc::clone(&poison) });
        let decides: Arc<dyn Reasoner> = Arc::clone(&reasoner) as _;
        let (folder, workspace) = workspace();
        let thinks = ReasonerFactory {
            reasoner: decides,
            chat: Arc::new(|_| switchboard_conversation::ChatConfig::default()),
            own: Arc::new(|_, _| Err("there is no other model here".to_owned())),
            rounds: 5,
        };
        let agents = Specialists::new(&registry, thinks, Some(folder.path().join("agents")));
        let agent = ToolUsingChatAgent::new(reasoner, Arc::clone(&registry), Arc::clone(&index), 5);
        let sessions = Sessions::new(SessionServices {
            log: Arc::clone(&log),
            agent: Arc::new(agent),
            registry,
            index,
            mcp: switchboard_mcp::McpServers::none(),
            models: switchboard_llm::Models::none(),
            agents,
            policy: Arc::new(Policy::new(mode)),
            workspace,
            checkpoints: None,
            sandbox: switchboard_protocol::SandboxState::On,
            shutdown: shutdown.clone(),
            chat: switchboard_runtime::Live::default(),
            summarizer: Arc::new(switchboard_conversation::Extracts),
            config,
        });
        Self { sessions, log, shutdown, gate, poison, folder: Arc::new(folder) }
    }

    /// What a restart after `kill -9` gives: the same log, and nothing else.
    pub fn after_crash(&self) -> Self {
        let config = self.sessions.services().config.clone();
        let mode = self.sessions.services().policy.mode();
        Self { folder: Arc::clone(&self.folder), ..Self::with(Arc::clone(&self.log), config, mode) }
    }

    /// Writes an agent's file, and has the files read.
    pub fn agent(&self, file: &str, definition: &Value) {
        let folder = self.folder.path().join("agents");
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join(file), definition.to_string()).expect("a file");
        self.sessions.services().agents.reload();
    }

    /// The live state.
    #[cfg(test)]
    pub(super) async fn state_of(&self, session: SessionId) -> super::state::SessionState {
        let handle = self.sessions.open(&Principal::local(), Some(session)).await.expect("the session is there");
        *handle.ask(super::command::SessionCommand::State).await.expect("the session is in memory")
    }

    pub async fn client(&self) -> Client {
        let attachment = self.sessions.attach(&Principal::local(), None, AttachFrom::New, false).await;
        Client::new(attachment.expect("a session can be made")).await
    }

    pub async fn client_of(&self, session: SessionId, from: AttachFrom) -> Client {
        let attachment = self.sessions.attach(&Principal::local(), Some(session), from, false).await;
        Client::new(attachment.expect("the session is there")).await
    }

    /// Every frame of the session's log.
    pub async fn log_of(&self, session: SessionId) -> Vec<ServerFrame> {
        let events = self.log.read(session, 0, u64::MAX).await.expect("the log can be read");
        events.iter().map(|event| parse(&event.frame)).collect()
    }

    /// Lets one waiting turn or tool go on.
    pub fn open_gate(&self) {
        self.gate.add_permits(1);
    }
}

/// An attached client that has read what it missed.
pub struct Client {
    pub attachment: Attachment,
    pub ready: ServerFrame,
    pub frames: Vec<ServerFrame>,
}

impl Client {
    async fn new(attachment: Attachment) -> Self {
        let ready = parse(&attachment.ready);
        let mut client = Self { attachment, ready, frames: Vec::new() };
        client.catch_up().await;
        client
    }

    /// Reads from the log until new events come by themselves.
    pub async fn catch_up(&mut self) {
        loop {
            let page = self.attachment.receiver.catch_up(3).await.expect("the log can be read");
            if page.is_empty() {
                return;
            }
            self.frames.extend(page.iter().map(|event| parse(&event.frame)));
        }
    }

    pub fn session(&self) -> SessionId {
        match &self.ready.message {
            ServerMessage::SessionReady { session_id, .. } => *session_id,
            other => panic!("the first frame is {other:?}"),
        }
    }

    pub async fn send_frame(&self, frame: ClientFrame) {
        self.attachment.sender.send(frame).await.expect("the frame is taken");
    }

    pub async fn send(&self, id: &str, text: &str) {
        self.send_as(id, text, None).await;
    }

    pub async fn send_as(&self, id: &str, text: &str, mode: Option<switchboard_protocol::Mode>) {
        let (text, message_id) = (text.to_owned(), Some(id.to_owned()));
        self.send_frame(ClientFrame::SendMessage { text, timestamp: None, message_id, mode, attachments: None }).await;
    }

    pub async fn next(&mut self) -> ServerFrame {
        let limit = std::time::Duration::from_secs(60);
        let outgoing = tokio::time::timeout(limit, self.attachment.receiver.next()).await;
        let outgoing = outgoing.expect("a frame comes").expect("the session goes on");
        let Outgoing { text, .. } = outgoing.expect("the client is not behind");
        let frame = parse(&text);
        self.frames.push(frame.clone());
        frame
    }

    /// Reads until a frame of this kind.
    pub async fn until(&mut self, wanted: impl Fn(&ServerMessage) -> bool) -> ServerFrame {
        loop {
            let frame = self.next().await;
            if wanted(&frame.message) {
                return frame;
            }
        }
    }

    /// Reads until the end of the turn that answers this message.
    pub async fn end_of(&mut self, id: &str) -> ServerFrame {
        let id = id.to_owned();
        self.until(|message| ends(message).is_some_and(|ids| ids.contains(&id))).await
    }
}

/// The messages whose turn a frame ends.
pub fn ends(message: &ServerMessage) -> Option<&Vec<String>> {
    match message {
        ServerMessage::AgentResponse { message_ids, .. }
        | ServerMessage::AgentError { message_ids: Some(message_ids), .. } => Some(message_ids),
        _ => None,
    }
}

pub fn parse(text: &str) -> ServerFrame {
    serde_json::from_str(text).expect("what is sent is a frame")
}

/// The text of an end frame.
pub fn text_of(frame: &ServerFrame) -> &str {
    match &frame.message {
        ServerMessage::AgentResponse { text, .. } | ServerMessage::AgentError { text, .. } => text,
        other => panic!("no end: {other:?}"),
    }
}

/// The code of an `agent-error`.
pub fn code_of(frame: &ServerFrame) -> &str {
    match &frame.message {
        ServerMessage::AgentError { code, .. } => code,
        other => panic!("no error: {other:?}"),
    }
}

/// A tool that asks its user what its arguments say: `{"question", "choices"}`; its value is what became of it. With
/// `impatient` it asks and does not wait.
fn asking() -> Arc<dyn Tool> {
    let mut spec = spec("ask", Risk::Ui);
    spec.repeatable = true;
    Scripted::tool(spec, |context, arguments| async move {
        let text = arguments["question"].as_str().expect("a question");
        let choices = arguments.get("choices").and_then(Value::as_array).cloned().unwrap_or_default();
        let choices = choices.into_iter().map(|value| Choice { label: value.to_string(), value }).collect();
        let question = Question::new(QueryKind::Query, text, choices).expect("a fit question");
        let asked = context.user.ask(question);
        let answer = match arguments.contains_key("impatient") {
            true => tokio::time::timeout(std::time::Duration::from_secs(5), asked).await.ok(),
            false => Some(asked.await),
        };
        ToolResult::success(ArtifactValue::Text(format!("{answer:?}")))
    })
}

async fn pass(gate: &Semaphore) {
    gate.acquire().await.expect("the gate is never closed").forget();
}

struct Script {
    gate: Arc<Semaphore>,
    poison: Arc<AtomicBool>,
}

struct TurnScript {
    gate: Arc<Semaphore>,
}

impl Reasoner for Script {
    fn info(&self) -> ReasonerInfo {
        assert!(!self.poison.load(Ordering::SeqCst), "a test says so");
        ReasonerInfo { kind: ReasonerKind::Rules, model: None, about: None }
    }

    fn begin_turn(&self) -> Reasoning {
        Reasoning::ByStages(Box::new(TurnScript { gate: Arc::clone(&self.gate) }))
    }
}

#[async_trait]
impl TurnReasoner for TurnScript {
    async fn analyze_tool_need(
        &mut self,
        context: &TurnContext<'_>,
        _: &[CandidateTool],
    ) -> Result<NeedAnalysis, ReasonerError> {
        let request = context.request();
        let (word, rest) = request.split_once(' ').unwrap_or((request, ""));
        match word {
            "call" => {
                let tool = rest.split(' ').next().unwrap_or_default().to_owned();
                let action = NextAction { text: format!("use {tool}"), tools: vec![tool], ..NextAction::default() };
                return Ok(NeedAnalysis::tools(action, "the message says so"));
            }
            "hold" => pass(&self.gate).await,
            "panic" => panic!("the message says so"),
            _ => {}
        }
        Ok(NeedAnalysis::answered(Reply { text: rest.to_owned(), complete: true }, "the message says so"))
    }

    async fn select_best_tool(
        &mut self,
        context: &TurnContext<'_>,
        _candidates: &[CandidateTool],
        failed: Option<&Attempt>,
    ) -> Result<ToolSelection, ReasonerError> {
        if failed.is_some() {
            return Ok(ToolSelection::none("one try is enough"));
        }
        let mut words = context.request().splitn(3, ' ').skip(1);
        let tool = words.next().map(str::to_owned);
        let parameters: Map<String, Value> =
            words.next().map(|json| serde_json::from_str(json).expect("the message holds JSON")).unwrap_or_default();
        Ok(ToolSelection {
            selected_tool: tool,
            reasoning: "as told".to_owned(),
            parameters,
            ..ToolSelection::default()
        })
    }

    async fn decide_continue_or_complete(&mut self, context: &TurnContext<'_>) -> Result<Decision, ReasonerError> {
        let joined: Vec<&str> = context.messages.iter().skip(1).map(|message| message.text.as_str()).collect();
        let text = format!("done{}", joined.iter().map(|text| format!(", {text}")).collect::<String>());
        Ok(Decision::ended(Reply { text, complete: true }, "it ran"))
    }

    async fn explain_tool_limitations(
        &mut self,
        _scene: &TurnContext<'_>,
        _candidates: &[CandidateTool],
        _selection: &ToolSelection,
    ) -> Result<String, ReasonerError> {
        Ok("no tool".to_owned())
    }
}
