//! `list_directory`: what is in a folder.

use async_trait::async_trait;
use serde_json::{Map, Value, json};
use switchboard_protocol::{Risk, ToolDefinition};

use super::paths::{one_path, text};
use super::schema;
use switchboard_events::ArtifactValue;
use switchboard_tools::text::{counted, sanitize_line};
use switchboard_tools::{Tool, ToolContext, ToolFailure, ToolResult, ToolSpec};
use switchboard_workspace::{DirEntry, EntryKind, Listing};

/// Lists a folder.
pub(super) struct ListDirectory {
    spec: ToolSpec,
}

impl ListDirectory {
    pub(super) fn new() -> Self {
        Self { spec: ToolSpec::new(definition()) }
    }
}

fn definition() -> ToolDefinition {
    ToolDefinition {
        name: "list_directory".to_owned(),
        description: "List the files and folders in a directory of the workspace, like ls: names, kinds and sizes. \
                      What files are here, in the current directory or in a folder?"
            .to_owned(),
        module: "files".to_owned(),
        parameters: schema::arguments(
            &[],
            json!({
                "path": schema::start("The folder, relative to the workspace; absent: the workspace itself."),
            }),
        ),
        output: Some(schema::list(schema::object(json!({
            "name": {"type": "string"},
            "type": {"enum": ["file", "directory", "link", "other"]},
            "bytes": {"type": "integer"},
        })))),
        example: json!({"path": "src"}),
        risk: Risk::Read,
        examples: Vec::new(),
    }
}

#[async_trait]
impl Tool for ListDirectory {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn normalise(&self, arguments: &mut Map<String, Value>) {
        if !arguments.contains_key("path")
            && let Some(given) = arguments.shift_remove("directory")
        {
            arguments.insert("path".to_owned(), given);
        }
        one_path(arguments);
    }

    fn title(&self, arguments: &Map<String, Value>) -> Option<String> {
        Some(format!("List {}", folder(arguments)))
    }

    async fn execute(&self, context: &ToolContext, arguments: &Map<String, Value>) -> ToolResult {
        list(context, folder(arguments)).await.into()
    }
}

fn folder(arguments: &Map<String, Value>) -> &str {
    match text(arguments, "path") {
        "" => ".",
        path => path,
    }
}

async fn list(context: &ToolContext, folder: &str) -> Result<ToolResult, ToolFailure> {
    let Listing { entries, more } = context.workspace.list(folder).await?;
    let mut lines = vec![heading(folder, &entries)];
    lines.extend(entries.iter().map(line));
    if more {
        lines.push(format!("… there are more; only the first {} were checked", entries.len()));
    }
    let value: Value = entries.iter().map(described).collect();
    let count = entries.len();
    Ok(ToolResult::success(ArtifactValue::Json(value)).with_view(lines.join("\n")).with_field("entries", count))
}

fn heading(folder: &str, entries: &[DirEntry]) -> String {
    let place = if folder == "." { "The workspace" } else { folder };
    let folders = entries.iter().filter(|entry| entry.metadata.kind == EntryKind::Directory).count();
    match (entries.len() - folders, folders) {
        (0, 0) => format!("{place} is empty"),
        (files, 0) => format!("{place}: {}", counted(files as u64, "file")),
        (0, folders) => format!("{place}: {}", counted(folders as u64, "folder")),
        (files, folders) => {
            format!("{place}: {}, {}", counted(files as u64, "file"), counted(folders as u64, "folder"))
        }
    }
}

fn line(entry: &DirEntry) -> String {
    let name = sanitize_line(&entry.name);
    match entry.metadata.kind {
        EntryKind::File => format!("{name}  {} bytes", entry.metadata.bytes),
        EntryKind::Directory => format!("{name}/"),
        EntryKind::Link => format!("{name} -> (link)"),
        EntryKind::Other => format!("{name} (pipe, socket or device)"),
    }
}

fn described(entry: &DirEntry) -> Value {
    let mut described = json!({"name": entry.name, "type": entry.metadata.kind.name()});
    if entry.metadata.kind == EntryKind::File {
        described["bytes"] = entry.metadata.bytes.into();
    }
    described
}

#[cfg(test)]
#[path = "list_directory_tests.rs"]
mod tests;
