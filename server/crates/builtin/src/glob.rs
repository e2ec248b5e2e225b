//! `glob`: files by a pattern of their names.

use async_trait::async_trait;
use globset::{GlobBuilder, GlobMatcher};
use serde_json::{Map, Value, json};
use switchboard_protocol::{ErrorType, Risk, ToolDefinition};

use super::paths::{start, text};
use super::schema;
use super::search::search;
use switchboard_events::ArtifactValue;
use switchboard_tools::text::sanitize_line;
use switchboard_tools::{Tool, ToolContext, ToolFailure, ToolResult, ToolSpec};
use switchboard_workspace::{EntryKind, Finds, WalkEntry, WalkOptions};

/// How many paths one call gives.
const MAX_PATHS: usize = 1000;

/// Finds files.
pub(super) struct Glob {
    spec: ToolSpec,
}

impl Glob {
    pub(super) fn new() -> Self {
        Self { spec: ToolSpec::new(definition()) }
    }
}

fn definition() -> ToolDefinition {
    ToolDefinition {
        name: "glob".to_owned(),
        description:
            "Find files by name with a glob pattern, such as *.rs or src/**/*.test.ts: locate files of a kind \
                      anywhere in the workspace. Leaves out what .gitignore names."
                .to_owned(),
        module: "files".to_owned(),
        parameters: schema::arguments(
            &["pattern"],
            json!({
                "pattern": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 1000,
                    "description": "The pattern: * within a name, ** over folders, ? one character, {a,b} and [ab] \
                                    choices. Without a / it is looked for in every folder.",
                },
                "path": schema::start("The folder to search in, relative to the workspace."),
            }),
        ),
        output: Some(json!({"type": "array", "items": {"type": "string"}, "description": "Paths, in order."})),
        example: json!({"pattern": "**/*.md", "path": "docs"}),
        risk: Risk::Read,
        examples: Vec::new(),
    }
}

#[async_trait]
impl Tool for Glob {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn title(&self, arguments: &Map<String, Value>) -> Option<String> {
        Some(format!("Find {}", text(arguments, "pattern")))
    }

    async fn execute(&self, context: &ToolContext, arguments: &Map<String, Value>) -> ToolResult {
        find(context, arguments).await.into()
    }
}

async fn find(context: &ToolContext, arguments: &Map<String, Value>) -> Result<ToolResult, ToolFailure> {
    let pattern = text(arguments, "pattern");
    let names = Names::new(pattern)?;
    let start = start(context, arguments)?;
    let options = WalkOptions { hidden: names.hidden, ..WalkOptions::default() };
    let found = search(
        context,
        &start,
        options,
        MAX_PATHS,
        || (),
        move |(), path, entry, found| {
            if names.fit(path, entry) {
                found.push(entry.path.to_string());
            }
        },
    );
    Ok(told(pattern, found.await?))
}

fn told(pattern: &str, finds: Finds<String>) -> ToolResult {
    let count = finds.found.len();
    let heading = match count {
        0 => format!("Nothing matches {pattern}"),
        _ if finds.more => format!("The first {count} matches of {pattern}; there are more:"),
        1 => "1 match:".to_owned(),
        _ => format!("{count} matches:"),
    };
    let lines = std::iter::once(heading).chain(finds.found.iter().map(|path| sanitize_line(path)));
    let view = lines.collect::<Vec<_>>().join("\n");
    let value = finds.found.into_iter().map(Value::String).collect();
    ToolResult::success(ArtifactValue::Json(value)).with_view(view).with_field("matches", count)
}

/// A pattern of names.
pub(super) struct Names {
    matcher: GlobMatcher,
    /// Only the last name of a path is compared.
    last_only: bool,
    directories: bool,
    hidden: bool,
}

impl Names {
    pub(super) fn new(pattern: &str) -> Result<Self, ToolFailure> {
        let plain = pattern.strip_prefix("./").unwrap_or(pattern);
        let directories = plain.ends_with('/');
        let plain = plain.trim_end_matches('/');
        if plain.starts_with('/') || plain.split('/').any(|part| part == "..") {
            let message = format!("the pattern {pattern:?} leads outside the folder that is searched");
            let next = "Give a pattern such as \"**/*.rs\", and the folder in `path`.";
            return Err(ToolFailure::new(ErrorType::User, message).suggesting(next));
        }
        let glob = GlobBuilder::new(plain).literal_separator(true).empty_alternates(true).build();
        let matcher = glob.map_err(|error| {
            let message = format!("the pattern {pattern:?} cannot be used: {}", error.kind());
            ToolFailure::new(ErrorType::User, message).suggesting("Example: glob(pattern=\"src/**/*.{ts,tsx}\")")
        })?;
        Ok(Self {
            matcher: matcher.compile_matcher(),
            last_only: !plain.contains('/'),
            directories,
            hidden: plain.split('/').any(|part| part.starts_with('.')),
        })
    }

    /// Whether the path, seen from where the search began, is one of those that are meant.
    pub(super) fn fit(&self, path: &str, entry: &WalkEntry) -> bool {
        let is_directory = entry.kind == EntryKind::Directory;
        if is_directory != self.directories {
            return false;
        }
        let name = if self.last_only { entry.path.name().unwrap_or(path) } else { path };
        self.matcher.is_match(name)
    }
}

#[cfg(test)]
#[path = "glob_tests.rs"]
mod tests;
