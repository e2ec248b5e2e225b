//! `json_parse`: text becomes a value whose fields can be referred to.

use async_trait::async_trait;
use serde_json::{Map, Value, json};
use switchboard_protocol::{ErrorType, Risk, ToolDefinition};

use super::schema;
use switchboard_context::get_variable_preview;
use switchboard_events::ArtifactValue;
use switchboard_tools::text::{counted, sanitize_line};
use switchboard_tools::{Tool, ToolContext, ToolFailure, ToolResult, ToolSpec};

/// How much of the text around a mistake is shown, in characters on each side.
const EXCERPT_CHARS: usize = 30;

/// Parses JSON.
pub(super) struct JsonParse {
    spec: ToolSpec,
}

impl JsonParse {
    pub(super) fn new() -> Self {
        let mut spec = ToolSpec::new(definition());
        spec.default_variable = Some("parsed_data");
        Self { spec }
    }
}

fn definition() -> ToolDefinition {
    ToolDefinition {
        name: "json_parse".to_owned(),
        description: "Parse JSON text into structured data, so that its fields can be used: analyze the structure of \
                      a JSON file or config, get a value such as a port out of it."
            .to_owned(),
        module: "data".to_owned(),
        parameters: schema::arguments(
            &["content"],
            json!({
                "content": {
                    "description": "The JSON text, usually a reference to a file's content such as @file_content.",
                },
            }),
        ),
        output: Some(json!({"description": "The value that the text stands for."})),
        example: json!({"content": "{\"port\": 8080}"}),
        risk: Risk::Read,
        examples: Vec::new(),
    }
}

#[async_trait]
impl Tool for JsonParse {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn execute(&self, _context: &ToolContext, arguments: &Map<String, Value>) -> ToolResult {
        let parsed = match arguments.get("content").cloned().unwrap_or_default() {
            Value::String(text) => parse(&text),
            // It is structured already.
            value => Ok(value),
        };
        parsed.map(told).into()
    }
}

fn parse(text: &str) -> Result<Value, ToolFailure> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    serde_json::from_str(text).map_err(|error| {
        if text.trim().is_empty() {
            let failure = ToolFailure::new(ErrorType::User, "`content` is empty, so there is no JSON in it");
            return failure.suggesting("Give the JSON text, such as a reference to a file's content.");
        }
        let (line, column) = (error.line(), error.column());
        let what = error.to_string();
        let what = what.split(" at line ").next().unwrap_or_default();
        let message =
            format!("this is not JSON: {what} at line {line}, column {column}: {}", excerpt(text, line, column));
        ToolFailure::new(ErrorType::User, message).suggesting(next(text, what))
    })
}

/// The text around the mistake, with a mark at it.
fn excerpt(text: &str, line: usize, column: usize) -> String {
    let line = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
    // The column counts bytes; a mistake at the end of the line stands behind its last character.
    let at = line.floor_char_boundary(column.saturating_sub(1).min(line.len()));
    let before: Vec<char> = line[..at].chars().rev().take(EXCERPT_CHARS).collect();
    let before: String = before.into_iter().rev().collect();
    let after: String = line[at..].chars().take(EXCERPT_CHARS).collect();
    sanitize_line(&format!("{before}»{after}"))
}

fn next(text: &str, what: &str) -> String {
    let next = match what {
        "trailing characters" if text.trim_start().starts_with(['{', '[']) => {
            "There is more after the first value: if each line is a value of its own, parse one line."
        }
        "trailing comma" => "Remove the comma before the closing bracket.",
        "key must be a string" => "Put the names of fields in double quotes.",
        "recursion limit exceeded" => "It is nested too deeply; parse part of it.",
        _ => "Correct the text at the mark », or give text that is JSON as a whole.",
    };
    next.to_owned()
}

fn told(value: Value) -> ToolResult {
    let kind = match &value {
        Value::Object(fields) => format!("an object with {}", counted(fields.len() as u64, "field")),
        Value::Array(items) => format!("an array with {}", counted(items.len() as u64, "item")),
        Value::String(_) => "text".to_owned(),
        Value::Number(_) => "a number".to_owned(),
        Value::Bool(_) => "a boolean".to_owned(),
        Value::Null => "null".to_owned(),
    };
    let value = ArtifactValue::Json(value);
    let view = format!("Parsed {kind}:\n{}", get_variable_preview(&value, 2000));
    ToolResult::success(value).with_view(view)
}

#[cfg(test)]
#[path = "json_parse_tests.rs"]
mod tests;
