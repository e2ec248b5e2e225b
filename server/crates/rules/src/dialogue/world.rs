//! What the words of a request may name: the workspace's paths, programs, variables, memories, tools. Names only.

use std::collections::HashSet;
use std::sync::Arc;

use async_trait::async_trait;
use jiff::Zoned;
use switchboard_nlu::{Paths, World};

use super::roles::Roles;
use crate::ops::plain;
use switchboard_agent::TurnContext;
use switchboard_context::{ContextManager, is_stored};
use switchboard_tools::ToolRegistry;

/// How many files one pattern stands for.
const MAX_MATCHES: usize = 50;

/// Knows the names of a workspace; whoever composes the server gives it.
#[async_trait]
pub trait WorkspaceNames: Send + Sync {
    /// The files and folders as they are now: so many that looking takes no time that people notice.
    async fn paths(&self) -> Arc<Paths>;

    /// Whether a command of that name can be run.
    fn is_program(&self, name: &str) -> bool;
}

/// A workspace without files.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoNames;

#[async_trait]
impl WorkspaceNames for NoNames {
    async fn paths(&self) -> Arc<Paths> {
        Arc::default()
    }

    fn is_program(&self, _name: &str) -> bool {
        false
    }
}

/// What a turn can name.
pub(super) struct Seen<'s> {
    pub(super) paths: Arc<Paths>,
    names: &'s dyn WorkspaceNames,
    context: &'s ContextManager,
    registry: &'s ToolRegistry,
    /// What variables hold under keys, as names are compared.
    pub(super) keys: HashSet<String>,
    now: Zoned,
    /// Whether a client shows windows.
    shows_windows: bool,
}

impl<'s> Seen<'s> {
    pub(super) async fn of(scene: &'s TurnContext<'_>, names: &'s dyn WorkspaceNames) -> Self {
        Self {
            paths: names.paths().await,
            names,
            context: &scene.view.context,
            registry: scene.registry,
            keys: HashSet::new(),
            now: Zoned::now(),
            shows_windows: scene.view.viewers > 0,
        }
    }

    /// Whether a step can call the tool: without a client that shows windows, what asks to see something reads it.
    pub(super) fn can_use(&self, tool: &str) -> bool {
        self.is_tool(tool) && (self.shows_windows || !Roles::get().windows.iter().any(|other| other == tool))
    }

    /// Whether there is a file or folder of that path.
    pub(super) fn is_path(&self, path: &str) -> bool {
        self.is_file(path) || self.is_folder(path)
    }

    pub(super) fn is_file(&self, path: &str) -> bool {
        self.paths.files().any(|file| file == path)
    }

    pub(super) fn is_folder(&self, path: &str) -> bool {
        path == "." || self.paths.folders().any(|folder| folder == path)
    }

    /// The files that fit a pattern: without a `/` by their own names.
    pub(super) fn matching(&self, pattern: &str) -> Vec<String> {
        let mut written = String::new();
        let mut rest = pattern.chars().peekable();
        let mut choices = 0_usize;
        while let Some(c) = rest.next() {
            match c {
                '*' if rest.peek() == Some(&'*') => {
                    rest.next();
                    let folders = rest.next_if_eq(&'/').is_some();
                    written.push_str(if folders { "(?:.*/)?" } else { ".*" });
                }
                '*' => written.push_str("[^/]*"),
                '?' => written.push_str("[^/]"),
                '{' => {
                    choices += 1;
                    written.push_str("(?:");
                }
                '}' if choices > 0 => {
                    choices -= 1;
                    written.push(')');
                }
                ',' if choices > 0 => written.push('|'),
                c => written.push_str(&regex::escape(&c.to_string())),
            }
        }
        written.push_str(&")".repeat(choices));
        let Ok(fits) = regex::Regex::new(&format!("(?i)^(?:{written})$")) else { return Vec::new() };
        let own = |path: &str| {
            if pattern.contains('/') { path.to_owned() } else { path.rsplit('/').next().unwrap_or(path).to_owned() }
        };
        let found = self.paths.files().filter(|path| fits.is_match(&own(path)));
        found.take(MAX_MATCHES).map(str::to_owned).collect()
    }

    /// The file whose name is most like this one.
    pub(super) fn nearest(&self, path: &str) -> Option<String> {
        let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_lowercase();
        let wanted = name(path);
        let alike = |file: &str| strsim::normalized_damerau_levenshtein(&wanted, &name(file));
        let near = self.paths.files().map(|file| (alike(file), file)).filter(|(alike, _)| *alike > 0.6);
        near.max_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, file)| file.to_owned())
    }

    /// What the user stored last.
    pub(super) fn last_stored(&self) -> Option<&str> {
        self.context.variables().rfind(|variable| is_stored(variable)).map(|variable| variable.name.as_str())
    }

    /// The variable that people call this.
    pub(super) fn variable(&self, called: &str) -> Option<String> {
        self.context.called(called).last().map(|entry| entry.variable.name.clone())
    }
}

impl World for Seen<'_> {
    fn paths(&self) -> &Paths {
        &self.paths
    }

    fn now(&self) -> Zoned {
        self.now.clone()
    }

    fn is_program(&self, name: &str) -> bool {
        self.names.is_program(name)
    }

    fn is_variable(&self, name: &str) -> bool {
        self.context.get(name).is_some()
    }

    fn is_memory(&self, key: &str) -> bool {
        self.keys.contains(&plain(key)) || self.context.called(key).any(|entry| is_stored(&entry.variable))
    }

    fn is_tool(&self, name: &str) -> bool {
        self.registry.get(name).is_some()
    }
}
