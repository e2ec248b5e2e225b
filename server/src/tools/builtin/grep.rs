//! `grep`: lines that match a regular expression, in the files of the workspace.

use std::io;
use std::ops::ControlFlow;

use async_trait::async_trait;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkMatch};
use serde_json::{Map, Value, json};
use switchboard_protocol::{ErrorType, Risk, ToolDefinition};

use super::glob::Names;
use super::paths::text;
use super::search::{below, walk};
use crate::events::ArtifactValue;
use crate::tools::text::{clean_line, counted, cut, preview_lines};
use crate::tools::{Tool, ToolContext, ToolFailure, ToolResult, ToolSpec};
use crate::workspace::{EntryKind, WalkEntry, WalkOptions, WorkspaceErrorKind};

/// How many matches a call gives when it does not say.
const DEFAULT_RESULTS: usize = 100;

/// How many it may ask for.
const MAX_RESULTS: usize = 1000;

/// The longest line in a result, in characters.
const MAX_LINE_CHARS: usize = 300;

/// The most memory that searching one file takes: a longer line ends the search in its file.
const HEAP_BYTES: usize = 8 * 1024 * 1024;

/// Searches files.
pub(super) struct Grep {
    spec: ToolSpec,
}

impl Grep {
    pub(super) fn new() -> Self {
        Self { spec: ToolSpec::new(definition()) }
    }
}

fn definition() -> ToolDefinition {
    ToolDefinition {
        name: "grep".to_owned(),
        description: "Search the content of files for a text or regular expression and list the matching lines with \
                      file and line number: find TODO, a function, a word in the code. Leaves out what .gitignore names."
            .to_owned(),
        module: "files".to_owned(),
        parameters: json!({
            "type": "object",
            "properties": {
                "pattern": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 1000,
                    "description": "The regular expression to find, such as \"TODO|FIXME\"; plain text works as it is.",
                },
                "path": {
                    "type": "string",
                    "minLength": 1,
                    "default": ".",
                    "description": "The folder or file to search in, relative to the workspace.",
                },
                "glob": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 1000,
                    "description": "Only files whose names match this, such as \"*.rs\".",
                },
                "ignore_case": {
                    "type": "boolean",
                    "default": false,
                    "description": "Whether capital and small letters are the same.",
                },
                "max_results": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": MAX_RESULTS,
                    "default": DEFAULT_RESULTS,
                    "description": "After how many matching lines the search ends.",
                },
            },
            "required": ["pattern"],
            "additionalProperties": false,
        }),
        output: Some(json!({
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "path": {"type": "string"},
                    "line": {"type": "integer"},
                    "text": {"type": "string"},
                },
            },
        })),
        example: json!({"pattern": "TODO|FIXME", "path": "src", "glob": "*.rs"}),
        risk: Risk::Read,
    }
}

#[async_trait]
impl Tool for Grep {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn title(&self, arguments: &Map<String, Value>) -> Option<String> {
        Some(format!("Search for {}", text(arguments, "pattern")))
    }

    fn preview(&self, result: &ToolResult, max_lines: usize) -> Vec<String> {
        preview_lines(result.view.as_deref().unwrap_or_default(), max_lines)
    }

    async fn execute(&self, context: &ToolContext, arguments: &Map<String, Value>) -> ToolResult {
        search(context, arguments).await.into()
    }
}

/// What has been found so far.
struct Found {
    matches: Vec<Match>,
    files: u64,
    limit: usize,
    more: bool,
}

struct Match {
    path: String,
    line: u64,
    text: String,
}

async fn search(context: &ToolContext, arguments: &Map<String, Value>) -> Result<ToolResult, ToolFailure> {
    let pattern = text(arguments, "pattern");
    let ignore_case = arguments.get("ignore_case").and_then(Value::as_bool).unwrap_or_default();
    let matcher = matcher(pattern, ignore_case)?;
    let names = arguments.get("glob").and_then(Value::as_str).map(Names::new).transpose()?;
    let limit = arguments.get("max_results").and_then(Value::as_u64).and_then(|limit| usize::try_from(limit).ok());
    let found = Found { matches: Vec::new(), files: 0, limit: limit.unwrap_or(DEFAULT_RESULTS), more: false };
    let start = arguments.get("path").and_then(Value::as_str).unwrap_or(".");
    let start = context.workspace.relative(start)?;
    let found = match context.workspace.metadata(start.as_str()).await?.kind {
        EntryKind::Directory => in_folder(context, start.as_str(), matcher, names, found).await?,
        _ => in_file(context, start.as_str(), &matcher, found).await?,
    };
    Ok(told(pattern, found))
}

