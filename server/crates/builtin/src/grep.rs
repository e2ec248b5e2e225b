//! `grep`: lines that match a regular expression, in the files of the workspace.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkMatch};
use serde_json::{Map, Value, json};
use switchboard_protocol::{ErrorType, Risk, ToolDefinition};

use super::glob::Names;
use super::paths::{start, text};
use super::schema;
use super::search::search;
use switchboard_events::ArtifactValue;
use switchboard_tools::text::{counted, cut, sanitize_line};
use switchboard_tools::{Tool, ToolContext, ToolFailure, ToolResult, ToolSpec};
use switchboard_workspace::{EntryKind, Finds, WalkOptions, WorkspaceErrorKind};

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
        parameters: schema::arguments(
            &["pattern"],
            json!({
                "pattern": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 1000,
                    "description": "The regular expression to find, such as \"TODO|FIXME\"; plain text works as it is.",
                },
                "path": schema::start("The folder or file to search in, relative to the workspace."),
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
            }),
        ),
        output: Some(schema::list(schema::object(json!({
            "path": {"type": "string"},
            "line": {"type": "integer"},
            "text": {"type": "string"},
        })))),
        example: json!({"pattern": "TODO|FIXME", "path": "src", "glob": "*.rs"}),
        risk: Risk::Read,
            examples: Vec::new(),
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

    async fn execute(&self, context: &ToolContext, arguments: &Map<String, Value>) -> ToolResult {
        find(context, arguments).await.into()
    }
}

struct Match {
    path: String,
    line: u64,
    text: String,
}

async fn find(context: &ToolContext, arguments: &Map<String, Value>) -> Result<ToolResult, ToolFailure> {
    let pattern = text(arguments, "pattern");
    let ignore_case = arguments.get("ignore_case").and_then(Value::as_bool).unwrap_or_default();
    let matcher = matcher(pattern, ignore_case)?;
    let names = arguments.get("glob").and_then(Value::as_str).map(Names::new).transpose()?;
    let limit = arguments.get("max_results").and_then(Value::as_u64).and_then(|limit| usize::try_from(limit).ok());
    let limit = limit.unwrap_or(DEFAULT_RESULTS);
    let start = start(context, arguments)?;
    let (finds, files) = match context.workspace.metadata(&start).await?.kind {
        EntryKind::Directory => in_folder(context, &start, &matcher, names, limit).await?,
        _ => (in_file(context, &start, &matcher, limit).await?, 1),
    };
    Ok(told(pattern, finds, files))
}

fn matcher(pattern: &str, ignore_case: bool) -> Result<RegexMatcher, ToolFailure> {
    let mut builder = RegexMatcherBuilder::new();
    builder.case_insensitive(ignore_case).line_terminator(Some(b'\n')).size_limit(10 * 1024 * 1024);
    builder.build(pattern).map_err(|error| {
        let text = error.to_string();
        let reason = text.lines().last().unwrap_or_default().trim_start_matches("error: ");
        let message = format!("the pattern {pattern:?} cannot be used: {}", sanitize_line(reason));
        let next = format!("To search for the text itself, use the pattern {:?}.", regex::escape(pattern));
        ToolFailure::new(ErrorType::Validation, message).suggesting(next)
    })
}

/// What is found below a folder, and in how many files was sought.
async fn in_folder(
    context: &ToolContext,
    start: &str,
    matcher: &RegexMatcher,
    names: Option<Names>,
    limit: usize,
) -> Result<(Finds<Match>, u64), ToolFailure> {
    let files = Arc::new(AtomicU64::new(0));
    let (counted, matcher) = (Arc::clone(&files), matcher.clone());
    let seeker = move || Seeker::new(&matcher, limit);
    let finds = search(context, start, WalkOptions::default(), limit, seeker, move |seeker, path, entry, found| {
        let is_meant = names.as_ref().is_none_or(|names| names.fit(path, entry));
        // Whoever is gone or cannot be read has no matches.
        if entry.kind == EntryKind::File
            && is_meant
            && let Ok(file) = entry.open()
        {
            counted.fetch_add(1, Ordering::Relaxed);
            seeker
                .seek(entry.path.as_str(), found, |searcher, matcher, sink| searcher.search_file(matcher, &file, sink));
        }
    });
    Ok((finds.await?, files.load(Ordering::Relaxed)))
}

