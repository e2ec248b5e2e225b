//! What `it`, `that` and `the second one` mean: the last result, the file and the folder it is about.
//!
//! Read from the operations of the session, so a new turn knows what the last one did, and so does a resumed session.

use serde_json::Value;
use switchboard_protocol::Operation;

use switchboard_agent::TurnView;

/// How many operations are looked at.
const LOOK_BACK: usize = 50;

/// What was last done.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Focus {
    /// The variable with the last result.
    pub(super) variable: Option<String>,
    /// The files that were last read or written.
    pub(super) files: Vec<String>,
    /// The folder that was last listed or searched.
    pub(super) folder: Option<String>,
    /// The variable that holds the list of files made last.
    pub(super) listing: Option<String>,
    /// The folder of that list.
    pub(super) listing_folder: Option<String>,
    /// The last run of a tool that worked.
    pub(super) operation: Option<Operation>,
}

impl Focus {
    pub(super) fn of(view: &TurnView) -> Self {
        let mut focus = Self::default();
        for operation in view.operations.iter().rev().take(LOOK_BACK).filter(|operation| operation.success) {
            focus.look_at(operation, view);
        }
        if focus.variable.is_none() {
            let last = view.context.variables().rfind(|variable| !variable.name.ends_with("_error"));
            focus.variable = last.map(|variable| variable.name.clone());
        }
        focus
    }

    fn look_at(&mut self, operation: &Operation, view: &TurnView) {
        let tool = operation.tool.as_str();
        let variable = || operation.output_variable.clone().filter(|name| view.context.get(name).is_some());
        if self.variable.is_none() && tool != "file_write" {
            self.variable = variable();
        }
        if self.files.is_empty() && matches!(tool, "file_read" | "file_write") {
            self.files = paths_of(operation);
        }
        if self.listing.is_none() && matches!(tool, "list_directory" | "glob" | "grep") {
            let folder = paths_of(operation).into_iter().next().unwrap_or_else(|| ".".to_owned());
            self.folder.get_or_insert_with(|| folder.clone());
            self.listing = variable();
            self.listing_folder = (tool == "list_directory").then_some(folder);
        }
        self.operation.get_or_insert_with(|| operation.clone());
    }
}

/// The paths among a call's arguments.
pub(super) fn paths_of(operation: &Operation) -> Vec<String> {
    let keys = ["file_paths", "paths", "path", "filePath", "file_path", "directory", "folder"];
    let texts = keys.iter().filter_map(|key| operation.inputs.get(*key)).flat_map(|value| match value {
        Value::Array(items) => items.iter().collect::<Vec<_>>(),
        other => vec![other],
    });
    texts.filter_map(Value::as_str).filter(|text| !text.starts_with('@')).map(str::to_owned).collect()
}
