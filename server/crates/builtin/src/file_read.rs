//! `file_read`: the exact text of one file or several. Line numbers and headings are in the view only. A picture is its
//! bytes, and is shown to a model that can see.

use async_trait::async_trait;
use serde_json::{Map, Value, json};
use switchboard_protocol::{ErrorType, Risk, ToolDefinition};

use super::paths::{one_or_more_paths, texts};
use super::schema;
use switchboard_events::{ArtifactValue, LoadedPicture, MAX_VALUE_BYTES};
use switchboard_tools::text::cut;
use switchboard_tools::{SeenFile, Tool, ToolContext, ToolFailure, ToolResult, ToolSpec};
use switchboard_workspace::Fingerprint;

/// How many files one call reads.
const MAX_FILES: usize = 50;

/// The view shows about this many bytes of all files together; the value has everything.
const VIEW_BYTES: usize = 14 * 1024;

/// The longest line in the view, in characters.
const VIEW_LINE_CHARS: usize = 2000;

/// How much of the first line is always in the view, however many files share it.
const SHORTEST_LINE: usize = 80;

/// Reads files.
pub(super) struct FileRead {
    spec: ToolSpec,
}

/// A file, or the part of it that was asked for.
struct Part {
    path: String,
    text: String,
    first_line: usize,
    lines: usize,
    lines_in_all: usize,
    /// The file is a picture, and its text says so.
    picture: Option<LoadedPicture>,
}

/// What a file holds.
enum FileContent {
    Text(String),
    Picture(LoadedPicture),
}

impl FileRead {
    pub(super) fn new() -> Self {
        let mut spec = ToolSpec::new(definition());
        spec.default_variable = Some("file_content");
        Self { spec }
    }
}

fn definition() -> ToolDefinition {
    ToolDefinition {
        name: "file_read".to_owned(),
        description: "Read the content of one or more text files in the workspace: open, show, view or load a file, \
                      such as a config, source code, notes or JSON. Returns the exact text."
            .to_owned(),
        module: "files".to_owned(),
        parameters: schema::arguments(
            &["file_paths"],
            json!({
                "file_paths": {
                    "type": "array",
                    "items": {"type": "string", "minLength": 1},
                    "minItems": 1,
                    "maxItems": MAX_FILES,
                    "description": "Paths of the files, relative to the workspace. For a single file `path` or \
                                    `filePath` may be given instead.",
                },
                "limit": {
                    "type": "integer",
                    "minimum": 0,
                    "default": 0,
                    "description": "How many lines of each file are read; 0 reads all.",
                },
                "offset": {
                    "type": "integer",
                    "minimum": 1,
                    "default": 1,
                    "description": "The line to begin with, counted from 1.",
                },
            }),
        ),
        output: Some(json!({
            "description": "The exact text of a single file, or the bytes of a picture; of several files an object \
                            from path to text.",
            "type": ["string", "object"],
        })),
        example: json!({"file_paths": ["src/main.rs"], "limit": 50}),
        risk: Risk::Read,
        examples: Vec::new(),
    }
}

#[async_trait]
impl Tool for FileRead {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn normalise(&self, arguments: &mut Map<String, Value>) {
        one_or_more_paths(arguments, "file_paths");
    }

    fn title(&self, arguments: &Map<String, Value>) -> Option<String> {
        Some(format!("Read {}", texts(arguments, "file_paths").join(", ")))
    }

    async fn execute(&self, context: &ToolContext, arguments: &Map<String, Value>) -> ToolResult {
        read(context, arguments).await
    }
}

async fn read(context: &ToolContext, arguments: &Map<String, Value>) -> ToolResult {
    let limit = number(arguments, "limit", 0);
    let offset = number(arguments, "offset", 1);
    let mut parts = Vec::new();
    let mut seen = Vec::new();
    let mut failures = Vec::new();
    let mut room = MAX_VALUE_BYTES;
    for path in texts(arguments, "file_paths") {
        let read = match read_one(context, path, room).await {
            Ok((content, file)) => {
                // Whoever learns that a file is binary has seen it too, and may replace it.
                seen.push(file);
                content.and_then(|content| match content {
                    FileContent::Text(text) => part(path, &text, offset, limit),
                    FileContent::Picture(picture) => Ok(picture_part(path, picture)),
                })
            }
            Err(failure) => Err(failure),
        };
        match read {
            Ok(part) => {
                let picture = part.picture.as_ref().map_or(0, |picture| picture.data.len());
                room -= (part.text.len() + picture).min(room);
                parts.push(part);
            }
            Err(failure) => failures.push(failure),
        }
    }
    let result = match combined(failures) {
        Some(failure) => failure.into(),
        None => result(parts),
    };
    ToolResult { read_files: seen, ..result }
}

fn number(arguments: &Map<String, Value>, name: &str, default: usize) -> usize {
    let given = arguments.get(name).and_then(Value::as_u64);
    given.map_or(default, |number| usize::try_from(number).unwrap_or(usize::MAX))
}

type Read = Result<FileContent, ToolFailure>;

async fn read_one(context: &ToolContext, path: &str, room: usize) -> Result<(Read, SeenFile), ToolFailure> {
    let workspace = &context.workspace;
    let (bytes, fingerprint): (Vec<u8>, Fingerprint) = workspace.read_tracked(path, room as u64).await?;
    let seen = SeenFile { path: workspace.unlinked(path).await?, fingerprint };
    Ok((content(path, bytes), seen))
}

