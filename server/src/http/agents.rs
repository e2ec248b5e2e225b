//! `/api/agents`: the agents and switching specialists; `/api/tools/usage`: how often tools and specialists were called.
//! Both belong to the server and not to a session.

use axum::Json;
use axum::extract::{Request, State};
use axum::http::{StatusCode, Uri};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ApiState;
use super::body::JsonBody;
use super::error::Problem;
use super::path::AgentPath;
use super::query::Query;
use super::rights::EveryRight;
use switchboard_agent::AgentStatus;
use switchboard_tools::ToolUsage;

/// The agents.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct AgentList {
    /// By id.
    agents: Vec<AgentSummary>,
    /// What is wrong with files that were skipped.
    problems: Vec<String>,
}

/// One agent.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct AgentSummary {
    /// Its name as a tool.
    id: String,
    /// Its name for people.
    name: String,
    /// What other agents read to choose it.
    description: String,
    /// The file that it is from.
    file: String,
    /// The model of its own, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    /// The provider of that model, if it names one.
    #[serde(skip_serializing_if = "Option::is_none")]
    provider: Option<String>,
    /// Whether it runs the sessions; then it is not a tool.
    is_primary: bool,
    /// Whether it is switched on.
    enabled: bool,
    /// Whether other agents have it as a tool now.
    available: bool,
    /// Why not, though it is switched on.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    /// What is amiss all the same: tools in its file that do not exist, and what it cannot do.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

/// The body of `POST /api/agents/{agent}`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AgentSwitch {
    /// Whether it is on from now on, until the server stops.
    enabled: bool,
}

/// How often tools were called.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct UsageList {
    /// By name; specialists are of the module `agents`.
    tools: Vec<UsageEntry>,
}

/// How often one tool has been called, over restarts of the server.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct UsageEntry {
    /// Its name.
    tool: String,
    /// Its module.
    module: String,
    /// Calls that ran.
    calls: u64,
    /// Those of them that failed.
    failures: u64,
    /// When the latest one ended, RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_used: Option<String>,
    /// How long half of the latest 200 calls took at most, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    p50_ms: Option<u64>,
    /// How long 99 of 100 of them took at most, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    p99_ms: Option<u64>,
    /// Tokens that a specialist's models were sent.
    input_tokens: u64,
    /// Tokens that they answered with.
    output_tokens: u64,
}

/// `GET /api/agents`.
pub(super) async fn list(State(state): State<ApiState>, uri: Uri) -> Result<Json<AgentList>, Problem> {
    Query::of(&uri, &[])?;
    Ok(Json(listed(&state)))
}

/// `POST /api/agents/{agent}`.
pub(super) async fn switch(
    State(state): State<ApiState>,
    _: EveryRight,
    AgentPath(agent): AgentPath,
    request: Request,
) -> Result<Json<AgentList>, Problem> {
    Query::of(request.uri(), &[])?;
    let JsonBody(AgentSwitch { enabled }) = JsonBody::from(request).await?;
    let switched = state.sessions.services().agents.switch(&agent, enabled);
    switched.map_err(|why| Problem::new(StatusCode::NOT_FOUND, why).suggest("GET /api/agents lists them"))?;
    Ok(Json(listed(&state)))
}

/// `GET /api/tools/usage`.
pub(super) async fn usage(State(state): State<ApiState>, uri: Uri) -> Result<Json<UsageList>, Problem> {
    Query::of(&uri, &[])?;
    let entry = |usage: ToolUsage| {
        let ToolUsage { tool, module, calls, failures, last_used, p50_ms, p99_ms, input_tokens, output_tokens } = usage;
        UsageEntry { tool, module, calls, failures, last_used, p50_ms, p99_ms, input_tokens, output_tokens }
    };
    Ok(Json(UsageList { tools: state.sessions.services().registry.usage().into_iter().map(entry).collect() }))
}

fn listed(state: &ApiState) -> AgentList {
    let (agents, problems) = state.sessions.services().agents.list();
    AgentList { agents: agents.into_iter().map(summary).collect(), problems }
}

fn summary(status: AgentStatus) -> AgentSummary {
    let AgentStatus { definition, file, enabled, available, problem, warnings } = status;
    AgentSummary {
        description: definition.tool().description,
        id: definition.id,
        name: definition.name,
        model: definition.model,
        provider: definition.provider,
        file,
        is_primary: definition.is_primary,
        enabled,
        available,
        problem,
        warnings,
    }
}
