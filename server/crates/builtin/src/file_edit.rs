//! `file_edit`: an exact text in a file is replaced by another; everything else of the file stays as it is.

use async_trait::async_trait;
use serde_json::{Map, Value, json};
use switchboard_protocol::{ErrorType, Risk, ToolDefinition};

use super::lines::{ends_in_crlf, nearest_line, with_crlf};
use super::paths::{one_path, rename, text};
use super::schema;
use super::target::Target;
use switchboard_events::{ArtifactValue, MAX_VALUE_BYTES};
use switchboard_tools::diff::{cut_lines, unified};
use switchboard_tools::text::{counted, cut, sanitize_line};
use switchboard_tools::{Tool, ToolContext, ToolFailure, ToolResult, ToolSpec};
use switchboard_workspace::{RelativePath, Workspace};

/// How much of the diff the model and the artifact get; the card has more.
const SHOWN_DIFF: usize = 12 * 1024;

/// How many places of a text that is not unique are named.
const SHOWN_PLACES: usize = 5;

/// Replaces text in a file.
pub(super) struct FileEdit {
    spec: ToolSpec,
}

impl FileEdit {
    pub(super) fn new() -> Self {
        Self { spec: ToolSpec::undoable(definition()) }
    }
}

fn definition() -> ToolDefinition {
    ToolDefinition {
        name: "file_edit".to_owned(),
        description:
            "Edit a text file in the workspace: find an exact text and replace it by another, in one place or \
             everywhere. The file must have been read before. Returns what changed as a diff."
                .to_owned(),
        module: "files".to_owned(),
        parameters: schema::arguments(
            &["path", "find", "replace"],
            json!({
                "path": schema::path("The file, relative to the workspace."),
                "find": {
                    "type": "string",
                    "minLength": 1,
                    "description": "The text to replace, exactly as it stands in the file, white space included; \
                                    long enough to be there once, unless replace_all is true.",
                },
                "replace": {"type": "string", "description": "What stands in its place; empty removes it."},
                "replace_all": {
                    "type": "boolean",
                    "default": false,
                    "description": "Whether every place is replaced, however many there are.",
                },
            }),
        ),
        output: Some(schema::object(json!({
            "path": {"type": "string"},
            "replacements": {"type": "integer"},
            "diff": {"type": "string", "description": "What changed, as a unified diff."},
        }))),
        example: json!({"path": "src/main.rs", "find": "let port = 80;", "replace": "let port = 8080;"}),
        risk: Risk::Write,
        examples: Vec::new(),
    }
}

#[async_trait]
impl Tool for FileEdit {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn normalise(&self, arguments: &mut Map<String, Value>) {
        one_path(arguments);
        rename(arguments, &["old_string", "old_str", "old_text", "search", "old"], "find");
        rename(arguments, &["new_string", "new_str", "new_text", "replacement", "new"], "replace");
    }

    fn guard(&self, arguments: &Map<String, Value>) -> Result<(), ToolFailure> {
        if text(arguments, "find") != text(arguments, "replace") {
            return Ok(());
        }
        let failure = ToolFailure::new(ErrorType::Validation, "`find` and `replace` are the same text");
        Err(failure.suggesting("Example: file_edit(path=\"src/main.rs\", find=\"80\", replace=\"8080\")"))
    }

    fn changes(&self, arguments: &Map<String, Value>) -> Vec<String> {
        vec![text(arguments, "path").to_owned()]
    }

    async fn foreseen_diff(&self, workspace: &Workspace, arguments: &Map<String, Value>) -> Option<String> {
        let path = workspace.relative(text(arguments, "path")).ok()?;
        Edited::new(workspace, &path, arguments).await.ok().map(|edited| edited.diff)
    }

    fn title(&self, arguments: &Map<String, Value>) -> Option<String> {
        Some(format!("Edit {}", text(arguments, "path")))
    }

    async fn execute(&self, context: &ToolContext, arguments: &Map<String, Value>) -> ToolResult {
        edit(context, arguments).await.into()
    }
}

