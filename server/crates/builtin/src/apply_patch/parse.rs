//! A patch as steps, one per file.

use std::collections::BTreeSet;

use diffy::Patch;
use diffy::patch_set::{FileMode, FileOperation, FilePatch, ParseOptions, PatchKind, PatchSet};
use switchboard_protocol::ErrorType;

use switchboard_tools::ToolFailure;
use switchboard_tools::text::{cut, sanitize_line};

/// What the patch does to one file.
pub(super) struct Step<'a> {
    /// The file that it begins with; `None`: it makes a new one.
    pub(super) from: Option<String>,
    /// The file that it ends with; `None`: it deletes it.
    pub(super) to: Option<String>,
    pub(super) patch: Patch<'a, str>,
    /// The permissions that git's header names.
    pub(super) mode: Option<u32>,
    /// Whether it is a copy: the first file stays.
    pub(super) keeps_source: bool,
}

/// The steps of a patch.
pub(super) fn steps(patch: &str) -> Result<Vec<Step<'_>>, ToolFailure> {
    let is_git = patch.lines().any(|line| line.starts_with("diff --git "));
    let options = if is_git { ParseOptions::gitdiff() } else { ParseOptions::unidiff() };
    let mut steps = Vec::new();
    for file in PatchSet::parse(patch, options) {
        let file = file.map_err(|error| unreadable(patch, &error.to_string()))?;
        steps.push(step(file)?);
    }
    if steps.is_empty() {
        return Err(invalid("`patch` has no `--- a/file` and `+++ b/file` lines with a hunk after them".to_owned()));
    }
    let mut names = BTreeSet::new();
    for step in &steps {
        let own: BTreeSet<&String> = step.from.iter().chain(&step.to).collect();
        if let Some(twice) = own.into_iter().find(|name| !names.insert((*name).clone())) {
            return Err(invalid(format!("`patch` names {twice} twice; put all hunks of a file under one header")));
        }
    }
    Ok(steps)
}

fn step<'a>(file: FilePatch<'a, str>) -> Result<Step<'a>, ToolFailure> {
    let keeps_source = matches!(file.operation(), FileOperation::Copy { .. });
    let (from, to) = names(file.operation());
    let mode = mode(file.new_mode(), to.as_deref().or(from.as_deref()).unwrap_or_default())?;
    match file.into_patch() {
        PatchKind::Text(patch) => Ok(Step { from, to, patch, mode, keeps_source }),
        PatchKind::Binary(_) => {
            let name = to.or(from).unwrap_or_default();
            let next = "Write binary files with file_write and encoding=\"base64\".";
            Err(invalid(format!("`patch` has a binary change of {name}, and only text can be patched"))
                .suggesting(next))
        }
    }
}

fn names(operation: &FileOperation<'_, str>) -> (Option<String>, Option<String>) {
    let (from, to) = match operation {
        FileOperation::Delete(path) => return (Some(without_prefix(path, "a/")), None),
        FileOperation::Create(path) => return (None, Some(without_prefix(path, "b/"))),
        FileOperation::Rename { from, to } | FileOperation::Copy { from, to } => {
            return (Some(normalized(from)), Some(normalized(to)));
        }
        FileOperation::Modify { original, modified } => (original, modified),
    };
    // `a/x` and `b/x` are git's prefixes only when both are there.
    if from.starts_with("a/") && to.starts_with("b/") {
        return (Some(without_prefix(from, "a/")), Some(without_prefix(to, "b/")));
    }
    (Some(normalized(from)), Some(normalized(to)))
}

fn without_prefix(path: &str, prefix: &str) -> String {
    normalized(path.strip_prefix(prefix).unwrap_or(path))
}

/// GNU diff puts a time behind the name.
fn normalized(path: &str) -> String {
    path.split('\t').next().unwrap_or(path).trim_end().to_owned()
}

fn mode(mode: Option<&FileMode>, path: &str) -> Result<Option<u32>, ToolFailure> {
    match mode {
        None => Ok(None),
        Some(FileMode::Regular) => Ok(Some(0o644)),
        Some(FileMode::Executable) => Ok(Some(0o755)),
        Some(FileMode::Symlink | FileMode::Gitlink) => {
            Err(invalid(format!("`patch` makes {path} a link, and only regular files can be patched")))
        }
    }
}

/// The parser says the byte; people look for lines.
fn unreadable(patch: &str, error: &str) -> ToolFailure {
    let rest = error.trim_start_matches("error parsing patches").trim_start();
    let (byte, reason) = match rest.strip_prefix("at byte ").and_then(|rest| rest.split_once(": ")) {
        Some((byte, reason)) => (byte.parse::<usize>().ok(), reason),
        None => (None, rest.trim_start_matches(": ")),
    };
    let line = byte.filter(|byte| *byte <= patch.len() && patch.is_char_boundary(*byte));
    let place = line.map_or_else(String::new, |byte| {
        let number = patch[..byte].matches('\n').count() + 1;
        let text = patch[byte..].lines().next().unwrap_or_default();
        format!(" at line {number} ({:?})", sanitize_line(&cut(text, 80)))
    });
    let rule = "a hunk begins with @@ -from,lines +from,lines @@ and has exactly as many lines, each beginning with a \
                space, - or +";
    invalid(format!("`patch` cannot be read as a unified diff{place}: {}; {rule}", sanitize_line(reason)))
}

fn invalid(message: String) -> ToolFailure {
    let next = "Example: apply_patch(patch=\"--- a/notes.txt\\n+++ b/notes.txt\\n@@ -1 +1 @@\\n-Old\\n+New\\n\")";
    ToolFailure::new(ErrorType::Validation, message).suggesting(next)
}
