//! A call that a step makes, before its references are resolved.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use switchboard_agent::ToolSelection;

/// A call that a step makes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Call {
    pub(super) tool: String,
    pub(super) arguments: Map<String, Value>,
    pub(super) output: Option<String>,
}

impl Call {
    /// The selection of this call, for that reason.
    pub(super) fn selected(self, reasoning: String) -> ToolSelection {
        let Self { tool, arguments, output } = self;
        ToolSelection {
            selected_tool: Some(tool),
            reasoning,
            parameters: arguments,
            output_variable: output,
            ..ToolSelection::default()
        }
    }
}
