//! `file_undo`: files become again what they were before a call changed them.
//!
//! Which calls are meant, what their files were, and that nobody has changed them since, the manager has found out
//! before this runs (`undo.rs` of the crate `tools`).

use async_trait::async_trait;
use serde_json::{Map, Value, json};
use switchboard_protocol::{CallId, Risk, ToolDefinition};

use super::paths::{rename, texts};
use super::schema;
use super::transaction::{Becomes, change_in_transaction};
use switchboard_events::ArtifactValue;
use switchboard_tools::text::counted;
use switchboard_tools::{Restored, Tool, ToolContext, ToolFailure, ToolResult, ToolSpec, UndoTarget};

/// How many calls are put back at once, at most.
const MAX_CALLS: usize = 20;

/// Puts files back.
pub(super) struct FileUndo {
    spec: ToolSpec,
}

impl FileUndo {
    pub(super) fn new() -> Self {
        Self { spec: ToolSpec::undoable(definition()) }
    }
}

fn definition() -> ToolDefinition {
    ToolDefinition {
        name: "file_undo".to_owned(),
        description: "Undo changes of files that tools made in this session: put the files back as they were before, \
                      also those that were created, deleted or renamed. Refuses if a file has changed since."
            .to_owned(),
        module: "files".to_owned(),
        parameters: schema::arguments(
            &[],
            json!({
                "call_ids": {
                    "type": "array",
                    "items": {"type": "string", "minLength": 1, "maxLength": 128},
                    "minItems": 1,
                    "maxItems": MAX_CALLS,
                    "description": "The calls to undo; absent: the last ones that changed files.",
                },
                "count": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": MAX_CALLS,
                    "default": 1,
                    "description": "How many of the last changes are undone, if no calls are named.",
                },
            }),
        ),
        output: Some(schema::object(json!({
            "restored": {"type": "array", "items": {"type": "string"}},
            "removed": {"type": "array", "items": {"type": "string"}},
        }))),
        example: json!({"count": 1}),
        risk: Risk::Write,
        examples: Vec::new(),
    }
}

#[async_trait]
impl Tool for FileUndo {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn normalise(&self, arguments: &mut Map<String, Value>) {
        rename(arguments, &["call_id", "callId", "callIds"], "call_ids");
        rename(arguments, &["n", "last"], "count");
        if let Some(one @ Value::String(_)) = arguments.get_mut("call_ids") {
            *one = Value::Array(vec![one.take()]);
        }
    }

    fn undoes(&self, arguments: &Map<String, Value>) -> Option<UndoTarget> {
        let calls: Vec<CallId> = texts(arguments, "call_ids").into_iter().map(CallId::from).collect();
        let count = arguments.get("count").and_then(Value::as_u64).unwrap_or(1);
        Some(match calls.is_empty() {
            true => UndoTarget::Last(usize::try_from(count).unwrap_or(MAX_CALLS)),
            false => UndoTarget::Calls(calls),
        })
    }

    fn title(&self, arguments: &Map<String, Value>) -> Option<String> {
        let calls = texts(arguments, "call_ids").len().max(1);
        Some(format!("Undo {}", counted(calls as u64, "change")))
    }

    async fn execute(&self, context: &ToolContext, _arguments: &Map<String, Value>) -> ToolResult {
        match &context.undo.restore {
            Some(restore) => restore.apply().await.map(told).into(),
            None => put_back(context).await.into(),
        }
    }
}

/// What a restore did.
fn told(done: Restored) -> ToolResult {
    let Restored { restored, removed, notes, diff } = done;
    let view: Vec<String> = std::iter::once(view(&restored, &removed)).chain(notes).collect();
    let view = view.join("\n").trim().to_owned();
    let view = if view.is_empty() { "Nothing differs from how it was before.".to_owned() } else { view };
    let value = json!({"restored": restored, "removed": removed});
    ToolResult::success(ArtifactValue::Json(value)).with_view(view).with_field("diff", diff)
}

async fn put_back(context: &ToolContext) -> Result<ToolResult, ToolFailure> {
    let workspace = &context.workspace;
    let (mut changes, mut diffs) = (Vec::new(), String::new());
    let (mut restored, mut removed) = (Vec::new(), Vec::new());
    for file in &context.undo.files {
        diffs.push_str(&file.diff(workspace).await);
        match &file.content {
            Some(_) => restored.push(file.path.clone()),
            None => removed.push(file.path.clone()),
        }
        changes.push(Becomes {
            path: workspace.relative(&file.path)?,
            content: file.content.as_ref().map(|(bytes, _)| bytes.to_vec()),
            mode: file.content.as_ref().map(|(_, mode)| *mode),
        });
    }
    let written = change_in_transaction(context, changes).await?;
    let value = json!({"restored": restored, "removed": removed});
    let result = ToolResult::success(ArtifactValue::Json(value)).with_view(view(&restored, &removed));
    Ok(ToolResult { written_files: written, ..result.with_field("diff", diffs) })
}

fn view(restored: &[String], removed: &[String]) -> String {
    let mut parts = Vec::new();
    if !restored.is_empty() {
        parts.push(format!("Put back {} as before: {}.", counted(restored.len() as u64, "file"), named(restored)));
    }
    if !removed.is_empty() {
        let count = counted(removed.len() as u64, "file");
        parts.push(format!("Removed {count} that had been created: {}.", named(removed)));
    }
    parts.join("\n")
}

/// The paths, as far as they can be read at once.
fn named(paths: &[String]) -> String {
    const SHOWN: usize = 20;
    match paths.len().saturating_sub(SHOWN) {
        0 => paths.join(", "),
        more => format!("{} and {more} more", paths[..SHOWN].join(", ")),
    }
}

#[cfg(test)]
#[path = "file_undo_tests.rs"]
mod tests;