fn matcher(pattern: &str, ignore_case: bool) -> Result<RegexMatcher, ToolFailure> {
    let mut builder = RegexMatcherBuilder::new();
    builder.case_insensitive(ignore_case).line_terminator(Some(b'\n')).size_limit(10 * 1024 * 1024);
    builder.build(pattern).map_err(|error| {
        let text = error.to_string();
        let reason = text.lines().last().unwrap_or_default().trim_start_matches("error: ");
        let message = format!("the pattern {pattern:?} cannot be used: {}", clean_line(reason));
        let next = format!("For the text itself give the pattern {:?}.", regex::escape(pattern));
        ToolFailure::new(ErrorType::User, message).suggesting(next)
    })
}

async fn in_folder(
    context: &ToolContext,
    start: &str,
    matcher: RegexMatcher,
    names: Option<Names>,
    found: Found,
) -> Result<Found, ToolFailure> {
    let from = start.to_owned();
    walk(context, start, WalkOptions::default(), found, move |found, entry| {
        let is_meant = names.as_ref().is_none_or(|names| names.fit(below(entry.path.as_str(), &from), entry));
        if entry.kind == EntryKind::File && is_meant {
            found.search_entry(entry, &matcher);
        }
        if found.more { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
    .await
}

async fn in_file(
    context: &ToolContext,
    path: &str,
    matcher: &RegexMatcher,
    mut found: Found,
) -> Result<Found, ToolFailure> {
    let bytes = context.workspace.read(path, crate::events::MAX_VALUE_BYTES as u64).await.map_err(|error| {
        let is_large = error.kind() == WorkspaceErrorKind::TooLarge;
        let failure = ToolFailure::from(error);
        if is_large {
            failure.suggesting("Search in the folder that it is in, with its name as `glob`.")
        } else {
            failure
        }
    })?;
    found.search(path, |searcher, sink| searcher.search_slice(matcher, &bytes, sink));
    Ok(found)
}

impl Found {
    fn search_entry(&mut self, entry: &WalkEntry, matcher: &RegexMatcher) {
        // Whoever is gone or cannot be read has no matches.
        let Ok(file) = entry.open() else { return };
        let path = entry.path.to_string();
        self.search(&path, |searcher, sink| searcher.search_file(matcher, &file, sink));
    }

    fn search(&mut self, path: &str, run: impl FnOnce(&mut Searcher, Lines<'_>) -> io::Result<()>) {
        self.files += 1;
        let mut searcher = SearcherBuilder::new()
            .line_number(true)
            .binary_detection(BinaryDetection::quit(0))
            .heap_limit(Some(HEAP_BYTES))
            .build();
        // An error in the middle of a file, such as a line beyond the limit, ends the search in that file only.
        let _rest_left_out = run(&mut searcher, Lines { path, found: self });
    }
}

/// Takes the matching lines of one file.
struct Lines<'a> {
    path: &'a str,
    found: &'a mut Found,
}

impl Sink for Lines<'_> {
    type Error = io::Error;

    fn matched(&mut self, _searcher: &Searcher, matched: &SinkMatch<'_>) -> Result<bool, io::Error> {
        if self.found.matches.len() == self.found.limit {
            self.found.more = true;
            return Ok(false);
        }
        let text = String::from_utf8_lossy(matched.bytes());
        let text = cut(text.trim_end_matches(['\n', '\r']), MAX_LINE_CHARS).into_owned();
        let line = matched.line_number().unwrap_or_default();
        self.found.matches.push(Match { path: self.path.to_owned(), line, text });
        Ok(true)
    }
}

fn told(pattern: &str, found: Found) -> ToolResult {
    let count = found.matches.len();
    let files = counted(found.files, "file");
    let heading = match count {
        0 => format!("No line matches {pattern} in {files}"),
        _ if found.more => format!("The first {} of more:", counted(count as u64, "matching line")),
        _ => format!("{} in {files}:", counted(count as u64, "matching line")),
    };
    let lines =
        found.matches.iter().map(|found| clean_line(&format!("{}:{}: {}", found.path, found.line, found.text.trim())));
    let view = std::iter::once(clean_line(&heading)).chain(lines).collect::<Vec<_>>().join("\n");
    let value =
        found.matches.into_iter().map(|found| json!({"path": found.path, "line": found.line, "text": found.text}));
    ToolResult::success(ArtifactValue::Json(value.collect()))
        .with_view(view)
        .with_field("matches", count)
        .with_field("files_searched", found.files)
}

#[cfg(test)]
#[path = "grep_tests.rs"]
mod tests;