async fn in_file(
    context: &ToolContext,
    path: &str,
    matcher: &RegexMatcher,
    limit: usize,
) -> Result<Finds<Match>, ToolFailure> {
    let bytes = context.workspace.read(path, switchboard_events::MAX_VALUE_BYTES as u64).await.map_err(|error| {
        let is_large = error.kind() == WorkspaceErrorKind::TooLarge;
        let failure = ToolFailure::from(error);
        if is_large {
            failure.suggesting("Search in the folder that contains it, with its name as `glob`.")
        } else {
            failure
        }
    })?;
    let mut found = Vec::new();
    Seeker::new(matcher, limit)
        .seek(path, &mut found, |searcher, matcher, sink| searcher.search_slice(matcher, &bytes, sink));
    let more = found.len() > limit;
    found.truncate(limit);
    Ok(Finds { found, more, looked_at: 1, ended: false })
}

/// What one thread searches files with; its buffers are used for all of them.
struct Seeker {
    searcher: Searcher,
    matcher: RegexMatcher,
    limit: usize,
}

impl Seeker {
    fn new(matcher: &RegexMatcher, limit: usize) -> Self {
        let mut searcher = SearcherBuilder::new();
        searcher.line_number(true).binary_detection(BinaryDetection::quit(0)).heap_limit(Some(HEAP_BYTES));
        Self { searcher: searcher.build(), matcher: matcher.clone(), limit }
    }

    fn seek(
        &mut self,
        path: &str,
        found: &mut Vec<Match>,
        run: impl FnOnce(&mut Searcher, &RegexMatcher, Lines<'_>) -> io::Result<()>,
    ) {
        // An error in the middle of a file, such as a line beyond the limit, ends the search in that file only.
        let _rest_left_out = run(&mut self.searcher, &self.matcher, Lines { path, found, limit: self.limit });
    }
}

/// Takes the matching lines of one file, and one more than are wanted, so that it is known that there are more.
struct Lines<'a> {
    path: &'a str,
    found: &'a mut Vec<Match>,
    limit: usize,
}

impl Sink for Lines<'_> {
    type Error = io::Error;

    fn matched(&mut self, _searcher: &Searcher, matched: &SinkMatch<'_>) -> Result<bool, io::Error> {
        let text = String::from_utf8_lossy(matched.bytes());
        let text = cut(text.trim_end_matches(['\n', '\r']), MAX_LINE_CHARS).into_owned();
        let line = matched.line_number().unwrap_or_default();
        self.found.push(Match { path: self.path.to_owned(), line, text });
        Ok(self.found.len() <= self.limit)
    }
}

fn told(pattern: &str, finds: Finds<Match>, files: u64) -> ToolResult {
    let count = finds.found.len();
    let searched = counted(files, "file");
    let heading = match count {
        0 => format!("No line matches {pattern} in {searched}"),
        _ if finds.more => format!("The first {}; there are more:", counted(count as u64, "matching line")),
        _ => format!("{} in {searched}:", counted(count as u64, "matching line")),
    };
    let lines =
        finds.found.iter().map(|found| sanitize_line(&format!("{}:{}: {}", found.path, found.line, found.text.trim())));
    let view = std::iter::once(sanitize_line(&heading)).chain(lines).collect::<Vec<_>>().join("\n");
    let value =
        finds.found.into_iter().map(|found| json!({"path": found.path, "line": found.line, "text": found.text}));
    let result = ToolResult::success(ArtifactValue::Json(value.collect())).with_view(view).with_field("matches", count);
    // How many files were searched before enough was found depends on the threads, so it is not told then.
    if finds.more { result } else { result.with_field("files_searched", files) }
}

#[cfg(test)]
#[path = "grep_tests.rs"]
mod tests;
