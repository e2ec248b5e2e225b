//! [`McpTool`]: a server's tool as a tool like any other.
//!
//! What a server says of its tools decides nothing unless the file says that the server is trusted: they ask.

use async_trait::async_trait;
use rmcp::model::{CallToolRequest, CallToolRequestParams, ClientRequest};
use serde_json::{Map, Value};
use switchboard_protocol::{Risk, ToolDefinition};

use super::caller::Caller;
use super::file::{ServerConfig, ServerTransport};
use super::names::{clean_schema, sanitized, tool_name};
use super::result::result_of;
use switchboard_context::get_variable_preview;
use switchboard_events::ArtifactValue;
use switchboard_tools::{Tool, ToolContext, ToolResult, ToolSpec, example_arguments, preview_lines};

/// The longest preview of a value that is not text, in characters.
const MAX_PREVIEW_CHARS: usize = 200;

/// A tool of an MCP server.
pub(super) struct McpTool {
    spec: ToolSpec,
    /// As the server calls it.
    name: String,
    title: Option<String>,
    caller: Caller,
}

impl McpTool {
    /// The tool, and whether its words hid something.
    ///
    /// # Errors
    /// Why it cannot be taken.
    pub(super) fn new(server: &ServerConfig, caller: &Caller, tool: rmcp::model::Tool) -> Result<(Self, bool), String> {
        let annotations = tool.annotations.unwrap_or_default();
        let (description, hidden) = sanitized(tool.description.as_deref().unwrap_or_default());
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
            example: example_arguments(&parameters),
            parameters,
            output,
            risk: risk(server, annotations.read_only_hint.unwrap_or_default()),
            examples: Vec::new(),
        };
        let mut spec = ToolSpec::new(definition);
        spec.repeatable = server.trusted && annotations.idempotent_hint.unwrap_or_default();
        spec.says_it_reads = annotations.read_only_hint.unwrap_or_default();
        spec.time_limit = caller.time_limit();
        let title = tool.title.or(annotations.title).map(|title| sanitized(&title).0).filter(|title| !title.is_empty());
        let name = tool.name.into_owned();
        Ok((Self { spec, name, title, caller: caller.clone() }, hidden))
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
        preview(result, max_lines)
    }

    async fn execute(&self, context: &ToolContext, arguments: &Map<String, Value>) -> ToolResult {
        let params = CallToolRequestParams::new(self.name.clone()).with_arguments(arguments.clone());
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        let harmless = self.spec.repeatable || self.spec.definition.risk == Risk::Read;
        match self.caller.call(request, harmless, context).await {
            Ok(answer) => result_of(answer, &context.call_id),
            Err(failure) => failure.into(),
        }
    }
}

/// Lines about what a server answered.
pub(super) fn preview(result: &ToolResult, max_lines: usize) -> Vec<String> {
    match (&result.view, &result.value) {
        (Some(text), _) | (None, Some(ArtifactValue::Text(text))) => preview_lines(text, max_lines),
        (None, Some(value)) => preview_lines(&get_variable_preview(value, MAX_PREVIEW_CHARS), max_lines),
        (None, None) => Vec::new(),
    }
}

/// What something of this server may do; that it only reads is believed of servers that are trusted.
pub(super) fn risk(server: &ServerConfig, says_it_reads: bool) -> Risk {
    match &server.transport {
        _ if server.trusted && says_it_reads => Risk::Read,
        ServerTransport::Http(_) => Risk::Network,
        ServerTransport::Stdio(_) => Risk::Execute,
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

#[cfg(test)]
#[path = "adapter_tests.rs"]
mod tests;
