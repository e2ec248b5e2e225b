//! `apply_patch`: a unified diff over one file or several, applied as a whole or not at all.

mod parse;

use async_trait::async_trait;
use diffy::{Line, Patch};
use serde_json::{Map, Value, json};
use switchboard_protocol::{ErrorType, Risk, ToolDefinition};

use self::parse::{Step, steps};
use super::lines::{ends_in_crlf, nearest_line, with_crlf, with_lf};
use super::paths::{rename, text};
use super::schema;
use super::transaction::{Becomes, change_in_transaction};
use switchboard_events::{ArtifactValue, MAX_VALUE_BYTES};
use switchboard_tools::diff::{cut_lines, moved};
use switchboard_tools::text::{counted, cut, sanitize_line};
use switchboard_tools::{Tool, ToolContext, ToolFailure, ToolResult, ToolSpec};
use switchboard_workspace::{RelativePath, Workspace, WorkspaceError, WorkspaceErrorKind};

/// How much of the diff the model and the artifact get; the card has more.
const SHOWN_DIFF: usize = 12 * 1024;

/// The longest patch, in characters.
const MAX_PATCH: usize = 1_000_000;

/// How many files a patch changes.
const MAX_FILES: usize = 100;

/// Applies patches.
pub(super) struct ApplyPatch {
    spec: ToolSpec,
}

impl ApplyPatch {
    pub(super) fn new() -> Self {
        Self { spec: ToolSpec::undoable(definition()) }
    }
}

fn definition() -> ToolDefinition {
    ToolDefinition {
        name: "apply_patch".to_owned(),
        description: "Apply a unified diff, as diff -u and git diff make it, to one file or several at once, all or none; \
                      also to files that are new, have gone or have another name. Files that it changes must have been read before."
            .to_owned(),
        module: "files".to_owned(),
        parameters: schema::arguments(
            &["patch"],
            json!({
                "patch": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": MAX_PATCH,
                    "description": "The unified diff, with --- and +++ lines before each file's @@ hunks; /dev/null \
                                    stands for no file. Renames need git's `rename from` and `rename to` lines.",
                },
            }),
        ),
        output: Some(schema::object(json!({
            "changed": {"type": "array", "items": {"type": "string"}},
            "created": {"type": "array", "items": {"type": "string"}},
            "deleted": {"type": "array", "items": {"type": "string"}},
            "renamed": {"type": "object", "additionalProperties": {"type": "string"}},
            "diff": {"type": "string", "description": "What changed, as a unified diff."},
        }))),
        example: json!({"patch": "--- a/notes.txt\n+++ b/notes.txt\n@@ -1,2 +1,2 @@\n First line\n-Old\n+New\n"}),
        risk: Risk::Write,
            examples: Vec::new(),
        }
}

#[async_trait]
impl Tool for ApplyPatch {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn normalise(&self, arguments: &mut Map<String, Value>) {
        rename(arguments, &["diff", "input", "content"], "patch");
    }

    fn guard(&self, arguments: &Map<String, Value>) -> Result<(), ToolFailure> {
        let count = steps(text(arguments, "patch"))?.len();
        if count <= MAX_FILES {
            return Ok(());
        }
        let message = format!("`patch` changes {count} files, and the limit is {MAX_FILES}");
        Err(ToolFailure::new(ErrorType::Validation, message).suggesting("Apply it in several calls."))
    }

    fn changes(&self, arguments: &Map<String, Value>) -> Vec<String> {
        let steps = steps(text(arguments, "patch")).unwrap_or_default();
        steps.into_iter().flat_map(|step| [step.from, step.to]).flatten().collect()
    }

    fn title(&self, arguments: &Map<String, Value>) -> Option<String> {
        let steps = steps(text(arguments, "patch")).ok()?;
        let names: Vec<String> = steps.into_iter().filter_map(|step| step.to.or(step.from)).collect();
        Some(match names.as_slice() {
            [one] => format!("Patch {one}"),
            names => format!("Patch {} files", names.len()),
        })
    }

    async fn foreseen_diff(&self, workspace: &Workspace, arguments: &Map<String, Value>) -> Option<String> {
        Outcome::new(workspace, text(arguments, "patch")).await.ok().map(|outcome| outcome.diff)
    }

    async fn execute(&self, context: &ToolContext, arguments: &Map<String, Value>) -> ToolResult {
        apply(context, text(arguments, "patch")).await.into()
    }
}

/// What the patch comes to, before anything is changed.
#[derive(Default)]
struct Outcome {
    becomes: Vec<Becomes>,
    changed: Vec<String>,
    created: Vec<String>,
    deleted: Vec<String>,
    renamed: Map<String, Value>,
    diff: String,
}

async fn apply(context: &ToolContext, patch: &str) -> Result<ToolResult, ToolFailure> {
    let Outcome { becomes, changed, created, deleted, renamed, diff } = Outcome::new(&context.workspace, patch).await?;
    let written = change_in_transaction(context, becomes).await?;
    let shown = cut_lines(&diff, SHOWN_DIFF);
    let count = changed.len() + created.len() + deleted.len() + renamed.len();
    let view = format!("Patched {}.\n{shown}", counted(count as u64, "file"));
    let value = json!({
        "changed": changed, "created": created, "deleted": deleted, "renamed": renamed, "diff": shown,
    });
    let result = ToolResult::success(ArtifactValue::Json(value)).with_view(view).with_field("files", count);
    Ok(ToolResult { written_files: written, ..result.with_field("diff", diff) })
}

