//! `GET /api/mcp`: the MCP servers and their state. They belong to the server and not to a session, so every client
//! that is let in sees the same; what may be a key is never in it.

use axum::Json;
use axum::extract::State;
use axum::http::Uri;
use schemars::JsonSchema;
use serde::Serialize;

use super::ApiState;
use super::error::Problem;
use super::query::Query;
use switchboard_mcp::{ServerState, ServerStatus};

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

/// Lists them.
pub(super) async fn list(State(state): State<ApiState>, uri: Uri) -> Result<Json<McpServerList>, Problem> {
    Query::of(&uri, &[])?;
    let servers = state.sessions.services().mcp.list();
    Ok(Json(McpServerList { servers: servers.into_iter().map(McpServer::from).collect() }))
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
                ServerState::Disabled => McpState::Disabled,
            },
            about: status.about,
            tools: status.tools,
            changed: changed
                .map(|changed| McpChangedTool { tool: changed.tool, before: changed.before, now: changed.now })
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
