//! What the manager's tests work at: a manager with tools of the test's own, and a session in memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Map, Value, json};
use switchboard_protocol::{CallId, ErrorType, MessageId, Risk, ServerMessage};
use tokio_util::sync::CancellationToken;

use super::{Scripted, TestHost, spec, workspace};
use crate::{
    ApproveMode, CallHost, CallOutcome, Invocation, Policy, Tool, ToolManager, ToolManagerConfig, ToolRegistry,
    ToolResult,
};
use switchboard_accounts::Principal;
use switchboard_events::{ArtifactValue, RecordError, Recorder};
use switchboard_runtime::Shutdown;

/// A manager, and the session that it works for.
pub struct TestManager {
    /// The manager.
    pub manager: ToolManager,
    /// The session.
    pub host: TestHost,
    turn: MessageId,
    folder: tempfile::TempDir,
}

/// A manager of these tools in this mode.
pub fn manager(mode: ApproveMode, tools: impl IntoIterator<Item = Arc<dyn Tool>>) -> TestManager {
    let registry = Arc::new(ToolRegistry::new());
    for tool in tools {
        registry.insert(tool).expect("a new name and a usable schema");
    }
    let (folder, workspace) = workspace();
    let manager = ToolManager::new(ToolManagerConfig {
        registry,
        policy: Arc::new(Policy::new(mode)),
        workspace,
        principal: Principal::local(),
        shutdown: Shutdown::new(),
        checkpoints: None,
    });
    TestManager { manager, host: TestHost::default(), turn: "m1".to_owned(), folder }
}

impl TestManager {
    /// The workspace's folder.
    pub fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }

    /// A call that is recorded.
    pub async fn call(&self, tool: &str, arguments: Value) -> CallOutcome {
        self.call_with(tool, arguments, |_| {}).await
    }

    /// A call that is changed before it is made.
    pub async fn call_with(&self, tool: &str, arguments: Value, change: impl Fn(&mut Invocation<'_>)) -> CallOutcome {
        self.try_call(tool, arguments, change).await.expect("the host records everything")
    }

    /// As [`Self::call_with`]; an error when the session takes no records.
    pub async fn try_call(
        &self,
        tool: &str,
        arguments: Value,
        change: impl Fn(&mut Invocation<'_>),
    ) -> Result<CallOutcome, RecordError> {
        let context = self.host.variables();
        let mut invocation = Invocation {
            call_id: CallId::random(),
            parent: None,
            turn_id: Some(&self.turn),
            tool,
            within: None,
            reply: None,
            arguments: map(arguments),
            output: None,
            request: "do it",
            by_user: false,
            answered: None,
            sees_pictures: false,
            context: &context,
            cancellation: CancellationToken::new(),
        };
        change(&mut invocation);
        self.manager.call(invocation, &self.host).await
    }

    /// Sets a variable as the user does.
    pub async fn store(&self, name: &str, value: Value) {
        let origin = switchboard_context::user_origin();
        let name = switchboard_context::OutputName::Given(name.to_owned());
        let variables = self.host.variables();
        let planned = variables.plan_set(self.host.values(), &name, ArtifactValue::Json(value), origin);
        let (_, change) = planned.expect("a good name and value");
        self.host.record(change.into_event(None), false).await.expect("the host records everything");
    }

    /// The types of the recorded frames, in order.
    pub fn kinds(&self) -> Vec<String> {
        let kind = |message: &ServerMessage| {
            let json = serde_json::to_value(message).expect("a frame is JSON");
            json["type"].as_str().expect("a frame has a type").to_owned()
        };
        self.host.messages().iter().map(kind).collect()
    }
}

/// The arguments of a call.
pub fn map(value: Value) -> Map<String, Value> {
    serde_json::from_value(value).expect("an object")
}

/// A tool that gives its arguments back.
pub fn echo(name: &str, risk: Risk) -> Arc<dyn Tool> {
    Scripted::tool(spec(name, risk), |_, arguments| async move {
        ToolResult::success(ArtifactValue::Json(Value::Object(arguments)))
    })
}

/// A tool that counts its runs, and works or does not.
pub fn counting(name: &str, risk: Risk, works: bool) -> (Arc<AtomicU32>, Arc<dyn Tool>) {
    let runs = Arc::new(AtomicU32::new(0));
    let counter = Arc::clone(&runs);
    let tool = Scripted::tool(spec(name, risk), move |_, _| {
        let run = counter.fetch_add(1, Ordering::SeqCst) + 1;
        async move {
            if works {
                ToolResult::success(ArtifactValue::Json(json!(run)))
            } else {
                ToolResult::failure(ErrorType::User, "it is not there")
            }
        }
    });
    (runs, tool)
}

/// What failed.
pub fn failure(outcome: &CallOutcome) -> (ErrorType, String) {
    let failure = outcome.result.failure.clone().expect("it failed");
    (failure.error_type, failure.message)
}

/// What to do next.
pub fn suggestion(outcome: &CallOutcome) -> String {
    let failure = outcome.result.failure.clone().expect("it failed");
    failure.suggestion.expect("it says what to do next")
}
