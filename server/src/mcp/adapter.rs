//! [`McpTool`]: a server's tool as a tool like any other.
//!
//! What a server says of its tools decides nothing unless the file says that the server is trusted: they ask. A call is
//! sent once. When the server is gone before it answers, what it did is unknown, and the result says so.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use rmcp::ServiceError;
use rmcp::model::{ErrorCode, ProgressNotificationParam, ServerResult, ToolAnnotations};
use rmcp::service::{RequestHandle, RoleClient};
use serde_json::{Map, Value, json};
use switchboard_protocol::{ErrorType, Risk, Stream, ToolDefinition};
use tokio::time::{Instant, sleep_until, timeout};

use super::client::{Connection, Limits, ends_connection, error_text};
use super::file::{Door, ServerConfig};
use super::names::{clean_schema, cleaned, tool_name};
use super::result::result_of;
use crate::context::get_variable_preview;
use crate::events::ArtifactValue;
use crate::tools::{Tool, ToolContext, ToolFailure, ToolResult, ToolSpec, preview_lines};

/// How long telling a server that a call is cancelled may take.
const CANCEL_LIMIT: Duration = Duration::from_secs(1);

/// What the manager gives beyond the limits that are kept here, so that the better message wins.
const SLACK: Duration = Duration::from_secs(5);

/// The longest preview of a value that is no text, in characters.
const MAX_PREVIEW_CHARS: usize = 200;

/// A tool of an MCP server.
pub(super) struct McpTool {
    spec: ToolSpec,
    /// As the server calls it.
    name: String,
    title: Option<String>,
    server: String,
    connection: Arc<Connection>,
    patience: Duration,
    total: Duration,
}

impl McpTool {
    /// The tool, and whether its words hid something.
    ///
    /// # Errors
    /// Why it cannot be taken.
    pub(super) fn new(
        server: &ServerConfig,
        limits: &Limits,
        connection: &Arc<Connection>,
        tool: rmcp::model::Tool,
    ) -> Result<(Self, bool), String> {
        let annotations = tool.annotations.unwrap_or_default();
        let (description, hidden) = cleaned(tool.description.as_deref().unwrap_or_default());
        let mut parameters = Value::Object(tool.input_schema.as_ref().clone());
        let mut output = tool.output_schema.map(|schema| Value::Object(schema.as_ref().clone()));
        let mut hidden = hidden | clean_schema(&mut parameters)?;
        if let Some(output) = &mut output {
            hidden |= clean_schema(output)?;
        }
        normalise_schema(&mut parameters);
        let definition = ToolDefinition {
            name: tool_name(&server.id, &tool.name)?,
            description,
            module: server.id.clone(),
            example: example(&parameters),
            parameters,
            output,
            risk: risk(server, &annotations),
        };
        let patience = server.patience.unwrap_or(limits.patience);
        let total = limits.total.max(patience);
        let mut spec = ToolSpec::new(definition);
        spec.repeatable = server.trusted && annotations.idempotent_hint.unwrap_or_default();
        spec.time_limit = total + SLACK;
        let title = tool.title.or(annotations.title).map(|title| cleaned(&title).0).filter(|title| !title.is_empty());
        let name = tool.name.into_owned();
        let connection = Arc::clone(connection);
        Ok((Self { spec, name, title, server: server.name.clone(), connection, patience, total }, hidden))
    }

    /// Waits for the answer, passing progress on.
    async fn answer(&self, mut handle: RequestHandle<RoleClient>, context: &ToolContext) -> ToolResult {
        let watch = &self.connection.watch;
        let mut progress = watch.progress(&handle.progress_token);
        let until = Instant::now() + self.total;
        let mut silent_until = Instant::now() + self.patience;
        let failure = loop {
            tokio::select! {
                biased;
                answer = &mut handle.rx => {
                    while let Ok(report) = progress.reports.try_recv() {
                        context.output.chunk(Stream::Progress, &line(&report));
                    }
                    return self.answered(answer.unwrap_or(Err(ServiceError::TransportClosed)));
                }
                Some(report) = progress.reports.recv() => {
                    context.output.chunk(Stream::Progress, &line(&report));
                    silent_until = Instant::now() + self.patience;
                }
                () = context.cancellation.cancelled() => {
                    break ToolFailure::new(ErrorType::User, "was cancelled");
                }
                () = watch.ended() => return self.lost(&watch.reason().unwrap_or_default()).into(),
                () = sleep_until(until.min(silent_until)) => break self.too_slow(until <= silent_until),
            }
        };
        let reason = Some(failure.message.clone());
        if timeout(CANCEL_LIMIT, handle.cancel(reason)).await.is_err() {
            tracing::debug!("MCP server {} could not be told that a call was cancelled", self.server);
        }
        failure.into()
    }

    fn answered(&self, answer: Result<ServerResult, ServiceError>) -> ToolResult {
        match answer {
            Ok(answer) => result_of(answer),
            Err(ServiceError::McpError(error)) => refused(&error).into(),
            Err(error) => {
                let watch = &self.connection.watch;
                if ends_connection(&error) {
                    watch.end(&error_text(&error));
                }
                self.lost(&watch.reason().unwrap_or_else(|| error_text(&error))).into()
            }
        }
    }