fn content(path: &str, bytes: Vec<u8>) -> Read {
    let length = bytes.len();
    let bytes = match String::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => return Ok(FileContent::Text(text)),
        Ok(text) => text.into_bytes(),
        Err(error) => error.into_bytes(),
    };
    LoadedPicture::of(bytes.into()).map(FileContent::Picture).ok_or_else(|| {
        let kind = mime_guess::from_path(path).first_raw().unwrap_or("unknown type");
        let message = format!("'{path}' is a binary file ({length} bytes, {kind}), not text");
        let next = format!("Look at it with bash, such as `file {path}` or `xxd {path} | head`.");
        ToolFailure::new(ErrorType::User, message).suggesting(next)
    })
}

/// The lines that were asked for, with their line ends.
fn part(path: &str, text: &str, offset: usize, limit: usize) -> Result<Part, ToolFailure> {
    let lines_in_all = text.split_inclusive('\n').count();
    if offset > 1 && offset > lines_in_all {
        let message = format!("'{path}' has {lines_in_all} lines, so there is no line {offset}");
        let next = format!("Use an offset from 1 to {}.", lines_in_all.max(1));
        return Err(ToolFailure::new(ErrorType::User, message).suggesting(next));
    }
    let limit = if limit == 0 { usize::MAX } else { limit };
    let chosen: Vec<&str> = text.split_inclusive('\n').skip(offset - 1).take(limit).collect();
    let (lines, text) = (chosen.len(), chosen.concat());
    Ok(Part { path: path.to_owned(), lines, text, first_line: offset, lines_in_all, picture: None })
}

fn picture_part(path: &str, picture: LoadedPicture) -> Part {
    let text = format!("A {}.", picture.picture);
    Part { path: path.to_owned(), text, first_line: 1, lines: 0, lines_in_all: 0, picture: Some(picture) }
}

/// One failure that says everything that failed.
fn combined(mut failures: Vec<ToolFailure>) -> Option<ToolFailure> {
    if failures.len() < 2 {
        return failures.pop();
    }
    let messages: Vec<&str> = failures.iter().map(|failure| failure.message.as_str()).collect();
    let message = format!("{} files could not be read: {}", failures.len(), messages.join("; "));
    let mut next: Vec<&str> = failures.iter().filter_map(|failure| failure.suggestion.as_deref()).collect();
    next.dedup();
    let error_type = failures[0].error_type;
    Some(ToolFailure::new(error_type, message).suggesting(next.join(" ")))
}

fn result(parts: Vec<Part>) -> ToolResult {
    let view = view(&parts);
    let tokens: usize = parts.iter().map(|part| part.text.len().div_ceil(4)).sum();
    let files = parts.len();
    let lines: usize = parts.iter().map(|part| part.lines).sum();
    let pictures: Vec<LoadedPicture> = parts.iter().filter_map(|part| part.picture.clone()).collect();
    let texts = files - pictures.len();
    let value = match <[Part; 1]>::try_from(parts) {
        Ok([Part { picture: Some(picture), .. }]) => ArtifactValue::Bytes(picture.data),
        Ok([part]) => ArtifactValue::Text(part.text),
        Err(parts) => {
            let texts = parts.into_iter().map(|part| (part.path, Value::String(part.text)));
            ArtifactValue::Json(Value::Object(texts.collect()))
        }
    };
    let result = ToolResult::success(value).with_view(view).with_pictures(pictures).with_field("files_read", files);
    match texts {
        0 => result,
        _ => result.with_field("lines", lines).with_field("estimated_tokens", tokens),
    }
}

fn view(parts: &[Part]) -> String {
    // The shortest first: what they leave of their share goes to the longer ones.
    let mut by_length: Vec<usize> = (0..parts.len()).collect();
    by_length.sort_by_key(|&at| parts[at].text.len());
    let mut views = vec![String::new(); parts.len()];
    let mut room = VIEW_BYTES;
    for (done, &at) in by_length.iter().enumerate() {
        let share = room / (parts.len() - done);
        views[at] = part_view(&parts[at], share);
        room = room.saturating_sub(views[at].len());
    }
    views.join("\n\n")
}

fn part_view(part: &Part, room: usize) -> String {
    let mut view = format!("=== {} ===", part.path);
    if part.picture.is_some() {
        return format!("{view}\n{}", part.text);
    }
    if part.text.is_empty() {
        view.push_str("\n(empty file)");
        return view;
    }
    let longest = VIEW_LINE_CHARS.min(room.max(SHORTEST_LINE));
    let mut has_cut = false;
    let mut rest = String::new();
    for (place, line) in part.text.lines().enumerate() {
        let number = part.first_line + place;
        let shown = cut(line, longest);
        if place > 0 && view.len() + shown.len() > room {
            let left = part.lines - place;
            let tokens = part.text.len().div_ceil(4);
            rest = format!(
                "\n… {left} more lines are not shown here (about {tokens} tokens in total); read on with \
                 offset={number}"
            );
            break;
        }
        has_cut |= shown.len() != line.len();
        view.push_str(&format!("\n{number:6}\t{shown}"));
    }
    if has_cut {
        let tokens = part.text.len().div_ceil(4);
        view.push_str(&format!(
            "\n… lines of more than {longest} characters are cut here (about {tokens} tokens in total); the variable \
             has them in full"
        ));
    }
    let last = part.first_line + part.lines - 1;
    if rest.is_empty() && last < part.lines_in_all {
        rest = format!("\n… lines {} to {} were not requested", last + 1, part.lines_in_all);
    }
    view + &rest
}

#[cfg(test)]
#[path = "file_read_tests.rs"]
mod tests;
