//! Tools that tests of this and higher rooms run.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::BoxFuture;
use serde_json::{Map, Value, json};
use switchboard_protocol::{ErrorType, Risk, ToolDefinition};

use crate::text::preview_lines;
use crate::{Tool, ToolContext, ToolFailure, ToolResult, ToolSpec};
use switchboard_events::ArtifactValue;
use switchboard_workspace::Workspace;

/// A spec that takes any arguments.
pub fn spec(name: &str, risk: Risk) -> ToolSpec {
    let mut spec = ToolSpec::new(ToolDefinition {
        name: name.to_owned(),
        description: format!("The tool {name} of a test."),
        module: "tests".to_owned(),
        parameters: json!({"type": "object"}),
        output: None,
        example: json!({}),
        risk,
        examples: Vec::new(),
    });
    spec.time_limit = Duration::from_secs(60);
    spec
}

/// Gives its arguments back.
pub struct Echo {
    /// What it states.
    pub spec: ToolSpec,
}

#[async_trait]
impl Tool for Echo {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn preview(&self, _result: &ToolResult, _max_lines: usize) -> Vec<String> {
        vec!["echoed".to_owned()]
    }

    async fn execute(&self, _context: &ToolContext, arguments: &Map<String, Value>) -> ToolResult {
        ToolResult::success(ArtifactValue::Json(Value::Object(arguments.clone())))
    }
}

/// What a scripted tool does.
type Script = Box<dyn Fn(ToolContext, Map<String, Value>) -> BoxFuture<'static, ToolResult> + Send + Sync>;

/// Does what a test tells it to.
pub struct Scripted {
    spec: ToolSpec,
    script: Script,
}

impl Scripted {
    /// A tool that does this.
    pub fn tool<F>(
        spec: ToolSpec,
        script: impl Fn(ToolContext, Map<String, Value>) -> F + Send + Sync + 'static,
    ) -> Arc<dyn Tool>
    where
        F: Future<Output = ToolResult> + Send + 'static,
    {
        Arc::new(Self { spec, script: Box::new(move |context, arguments| Box::pin(script(context, arguments))) })
    }
}

#[async_trait]
impl Tool for Scripted {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn guard(&self, arguments: &Map<String, Value>) -> Result<(), ToolFailure> {
        match arguments.get("harm") {
            Some(Value::Bool(true)) => Err(ToolFailure::new(ErrorType::Security, "that would do harm")),
            _ => Ok(()),
        }
    }

    fn preview(&self, result: &ToolResult, max_lines: usize) -> Vec<String> {
        preview_lines(result.view.as_deref().unwrap_or("done"), max_lines)
    }

    async fn execute(&self, context: &ToolContext, arguments: &Map<String, Value>) -> ToolResult {
        (self.script)(context.clone(), arguments.clone()).await
    }
}

/// A workspace of its own; the folder goes with the first value.
pub fn workspace() -> (tempfile::TempDir, Arc<Workspace>) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let workspace = Workspace::open(folder.path(), &[]).expect("the folder is there");
    (folder, Arc::new(workspace))
}
