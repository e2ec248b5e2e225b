//! `file_write`: a whole file, atomically; folders above it are made.

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};
use switchboard_protocol::{ErrorType, Risk, ToolDefinition};

use super::paths::{one_path, text};
use super::schema;
use super::target::Target;
use switchboard_events::{ArtifactValue, MAX_VALUE_BYTES};
use switchboard_tools::diff::{cut_lines, unified};
use switchboard_tools::hex;
use switchboard_tools::text::counted;
use switchboard_tools::{Tool, ToolContext, ToolFailure, ToolResult, ToolSpec};
use switchboard_workspace::{Fingerprint, RelativePath, Workspace, WorkspaceErrorKind, Written};

/// How much of the diff the model and the artifact get; the card has more.
const SHOWN_DIFF: usize = 4 * 1024;

/// Writes a file.
pub(super) struct FileWrite {
    spec: ToolSpec,
}

impl FileWrite {
    pub(super) fn new() -> Self {
        // Not repeatable: after a crash somebody may have changed the file before it would be written again.
        Self { spec: ToolSpec::undoable(definition()) }
    }
}

fn definition() -> ToolDefinition {
    ToolDefinition {
        name: "file_write".to_owned(),
        description: "Write text or JSON to a file in the workspace: create a new file, save content, or replace what \
                      an existing file holds, which must have been read before. Folders above it are made."
            .to_owned(),
        module: "files".to_owned(),
        parameters: schema::arguments(
            &["path", "content"],
            json!({
                "path": schema::path("Where the file is or will be, relative to the workspace."),
                "content": {
                    "description": "What the file will hold: text as it is, any other value as JSON.",
                },
                "encoding": {
                    "enum": ["text", "base64"],
                    "default": "text",
                    "description": "How a text in `content` is meant: as it is, or as the base64 of bytes.",
                },
                "base_sha256": {
                    "type": "string",
                    "pattern": "^[0-9a-f]{64}$",
                    "description": "SHA-256 of the file that the content was made from, in hexadecimal: if the file \
                                    is another one by now, nothing is written.",
                },
                "overwrite": {
                    "type": "boolean",
                    "default": true,
                    "description": "Whether a file that is there may be replaced; if not, and there is one, nothing is \
                                    written.",
                },
            }),
        ),
        output: Some(schema::object(json!({
            "path": {"type": "string"},
            "bytes": {"type": "integer"},
            "created": {"type": "boolean", "description": "Whether there was no such file before."},
            "diff": {"type": "string", "description": "What changed in an existing file."},
        }))),
        example: json!({"path": "notes/hello.txt", "content": "Hello, World!"}),
        risk: Risk::Write,
        examples: Vec::new(),
    }
}

#[async_trait]
impl Tool for FileWrite {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn normalise(&self, arguments: &mut Map<String, Value>) {
        one_path(arguments);
    }

    fn changes(&self, arguments: &Map<String, Value>) -> Vec<String> {
        vec![text(arguments, "path").to_owned()]
    }

    async fn foreseen_diff(&self, workspace: &Workspace, arguments: &Map<String, Value>) -> Option<String> {
        let path = workspace.relative(text(arguments, "path")).ok()?;
        let new = content(arguments).ok()?;
        if self.only_creates(arguments) {
            return None;
        }
        let read = workspace.read_tracked(path.as_str(), MAX_VALUE_BYTES as u64).await;
        is_based_on(path.as_str(), arguments, read.as_ref().ok().map(|(_, now)| now)).ok()?;
        match read {
            Ok((before, _)) => Some(unified(path.as_str(), Some(&before), Some(&new))).filter(|diff| !diff.is_empty()),
            Err(error) if error.kind() == WorkspaceErrorKind::TooLarge => {
                Some(format!("{path} is too large to compare\n"))
            }
            Err(_) => None,
        }
    }

    fn overwrites(&self) -> bool {
        true
    }

    fn only_creates(&self, arguments: &Map<String, Value>) -> bool {
        arguments.get("overwrite") == Some(&Value::Bool(false))
    }

    fn names_base(&self, arguments: &Map<String, Value>) -> bool {
        arguments.contains_key("base_sha256")
    }

