//! `GET /api/mcp`: the MCP servers and their state; `POST /api/mcp/{server}` switches one on or off and approves its tools.
//! They belong to the server and not to a session, so every client that is let in sees the same; what may be a key is
//! never in it.

use std::time::Duration;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::{StatusCode, Uri};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::time::timeout;

use super::ApiState;
use super::body::JsonBody;
use super::error::Problem;
use super::path::McpPath;
use super::query::Query;
use super::rights::EveryRight;
use switchboard_mcp::{ServerState, ServerStatus};

/// How long an approval waits for the tool to be back, so that the answer shows it.
const BACK_SOON: Duration = Duration::from_secs(2);

/// MCP servers.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct McpServerList {
    /// By name.
    servers: Vec<McpServer>,
}

/// One MCP server.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct McpServer {
    /// As the file names it.
    name: String,
    /// How it is reached.
    transport: McpTransport,
    /// The command or the address, as the file has it.
    address: String,
    /// Its state.
    state: McpState,
    /// What it calls itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    about: Option<String>,
    /// Its tools, by their names here.
    tools: Vec<String>,
    /// Tools that are held back, because they are no longer what was approved.
    changed: Vec<McpChangedTool>,
    /// Its prompts.
    prompts: Vec<McpPrompt>,
    /// What was skipped of what it offers, and why.
    notes: Vec<String>,
    /// Why it failed last.
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<String>,
    /// In how many milliseconds it is restarted.
    #[serde(skip_serializing_if = "Option::is_none")]
    again_in_ms: Option<u64>,
    /// How often it has been started.
    starts: u32,
    /// The last lines of its standard error.
    last_words: Vec<String>,
}

/// How a server is reached.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum McpTransport {
    /// Standard input and output of a command.
    Stdio,
    /// Streamable HTTP.
    Http,
}

/// The state of a server.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum McpState {
    /// It is starting.
    Starting,
    /// Its tools are available.
    Ready,
    /// It failed and will be restarted soon.
    Failed,
    /// It was stopped.
    Stopped,
    /// The user has switched it off.
    Off,
    /// The file turns it off.
    Disabled,
}

/// A tool that is held back.
#[derive(Debug, Serialize, JsonSchema)]
struct McpChangedTool {
    /// Its name here.
    tool: String,
    /// Its description when it was approved.
    before: String,
    /// Its description now.
    now: String,
    /// The SHA-256 of the definition it has now, which an approval names.
    definition: String,
}

/// A prompt, which is sent by a command.
#[derive(Debug, Serialize, JsonSchema)]
struct McpPrompt {
    /// The command, without the slash.
    command: String,
    /// How it is written.
    usage: String,
    /// What it is for.
    description: String,
}

/// The body of `POST /api/mcp/{server}`: one of the two.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) enum McpChange {
    /// Whether it is on from now on, over restarts too.
    Enabled(bool),
    /// The `definition` of a tool that is held back, which is approved.
    Approve(String),
}

/// Lists them.
pub(super) async fn list(State(state): State<ApiState>, uri: Uri) -> Result<Json<McpServerList>, Problem> {
    Query::of(&uri, &[])?;
    Ok(Json(listed(&state)))
}

/// Switches one on or off, or approves a tool of it.
pub(super) async fn change(
    State(state): State<ApiState>,
    _: EveryRight,
    McpPath(server): McpPath,
    request: Request,
) -> Result<Json<McpServerList>, Problem> {
    Query::of(request.uri(), &[])?;
    let JsonBody(change) = JsonBody::<McpChange>::from(request).await?;
    let mcp = &state.sessions.services().mcp;
    match change {
        McpChange::Enabled(on) => {
            if !mcp.switch(&server, on).await.map_err(|error| Problem::internal(&error))? {
                let unknown = Problem::not_found("the file of MCP servers has no such server, or turns it off itself");
                return Err(unknown.in_field("server").suggest("GET /api/mcp lists them"));
            }
        }
        McpChange::Approve(definition) => {
            let Some(tool) = mcp.approve_definition(&server, &definition) else {
                let other =
                    Problem::new(StatusCode::CONFLICT, "no tool of this server is held back with this definition");
                return Err(other.in_field("approve").suggest("GET /api/mcp shows the definitions as they are now"));
            };
            let is_back = |status: &ServerStatus| status.name == server && status.tools.contains(&tool);
            let _ = timeout(BACK_SOON, mcp.until(|all| all.iter().any(is_back))).await;
        }
    }
    Ok(Json(listed(&state)))
}

fn listed(state: &ApiState) -> McpServerList {
    let servers = state.sessions.services().mcp.list();
    McpServerList { servers: servers.into_iter().map(McpServer::from).collect() }
}

impl From<ServerStatus> for McpServer {
    fn from(status: ServerStatus) -> Self {
        let again_in = status.again_in();
        let last_words = status.last_words();
        let changed = status.changed.into_iter();
        let prompts = status.prompts.into_iter();
        Self {
            name: status.name,
            transport: if status.by_http { McpTransport::Http } else { McpTransport::Stdio },
            address: status.address,
            state: match status.state {
                ServerState::Starting => McpState::Starting,
                ServerState::Ready => McpState::Ready,
                ServerState::Waiting => McpState::Failed,
                ServerState::Stopped => McpState::Stopped,
                ServerState::Off => McpState::Off,
                ServerState::Disabled => McpState::Disabled,
            },
            about: status.about,
            tools: status.tools,
            changed: changed
                .map(|changed| McpChangedTool {
                    definition: changed.definition().to_owned(),
                    tool: changed.tool,
                    before: changed.before,
                    now: changed.now,
                })
                .collect(),
            prompts: prompts
                .map(|prompt| McpPrompt {
                    usage: prompt.usage(),
                    command: prompt.command,
                    description: prompt.description,
                })
                .collect(),
            notes: status.notes,
            fault: status.fault,
            again_in_ms: again_in.map(|left| u64::try_from(left.as_millis()).unwrap_or(u64::MAX)),
            starts: status.starts,
            last_words,
        }
    }
}