    /// No answer comes any more, and nobody knows what the server did.
    fn lost(&self, why: &str) -> ToolFailure {
        let server = &self.server;
        let message = format!("the MCP server {server} did not answer: {why}");
        if self.spec.repeatable || self.spec.definition.risk == Risk::Read {
            let next = "It is started again by itself if it is gone; try once more in a moment.";
            return ToolFailure::new(ErrorType::System, message).suggesting(next);
        }
        let message = format!("{message}; whether it did what was asked is not known");
        let next = "Look at what is there before this is done again, or ask the user. Nothing is sent again by itself.";
        ToolFailure::new(ErrorType::System, message).suggesting(next)
    }

    fn too_slow(&self, in_all: bool) -> ToolFailure {
        let message = match in_all {
            true => format!("took longer than {} s", self.total.as_secs_f64()),
            false => format!("gave no sign of life for {} s", self.patience.as_secs_f64()),
        };
        ToolFailure::new(ErrorType::Timeout, message)
            .suggesting("Ask for less at once, or give the server a longer \"timeout\" in the file of MCP servers.")
    }
}

#[async_trait]
impl Tool for McpTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn title(&self, _arguments: &Map<String, Value>) -> Option<String> {
        self.title.clone()
    }

    fn preview(&self, result: &ToolResult, max_lines: usize) -> Vec<String> {
        match (&result.view, &result.value) {
            (Some(text), _) | (None, Some(ArtifactValue::Text(text))) => preview_lines(text, max_lines),
            (None, Some(value)) => preview_lines(&get_variable_preview(value, MAX_PREVIEW_CHARS), max_lines),
            (None, None) => Vec::new(),
        }
    }

    async fn execute(&self, context: &ToolContext, arguments: &Map<String, Value>) -> ToolResult {
        match self.connection.call(&self.name, arguments.clone()).await {
            Ok(handle) => self.answer(handle, context).await,
            Err(reason) => {
                let message = format!("the MCP server {} is not there ({reason}); nothing was sent", self.server);
                ToolFailure::new(ErrorType::System, message)
                    .suggesting("It is started again by itself; try once more in a moment. `/mcp` shows its state.")
                    .into()
            }
        }
    }
}

/// The server understood, and says no.
fn refused(error: &rmcp::ErrorData) -> ToolFailure {
    let (message, _) = cleaned(&error.message);
    let message = if message.is_empty() { format!("the server answered with error {}", error.code.0) } else { message };
    let wrong_arguments = error.code == ErrorCode::INVALID_PARAMS;
    ToolFailure::new(if wrong_arguments { ErrorType::Validation } else { ErrorType::System }, message)
}

fn risk(server: &ServerConfig, annotations: &ToolAnnotations) -> Risk {
    match &server.door {
        _ if server.trusted && annotations.read_only_hint == Some(true) => Risk::Read,
        Door::Url(_) => Risk::Network,
        Door::Command(_) => Risk::Execute,
    }
}

/// What servers leave out, and a dialect that nobody knows.
fn normalise_schema(schema: &mut Value) {
    let Value::Object(schema) = schema else { return };
    schema.entry("type").or_insert_with(|| "object".into());
    let known = |dialect: &str| dialect.contains("json-schema.org/") && !dialect.contains("hyper-schema");
    if !schema.get("$schema").is_none_or(|dialect| dialect.as_str().is_some_and(known)) {
        schema.remove("$schema");
    }
}

/// Arguments that a call could have: what must be there.
fn example(parameters: &Value) -> Value {
    let names = parameters["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let example: Map<String, Value> =
        names.map(|name| (name.to_owned(), example_value(&parameters["properties"][name]))).collect();
    Value::Object(example)
}

fn example_value(schema: &Value) -> Value {
    let given = [&schema["default"], &schema["examples"][0], &schema["enum"][0], &schema["const"]];
    if let Some(given) = given.into_iter().find(|value| !value.is_null()) {
        return given.clone();
    }
    let kind = schema["type"].as_str().or_else(|| schema["type"][0].as_str());
    match kind {
        Some("number" | "integer") => json!(1),
        Some("boolean") => json!(true),
        Some("array") => json!([]),
        Some("object") => json!({}),
        Some("null") => Value::Null,
        _ => json!("…"),
    }
}

/// A report of progress, as a line.
fn line(report: &ProgressNotificationParam) -> String {
    let how_far = match report.total {
        Some(total) => format!("{} of {total}", report.progress),
        None => report.progress.to_string(),
    };
    match report.message.as_deref().map(|message| cleaned(message).0).filter(|message| !message.is_empty()) {
        Some(message) => format!("{message} ({how_far})\n"),
        None => format!("{how_far}\n"),
    }
}

#[cfg(test)]
#[path = "adapter_tests.rs"]
mod tests;
