//! `GET /api/tools`: what the agent can do, and what it would find for a request.

use axum::Json;
use axum::extract::State;
use axum::http::Uri;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use switchboard_protocol::{FunctionTool, Risk, SandboxState, ToolDefinition};

use super::ApiState;
use super::error::Problem;
use super::query::Query;

/// The longest request to search for, in characters.
pub(super) const MAX_QUERY_CHARS: usize = 1000;

/// How many tools are given at most, and how many a search gives if nothing is said.
pub(super) const LIMIT: (u64, u64) = (1000, 10);

/// Tools.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ToolList {
    /// By name; in a search, the best first.
    tools: Vec<CatalogueTool>,
    /// Files of your own tools that are skipped, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<String>,
    /// What confines the commands that tools of the risk `execute` run.
    sandbox: SandboxState,
}

/// A tool: as providers take it, and what else is known of it.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct CatalogueTool {
    /// Its name.
    name: String,
    /// The module it belongs to.
    module: String,
    /// What running it may do.
    risk: Risk,
    /// `{"type": "function", "function": …}`
    #[serde(flatten)]
    function: FunctionTool,
    /// JSON Schema of its value.
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<Value>,
    /// Arguments of an example call.
    example: Value,
    /// In a search: how well it fits, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<f64>,
    /// In a search: which words matched.
    #[serde(skip_serializing_if = "Option::is_none")]
    reasons: Option<Vec<String>>,
}

/// Lists or searches.
pub(super) async fn list(State(state): State<ApiState>, uri: Uri) -> Result<Json<ToolList>, Problem> {
    let parameters = Query::of(&uri, &["query", "limit"])?;
    let limit = parameters.number("limit", 1..=LIMIT.0)?;
    let query = parameters.text("query").filter(|query| !query.trim().is_empty());
    if query.is_some_and(|query| query.chars().count() > MAX_QUERY_CHARS) {
        let problem = Problem::bad_request("query", format!("the query has more than {MAX_QUERY_CHARS} characters"));
        return Err(problem.suggest("say it in fewer words"));
    }
    let size = |default| usize::try_from(limit.unwrap_or(default)).unwrap_or(usize::MAX);
    let services = state.sessions.services();
    let tools = match query {
        None => services.registry.definitions().into_iter().take(size(LIMIT.0)).map(listed).collect(),
        Some(query) => {
            let found = services.index.find(query, size(LIMIT.1), 0.0).await.into_iter();
            let tools = found.filter_map(|found| {
                let tool = listed(services.registry.get(&found.name)?.spec().definition.clone());
                Some(CatalogueTool { confidence: Some(found.confidence), reasons: Some(found.reasons), ..tool })
            });
            tools.collect()
        }
    };
    Ok(Json(ToolList { tools, problems: services.registry.problems(), sandbox: services.sandbox }))
}

fn listed(tool: ToolDefinition) -> CatalogueTool {
    let function = FunctionTool::from(&tool);
    let ToolDefinition { name, module, risk, output, example, .. } = tool;
    CatalogueTool { name, module, risk, function, output, example, confidence: None, reasons: None }
}
