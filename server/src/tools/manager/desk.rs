//! What the manager's tests work at: a manager with tools of the test's own, and a session in memory.

use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::json;
use switchboard_protocol::{ErrorType, Risk, ServerMessage};

use super::*;
use crate::events::{ArtifactValue, Recorder};
use crate::tools::Tool;
use crate::tools::policy::ApproveMode;
use crate::tools::test_host::TestHost;
use crate::tools::test_tools::{Scripted, spec, workspace};

pub(in crate::tools) struct Desk {
    pub(in crate::tools) manager: ToolManager,
    pub(in crate::tools) host: TestHost,
    turn: MessageId,
    folder: tempfile::TempDir,
}

pub(in crate::tools) fn desk(mode: ApproveMode, tools: impl IntoIterator<Item = Arc<dyn Tool>>) -> Desk {
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
    });
    Desk { manager, host: TestHost::default(), turn: "m1".to_owned(), folder }
}

impl Desk {
    /// The workspace's folder.
    pub(in crate::tools) fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }

    pub(in crate::tools) async fn call(&self, tool: &str, arguments: Value) -> CallOutcome {
        self.call_with(tool, arguments, |_| {}).await
    }

    pub(in crate::tools) async fn call_with(
        &self,
        tool: &str,
        arguments: Value,
        change: impl Fn(&mut Invocation<'_>),
    ) -> CallOutcome {
        self.try_call(tool, arguments, change).await.expect("the host records everything")
    }

    pub(in crate::tools) async fn try_call(
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
            arguments: map(arguments),
            output: None,
            request: "do it",
            by_user: false,
            context: &context,
            cancellation: CancellationToken::new(),
        };
        change(&mut invocation);
        self.manager.call(invocation, &self.host).await
    }

    pub(in crate::tools) async fn store(&self, name: &str, value: Value) {
        let origin = crate::context::user_origin();
        let name = crate::context::OutputName::Given(name.to_owned());
        let variables = self.host.variables();
        let planned = variables.plan_set(self.host.values(), &name, ArtifactValue::Json(value), origin);
        let (_, change) = planned.expect("a good name and value");
        self.host.record(change.into_event(None), false).await.expect("the host records everything");
    }

    pub(in crate::tools) fn kinds(&self) -> Vec<String> {
        let kind = |message: &ServerMessage| {
            let json = serde_json::to_value(message).expect("a frame is JSON");
            json["type"].as_str().expect("a frame has a type").to_owned()
        };
        self.host.messages().iter().map(kind).collect()
    }
}

pub(in crate::tools) fn map(value: Value) -> Map<String, Value> {
    serde_json::from_value(value).expect("an object")
}

pub(in crate::tools) fn echo(name: &str, risk: Risk) -> Arc<dyn Tool> {
    Scripted::tool(spec(name, risk), |_, arguments| async move {
        ToolResult::success(ArtifactValue::Json(Value::Object(arguments)))
    })
}

pub(in crate::tools) fn counting(name: &str, risk: Risk, works: bool) -> (Arc<AtomicU32>, Arc<dyn Tool>) {
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

pub(in crate::tools) fn failure(outcome: &CallOutcome) -> (ErrorType, String) {
    let failure = outcome.result.failure.clone().expect("it failed");
    (failure.error_type, failure.message)
}

pub(in crate::tools) fn suggestion(outcome: &CallOutcome) -> String {
    let failure = outcome.result.failure.clone().expect("it failed");
    failure.suggestion.expect("it says what to do next")
}
