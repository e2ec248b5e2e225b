//! `delete_variable` and `rename_variable`: forget what was remembered, or call it something else.
//!
//! The tools only say what shall become of the variables; the manager does it with the session's variables in hand.

use async_trait::async_trait;
use serde_json::{Map, Value, json};
use switchboard_protocol::{Risk, ToolDefinition};

use super::paths::text;
use super::schema;
use switchboard_context::corrected_name;
use switchboard_tools::{Tool, ToolContext, ToolResult, ToolSpec, VariableChange};

/// What stands for all that the user had stored.
const ALL: &str = "*";

/// Deletes a variable.
pub(super) struct DeleteVariable {
    spec: ToolSpec,
}

/// Renames a variable.
pub(super) struct RenameVariable {
    spec: ToolSpec,
}

impl DeleteVariable {
    pub(super) fn new() -> Self {
        Self { spec: quiet(deleting()) }
    }
}

impl RenameVariable {
    pub(super) fn new() -> Self {
        Self { spec: quiet(renaming()) }
    }
}

/// Like `store_variable`: what it does shows in the variables, and once more does no harm.
fn quiet(definition: ToolDefinition) -> ToolSpec {
    let mut spec = ToolSpec::new(definition);
    spec.repeatable = true;
    spec.quiet = true;
    spec
}

fn deleting() -> ToolDefinition {
    ToolDefinition {
        name: "delete_variable".to_owned(),
        description: "Forget a value that was remembered in this conversation: delete a variable, or all that the \
                      user had stored."
            .to_owned(),
        module: "memory".to_owned(),
        parameters: schema::arguments(
            &["name"],
            json!({
                "name": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 200,
                    "description": "The variable's name; * for all that the user had stored.",
                },
            }),
        ),
        output: Some(json!({"description": "No value."})),
        example: json!({"name": "favorite_color"}),
        risk: Risk::Ui,
        examples: Vec::new(),
    }
}

fn renaming() -> ToolDefinition {
    let name =
        |description: &str| json!({"type": "string", "minLength": 1, "maxLength": 200, "description": description});
    ToolDefinition {
        name: "rename_variable".to_owned(),
        description: "Give a value that was remembered in this conversation another name: rename a variable."
            .to_owned(),
        module: "memory".to_owned(),
        parameters: schema::arguments(
            &["name", "new_name"],
            json!({
                "name": name("The variable's name."),
                "new_name": name("Its new name: a letter or _, then letters, digits and _, 64 at most."),
            }),
        ),
        output: Some(json!({"description": "No value."})),
        example: json!({"name": "color", "new_name": "favorite_color"}),
        risk: Risk::Ui,
        examples: Vec::new(),
    }
}

#[async_trait]
impl Tool for DeleteVariable {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn title(&self, arguments: &Map<String, Value>) -> Option<String> {
        Some(match text(arguments, "name") {
            ALL => "Forget all that was remembered".to_owned(),
            name => format!("Forget {name}"),
        })
    }

    async fn execute(&self, _context: &ToolContext, arguments: &Map<String, Value>) -> ToolResult {
        let change = match text(arguments, "name") {
            ALL => VariableChange::DeleteStored,
            name => VariableChange::Delete { name: name.to_owned() },
        };
        ToolResult { variables: Some(change), ..ToolResult::default() }
    }
}

#[async_trait]
impl Tool for RenameVariable {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn title(&self, arguments: &Map<String, Value>) -> Option<String> {
        Some(format!("Rename {} to {}", text(arguments, "name"), text(arguments, "new_name")))
    }

    async fn execute(&self, _context: &ToolContext, arguments: &Map<String, Value>) -> ToolResult {
        let (name, new_name) = (text(arguments, "name").to_owned(), corrected_name(text(arguments, "new_name")));
        ToolResult { variables: Some(VariableChange::Rename { name, new_name }), ..ToolResult::default() }
    }
}

#[cfg(test)]
#[path = "variables_tests.rs"]
mod tests;
