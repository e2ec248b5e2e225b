//! A server's resources: one tool that lists them and one that reads one by its URI. What is read becomes a value like
//! any other; a URI is only ever given back to the server it is asked of, and never opened here.

use std::sync::Arc;

use async_trait::async_trait;
use rmcp::model::{
    ClientRequest, ListResourceTemplatesRequest, ListResourcesRequest, PaginatedRequestParams, ReadResourceRequest,
    ReadResourceRequestParams, ServerResult,
};
use serde_json::{Map, Value, json};
use switchboard_protocol::{ErrorType, Risk, ToolDefinition};

use super::adapter::{preview, risk};
use super::caller::Caller;
use super::file::ServerConfig;
use super::names::sanitized;
use super::result::of_contents;
use switchboard_events::ArtifactValue;
use switchboard_tools::{Tool, ToolContext, ToolFailure, ToolResult, ToolSpec};

/// How many pages of resources are asked for.
const MAX_PAGES: usize = 20;

/// How many resources are listed.
const MAX_RESOURCES: usize = 1000;

/// The two tools of a server that has resources.
pub(super) fn tools(server: &ServerConfig, caller: &Caller) -> [Arc<dyn Tool>; 2] {
    [
        Arc::new(ListResources { spec: list_spec(server, caller), caller: caller.clone() }),
        Arc::new(ReadResource { spec: read_spec(server, caller), caller: caller.clone() }),
    ]
}

fn spec(server: &ServerConfig, caller: &Caller, name: &str, description: String, parameters: Value) -> ToolSpec {
    let example = if parameters["required"].is_array() { json!({"uri": "demo://one"}) } else { json!({}) };
    let mut spec = ToolSpec::new(ToolDefinition {
        name: format!("{}__{name}", server.id),
        description,
        module: server.id.clone(),
        parameters,
        output: None,
        example,
        risk: risk(server, true),
        examples: Vec::new(),
    });
    spec.repeatable = server.trusted;
    spec.time_limit = caller.time_limit();
    spec
}

fn list_spec(server: &ServerConfig, caller: &Caller) -> ToolSpec {
    let description = format!("List the resources that the MCP server {} has, with their URIs.", server.name);
    spec(server, caller, "list_resources", description, json!({"type": "object", "additionalProperties": false}))
}

fn read_spec(server: &ServerConfig, caller: &Caller) -> ToolSpec {
    let (name, id) = (&server.name, &server.id);
    let description = format!("Read a resource of the MCP server {name} by its URI; {id}__list_resources lists them.");
    let uri = json!({"type": "string", "minLength": 1, "maxLength": 4096, "description": "The resource's URI."});
    let parameters =
        json!({"type": "object", "properties": {"uri": uri}, "required": ["uri"], "additionalProperties": false});
    spec(server, caller, "read_resource", description, parameters)
}

/// Lists what there is.
struct ListResources {
    spec: ToolSpec,
    caller: Caller,
}

#[async_trait]
impl Tool for ListResources {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn preview(&self, result: &ToolResult, max_lines: usize) -> Vec<String> {
        preview(result, max_lines)
    }

    async fn execute(&self, context: &ToolContext, _arguments: &Map<String, Value>) -> ToolResult {
        let mut found = Vec::new();
        for templates in [false, true] {
            if let Err(failure) = self.list(templates, context, &mut found).await {
                // Many servers have no templates and say so by an error.
                if !templates {
                    return failure.into();
                }
            }
        }
        let left_out = found.len().saturating_sub(MAX_RESOURCES);
        found.truncate(MAX_RESOURCES);
        let mut lines: Vec<String> = found.iter().map(line).collect();
        if left_out > 0 {
            lines.push(format!("… {left_out} more are left out here"));
        }
        let view = if lines.is_empty() { "There are no resources.".to_owned() } else { lines.join("\n") };
        ToolResult::success(ArtifactValue::Json(Value::Array(found))).with_view(view)
    }
}

impl ListResources {
    async fn list(&self, templates: bool, context: &ToolContext, found: &mut Vec<Value>) -> Result<(), ToolFailure> {
        let mut cursor = None;
        for _ in 0..MAX_PAGES {
            let params = PaginatedRequestParams::default().with_cursor(cursor.take());
            let request = if templates {
                ClientRequest::ListResourceTemplatesRequest(ListResourceTemplatesRequest::with_param(params))
            } else {
                ClientRequest::ListResourcesRequest(ListResourcesRequest::with_param(params))
            };
            let harmless = true;
            match self.caller.call(request, harmless, context).await? {
                ServerResult::ListResourcesResult(page) => {
                    found.extend(page.resources.iter().map(|resource| described(resource, "uri")));
                    cursor = page.next_cursor;
                }
                ServerResult::ListResourceTemplatesResult(page) => {
                    found.extend(page.resource_templates.iter().map(|template| described(template, "uriTemplate")));
                    cursor = page.next_cursor;
                }
                _ => return Err(ToolFailure::new(ErrorType::System, "the server answered with something else")),
            }
            if cursor.is_none() || found.len() > MAX_RESOURCES {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// What is kept of a resource's or a template's description.
fn described(resource: &impl serde::Serialize, uri: &str) -> Value {
    let mut out = Map::new();
    if let Ok(Value::Object(resource)) = serde_json::to_value(resource) {
        for key in [uri, "name", "title", "description", "mimeType", "size"] {
            match resource.get(key) {
                Some(Value::String(text)) => out.insert(key.to_owned(), sanitized(text).0.into()),
                Some(Value::Number(number)) => out.insert(key.to_owned(), number.clone().into()),
                _ => None,
            };
        }
    }
    Value::Object(out)
}

/// A resource in one line: its URI, its name and its type.
fn line(resource: &Value) -> String {
    let text = |key: &str| resource[key].as_str();
    let uri = text("uri").or(text("uriTemplate")).unwrap_or_default();
    let about = [text("name"), text("mimeType")].into_iter().flatten().collect::<Vec<_>>().join(", ");
    format!("{uri} ({about})")
}

/// Reads one.
struct ReadResource {
    spec: ToolSpec,
    caller: Caller,
}

#[async_trait]
impl Tool for ReadResource {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn preview(&self, result: &ToolResult, max_lines: usize) -> Vec<String> {
        preview(result, max_lines)
    }

    async fn execute(&self, context: &ToolContext, arguments: &Map<String, Value>) -> ToolResult {
        let uri = arguments.get("uri").and_then(Value::as_str).unwrap_or_default();
        let request = ReadResourceRequest::new(ReadResourceRequestParams::new(uri));
        let harmless = self.spec.definition.risk == Risk::Read;
        match self.caller.call(ClientRequest::ReadResourceRequest(request), harmless, context).await {
            Ok(ServerResult::ReadResourceResult(result)) => of_contents(result.contents, &context.call_id),
            Ok(_) => {
                ToolFailure::new(ErrorType::System, "the server answered with something that is not a resource").into()
            }
            Err(failure) => failure.into(),
        }
    }
}
