//! What tests of this room share: servers as real processes, a registry, calls as the manager makes them.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Map, Value, json};
use switchboard_protocol::{CallId, ErrorType, Stream};
use tempfile::TempDir;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::client::Limits;
use super::fake;
use super::file::McpConfig;
use super::servers::McpServers;
use super::status::{ServerState, ServerStatus};
use switchboard_accounts::Principal;
use switchboard_events::ArtifactValue;
use switchboard_sandbox::test_support::built_server;
use switchboard_tools::{OutputSink, ToolContext, ToolRegistry, ToolResult, UserLine, test_support};

/// Only a hang takes this long.
const HANG: Duration = Duration::from_secs(300);

/// Servers, and the registry that has their tools.
pub(super) struct Fixture {
    pub(super) folder: TempDir,
    pub(super) registry: Arc<ToolRegistry>,
    pub(super) servers: McpServers,
}

/// Keeps what was put out.
#[derive(Default)]
pub(super) struct Output(Mutex<String>);

impl Output {
    /// All of it.
    pub(super) fn text(&self) -> String {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// What a tool is given.
pub(super) fn context(output: &Arc<Output>, cancellation: &CancellationToken) -> ToolContext {
    let (_folder, workspace) = test_support::workspace();
    ToolContext {
        call_id: CallId::random(),
        principal: Principal::local(),
        workspace,
        cancellation: cancellation.clone(),
        output: Arc::clone(output) as _,
        user: UserLine::open().0,
        domain_policy: Arc::new(switchboard_tools::NetworkPolicy::default()),
        resource_service: Arc::new(switchboard_tools::NoWindows),
        delegation: None,
        undo: Arc::default(),
    }
}

impl OutputSink for Output {
    fn chunk(&self, _stream: Stream, text: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push_str(text);
    }
}

/// Waits, but not forever.
pub(super) async fn soon<F: Future>(what: F) -> F::Output {
    timeout(HANG, what).await.expect("it happens in time")
}

impl Fixture {
    pub(super) fn start(servers: impl FnOnce(&Path) -> Value) -> Self {
        Self::start_with(servers, Limits::none())
    }

    pub(super) fn start_with(servers: impl FnOnce(&Path) -> Value, limits: Limits) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let file = folder.path().join("mcp.json");
        fs::write(&file, json!({"mcpServers": servers(folder.path())}).to_string()).expect("the file is written");
        let environment = [("PATH", "/usr/bin:/bin"), ("SECRET", "canary")];
        let environment = environment.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let registry = Arc::new(ToolRegistry::new());
        let config = McpConfig { file: Some(file), environment, subreaper: built_server() };
        let servers = McpServers::start_with(&config, &registry, limits, None).expect("the file is right");
        Self { folder, registry, servers }
    }

    /// One server `fake`, once it is ready.
    pub(super) async fn ready(mode: &str) -> Self {
        let fixture = Self::start(|folder| json!({"fake": fake::entry(mode, folder)}));
        fixture.until("fake", |status| status.state == ServerState::Ready).await;
        fixture
    }

    pub(super) async fn until(&self, name: &str, fits: impl Fn(&ServerStatus) -> bool) -> ServerStatus {
        let is = |status: &ServerStatus| status.name == name && fits(status);
        let all = soon(self.servers.until(|all| all.iter().any(is))).await;
        all.into_iter().find(is).expect("it was waited for")
    }

    pub(super) async fn call(&self, tool: &str, arguments: Value) -> ToolResult {
        self.call_with(tool, arguments, &CancellationToken::new()).await.0
    }

    pub(super) async fn call_with(
        &self,
        tool: &str,
        arguments: Value,
        cancellation: &CancellationToken,
    ) -> (ToolResult, String) {
        let tool = self.registry.get(tool).expect("the tool is there");
        let output = Arc::<Output>::default();
        let context = context(&output, cancellation);
        let arguments: Map<String, Value> = serde_json::from_value(arguments).expect("an object");
        let result = soon(tool.tool().execute(&context, &arguments)).await;
        (result, output.text())
    }

    /// The calls that the server got, and what else it was told; not its lists.
    pub(super) fn calls(&self) -> Vec<String> {
        fake::told(self.folder.path()).into_iter().filter(|line| line != "list").collect()
    }

    /// How often its tools were listed.
    pub(super) fn lists(&self) -> usize {
        fake::told(self.folder.path()).into_iter().filter(|line| line == "list").count()
    }

    /// The names of the tools there are.
    pub(super) fn tools(&self) -> Vec<String> {
        self.registry.definitions().into_iter().map(|definition| definition.name).collect()
    }
}

/// The result that is this text.
pub(super) fn text(text: &str) -> ToolResult {
    ToolResult::success(ArtifactValue::Text(text.to_owned()))
}

/// What went wrong.
pub(super) fn failure(result: &ToolResult) -> (ErrorType, &str) {
    let failure = result.failure.as_ref().expect("it failed");
    (failure.error_type, &failure.message)
}
