//! `store_variable`: keeps a value under a name, for this conversation.

use async_trait::async_trait;
use serde_json::{Map, Value, json};
use switchboard_protocol::{Risk, ToolDefinition};

use super::paths::text;
use super::schema;
use switchboard_context::{corrected_name, get_variable_preview};
use switchboard_events::ArtifactValue;
use switchboard_tools::{Tool, ToolContext, ToolResult, ToolSpec};

/// Stores a variable.
pub(super) struct StoreVariable {
    spec: ToolSpec,
}

impl StoreVariable {
    pub(super) fn new() -> Self {
        let mut spec = ToolSpec::new(definition());
        spec.repeatable = true;
        spec.quiet = true;
        Self { spec }
    }
}

fn definition() -> ToolDefinition {
    ToolDefinition {
        name: "store_variable".to_owned(),
        description: "Remember a value under a name for later in this conversation: store a number, a text or any \
                      JSON as a variable, keep a fact or a preference in mind."
            .to_owned(),
        module: "memory".to_owned(),
        parameters: schema::arguments(
            &["name", "value"],
            json!({
                "name": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 200,
                    "description": "The variable's name: a letter or _, then letters, digits and _, 64 at most.",
                },
                "value": {"description": "What it will hold: any value, or a reference to another variable."},
            }),
        ),
        output: Some(json!({"description": "The value as given."})),
        example: json!({"name": "favorite_color", "value": "blue"}),
        risk: Risk::Ui,
        examples: Vec::new(),
    }
}

#[async_trait]
impl Tool for StoreVariable {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn title(&self, arguments: &Map<String, Value>) -> Option<String> {
        Some(format!("Remember {}", text(arguments, "name")))
    }

    async fn execute(&self, _context: &ToolContext, arguments: &Map<String, Value>) -> ToolResult {
        let name = corrected_name(text(arguments, "name"));
        let value = match arguments.get("value").cloned().unwrap_or_default() {
            Value::String(text) => ArtifactValue::Text(text),
            other => ArtifactValue::Json(other),
        };
        let view = format!("{name} = {}", get_variable_preview(&value, 200));
        ToolResult { store_as: Some(name), ..ToolResult::success(value).with_view(view) }
    }
}

#[cfg(test)]
#[path = "store_variable_tests.rs"]
mod tests;