    fn title(&self, arguments: &Map<String, Value>) -> Option<String> {
        Some(format!("Write {}", text(arguments, "path")))
    }

    async fn execute(&self, context: &ToolContext, arguments: &Map<String, Value>) -> ToolResult {
        write(context, arguments).await.into()
    }
}

async fn write(context: &ToolContext, arguments: &Map<String, Value>) -> Result<ToolResult, ToolFailure> {
    let file = Target::open(context, arguments).await?;
    let path = &file.path;
    let bytes = content(arguments)?;
    let before = context.workspace.read_tracked(path.as_str(), MAX_VALUE_BYTES as u64).await.ok();
    if before.is_none() && path.as_str().contains('*') {
        let message = format!("'{path}' has a *, which stands for many names; a new file needs one of its own");
        let next = "`glob` finds the files that fit: name one of them, or choose a name without *.";
        return Err(ToolFailure::new(ErrorType::Validation, message).suggesting(next));
    }
    // The file is held for this call, so nobody writes it between here and there.
    is_based_on(path.as_str(), arguments, before.as_ref().map(|(_, now)| now))?;
    let before = before.map(|(bytes, _)| bytes);
    let (written, seen) = file.write(context, bytes.clone()).await?;
    let diff = before.map(|before| unified(path.as_str(), Some(&before), Some(&bytes))).unwrap_or_default();
    let mut value = json!({"path": path.as_str(), "bytes": written.bytes, "created": written.created});
    if !diff.is_empty() {
        value["diff"] = cut_lines(&diff, SHOWN_DIFF).into();
    }
    let mut result = ToolResult::success(ArtifactValue::Json(value)).with_view(view(path, &written, &diff));
    if !diff.is_empty() {
        result = result.with_field("diff", diff);
    }
    result.written_files.push(seen);
    Ok(result)
}

/// Refuses to write over a file that is not the one that the content was made from, if the call names that.
fn is_based_on(path: &str, arguments: &Map<String, Value>, now: Option<&Fingerprint>) -> Result<(), ToolFailure> {
    let Some(base) = arguments.get("base_sha256").and_then(Value::as_str) else { return Ok(()) };
    let message = match now.map(|now| hex(&now.hash)) {
        Some(now) if now == base => return Ok(()),
        Some(_) => format!("{path} no longer matches `base_sha256`: somebody has changed it in the meantime"),
        None => format!("{path} can no longer be read, so it does not match `base_sha256`"),
    };
    let next = format!("Read it again with file_read(path={path:?}), combine both versions, and write the result.");
    Err(ToolFailure::new(ErrorType::User, message).suggesting(next))
}

fn view(path: &RelativePath, written: &Written, diff: &str) -> String {
    let bytes = counted(written.bytes, "byte");
    match (written.created, diff) {
        (true, _) => format!("Wrote {bytes} to {path}, a new file."),
        (false, "") => format!("Wrote {bytes} to {path}, replacing what was there."),
        (false, diff) => format!("Wrote {bytes} to {path}, replacing what was there.\n{}", cut_lines(diff, SHOWN_DIFF)),
    }
}

fn content(arguments: &Map<String, Value>) -> Result<Vec<u8>, ToolFailure> {
    let is_base64 = arguments.get("encoding").and_then(Value::as_str) == Some("base64");
    let bytes = match arguments.get("content") {
        Some(Value::String(text)) if is_base64 => STANDARD.decode(text.trim()).map_err(|error| {
            let message = format!("`content` is not base64: {error}");
            ToolFailure::new(ErrorType::Validation, message).suggesting("Leave `encoding` out to write it as text.")
        })?,
        Some(Value::String(text)) => text.clone().into_bytes(),
        Some(value) => format!("{value:#}\n").into_bytes(),
        None => Vec::new(),
    };
    if bytes.len() > MAX_VALUE_BYTES {
        let message = format!("the content has {} bytes, and the limit is {MAX_VALUE_BYTES}", bytes.len());
        return Err(ToolFailure::new(ErrorType::User, message).suggesting("Write it in several files."));
    }
    Ok(bytes)
}

#[cfg(test)]
#[path = "file_write_tests.rs"]
mod tests;