async fn edit(context: &ToolContext, arguments: &Map<String, Value>) -> Result<ToolResult, ToolFailure> {
    let file = Target::open(context, arguments).await?;
    let path = &file.path;
    let Edited { after, count, diff } = Edited::new(&context.workspace, path, arguments).await?;
    let (_, seen) = file.write(context, after.into_bytes()).await?;
    let shown = cut_lines(&diff, SHOWN_DIFF);
    let view = format!("Replaced {} in {path}.\n{shown}", counted(count as u64, "place"));
    let value = json!({"path": path.as_str(), "replacements": count, "diff": shown});
    let mut result = ToolResult::success(ArtifactValue::Json(value)).with_view(view);
    result = result.with_field("replacements", count).with_field("diff", diff);
    result.written_files.push(seen);
    Ok(result)
}

/// What the file becomes.
struct Edited {
    after: String,
    /// How many places are replaced.
    count: usize,
    diff: String,
}

impl Edited {
    async fn new(
        workspace: &Workspace,
        path: &RelativePath,
        arguments: &Map<String, Value>,
    ) -> Result<Self, ToolFailure> {
        let before = workspace.read_text(path.as_str(), MAX_VALUE_BYTES as u64).await?;
        let everywhere = arguments.get("replace_all").and_then(Value::as_bool).unwrap_or_default();
        let wanted = Wanted::new(&before, text(arguments, "find"), text(arguments, "replace"));
        let count = wanted.count(path.as_str(), &before, everywhere)?;
        let after = before.replace(&wanted.find, &wanted.replace);
        if after.len() > MAX_VALUE_BYTES {
            let message = format!("the file would have {} bytes, and the limit is {MAX_VALUE_BYTES}", after.len());
            return Err(ToolFailure::new(ErrorType::User, message).suggesting("Split the file first."));
        }
        let diff = unified(path.as_str(), Some(before.as_bytes()), Some(after.as_bytes()));
        Ok(Self { after, count, diff })
    }
}

/// The texts in the file's own line ends.
struct Wanted {
    find: String,
    replace: String,
}

impl Wanted {
    fn new(file: &str, find: &str, replace: &str) -> Self {
        if ends_in_crlf(file) {
            return Self { find: with_crlf(find), replace: with_crlf(replace) };
        }
        Self { find: find.to_owned(), replace: replace.to_owned() }
    }

    /// How many places there are, if that is right.
    fn count(&self, path: &str, file: &str, everywhere: bool) -> Result<usize, ToolFailure> {
        let count = file.matches(&self.find).count();
        match count {
            0 => Err(not_there(path, file, &self.find)),
            1 => Ok(1),
            _ if everywhere => Ok(count),
            _ => Err(not_unique(path, file, &self.find, count)),
        }
    }
}

fn not_there(path: &str, file: &str, find: &str) -> ToolFailure {
    let message = format!("the text to find is not in {path} (0 matches in {})", counted_lines(file));
    let failure = ToolFailure::new(ErrorType::User, message);
    match nearest_line(file, find) {
        Some((number, line)) => {
            let line = sanitize_line(&cut(line.trim_end(), 200));
            failure.suggesting(format!(
                "The nearest line is {number}: {line:?}. Give the text exactly as it is in the file, white space \
                 included."
            ))
        }
        None => failure.suggesting(format!("Read the file again with file_read(path={path:?}) and copy the text.")),
    }
}

fn not_unique(path: &str, file: &str, find: &str, count: usize) -> ToolFailure {
    let places = file.match_indices(find).take(SHOWN_PLACES);
    let lines: Vec<String> = places.map(|(at, _)| (file[..at].matches('\n').count() + 1).to_string()).collect();
    let more = if count > SHOWN_PLACES { " and more" } else { "" };
    let message = format!("the text to find appears {count} times in {path}, at lines {}{more}", lines.join(", "));
    let next = "Give more of the text around the place that is meant, or set replace_all=true to replace all of them.";
    ToolFailure::new(ErrorType::User, message).suggesting(next)
}

fn counted_lines(file: &str) -> String {
    counted(file.lines().count() as u64, "line")
}

#[cfg(test)]
#[path = "file_edit_tests.rs"]
mod tests;