impl Outcome {
    async fn new(workspace: &Workspace, patch: &str) -> Result<Self, ToolFailure> {
        let mut outcome = Self::default();
        for step in steps(patch)? {
            outcome.add(workspace, step).await?;
        }
        Ok(outcome)
    }

    async fn add(&mut self, workspace: &Workspace, step: Step<'_>) -> Result<(), ToolFailure> {
        let from = step.from.as_deref().map(|path| workspace.relative(path)).transpose()?;
        let to = step.to.as_deref().map(|path| workspace.relative(path)).transpose()?;
        let before = match &from {
            Some(path) => Some(workspace.read_text(path.as_str(), MAX_VALUE_BYTES as u64).await?),
            None => None,
        };
        let shown = to.as_ref().or(from.as_ref()).map(ToString::to_string).unwrap_or_default();
        let after = patched(&shown, before.as_deref().unwrap_or_default(), &step.patch)?;
        if let Some(path) = to.as_ref().filter(|to| from.as_ref() != Some(to)) {
            is_free(workspace, path).await?;
        }
        if to.is_none() && !after.is_empty() {
            let message = format!("the patch deletes {shown}, but does not remove everything in it");
            return Err(none_changed(&message).suggesting(read_again(&shown)));
        }
        let bytes = |text: &Option<String>| text.clone().map(String::into_bytes);
        let new = to.as_ref().map(|_| after.clone().into_bytes());
        let names = [&from, &to].map(|path| path.as_ref().map_or(shown.clone(), ToString::to_string));
        self.diff.push_str(&moved(&names[0], &names[1], bytes(&before).as_deref(), new.as_deref()));
        self.note(from.as_ref(), to, new, &step);
        Ok(())
    }

    fn note(&mut self, from: Option<&RelativePath>, to: Option<RelativePath>, new: Option<Vec<u8>>, step: &Step<'_>) {
        match (from, &to) {
            (Some(from), Some(to)) if from == to => self.changed.push(to.to_string()),
            (Some(_), Some(to)) if step.keeps_source => self.created.push(to.to_string()),
            (Some(from), Some(to)) => {
                self.renamed.insert(from.to_string(), to.to_string().into());
            }
            (None, Some(to)) => self.created.push(to.to_string()),
            (Some(from), None) => self.deleted.push(from.to_string()),
            (None, None) => {}
        }
        let goes = from.filter(|from| to.as_ref() != Some(*from) && !step.keeps_source).cloned();
        self.becomes.extend(to.map(|path| Becomes { path, content: new, mode: step.mode }));
        self.becomes.extend(goes.map(|path| Becomes { path, content: None, mode: None }));
    }
}

/// The file with the hunks in it, in its own line ends.
fn patched(path: &str, before: &str, patch: &Patch<'_, str>) -> Result<String, ToolFailure> {
    let crlf = ends_in_crlf(before);
    let base = if crlf { with_lf(before) } else { before.to_owned() };
    let after = diffy::apply(&base, patch).map_err(|error| does_not_fit(path, &base, patch, &error.to_string()))?;
    if after.len() > MAX_VALUE_BYTES {
        let message = format!("{path} would have {} bytes, and the limit is {MAX_VALUE_BYTES}", after.len());
        return Err(none_changed(&message));
    }
    Ok(if crlf { with_crlf(&after) } else { after })
}

async fn is_free(workspace: &Workspace, path: &RelativePath) -> Result<(), ToolFailure> {
    match workspace.metadata(path.as_str()).await {
        Err(error) if error.kind() == WorkspaceErrorKind::NotFound => Ok(()),
        Err(error) => Err(WorkspaceError::into(error)),
        Ok(_) => {
            let message = format!("the patch creates {path}, but it already exists");
            Err(none_changed(&message).suggesting(format!("Change it with a patch from a/{path} to b/{path}.")))
        }
    }
}

/// The failure names the hunk, and the line of it that the file does not have.
fn does_not_fit(path: &str, file: &str, patch: &Patch<'_, str>, error: &str) -> ToolFailure {
    let number: usize = error.rsplit('#').next().and_then(|number| number.parse().ok()).unwrap_or(1);
    let Some(hunk) = patch.hunks().get(number.saturating_sub(1)) else {
        return none_changed(&format!("{path}: the patch does not fit")).suggesting(read_again(path));
    };
    let old = |line: &Line<'_, str>| match line {
        Line::Context(text) | Line::Delete(text) => Some(text.trim_end_matches(['\n', '\r']).to_owned()),
        Line::Insert(_) => None,
    };
    let absent = hunk.lines().iter().filter_map(old).find(|line| !file.lines().any(|there| there == line));
    let (from, lines) = (hunk.old_range().start(), hunk.old_range().len());
    let what = match &absent {
        Some(line) => format!("the file has no line {:?}", sanitize_line(&cut(line, 200))),
        None => "its lines do not appear together like this in the file".to_owned(),
    };
    let message = format!("{path}: hunk {number} (@@ -{from},{lines}) does not fit: {what}");
    let near = absent.as_deref().and_then(|line| nearest_line(file, line));
    let near =
        near.map(|(number, line)| format!("The nearest line is {number}: {:?}. ", sanitize_line(&cut(line, 200))));
    none_changed(&message).suggesting(format!("{}{}", near.unwrap_or_default(), read_again(path)))
}

fn none_changed(message: &str) -> ToolFailure {
    ToolFailure::new(ErrorType::User, format!("{message}; no file was changed"))
}

fn read_again(path: &str) -> String {
    format!("Read it again with file_read(path={path:?}) and write the patch again.")
}

#[cfg(test)]
mod tests;
