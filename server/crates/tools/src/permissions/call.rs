//! What rules look at in a call: its tool, its arguments, and the commands, files and addresses in them.

use serde_json::{Map, Value};
use switchboard_protocol::{Risk, ToolDefinition};

use super::start_files::is_start_file;
use super::text::TextPattern;
use crate::Tool;
use switchboard_sandbox::shell::{PlainCommand, UNKNOWN, plain_commands, program, read_line};
use switchboard_workspace::Workspace;

/// Parameters that name files or folders.
const PATHS: &[&str] = &["path", "paths", "file_path", "file_paths", "filePath", "file"];

/// A call, as rules see it.
pub struct CallTraits<'a> {
    pub(super) definition: &'a ToolDefinition,
    risk: Risk,
    /// What this call may do beyond its tool's usual risk.
    pub(super) further: Option<Risk>,
    always_confirm: bool,
    by_user: bool,
    /// How far a program that it runs reaches.
    network_reach: Option<&'static str>,
    arguments: &'a Map<String, Value>,
    pub(super) command: Option<Command>,
    pub(super) paths: Vec<String>,
    /// A file of those it changes that shells, editors or git obey.
    start_file: Option<String>,
    pub(super) address: Option<&'a str>,
}

/// A command line: what certainly runs, if that can be told, and what seems to.
pub(super) struct Command {
    certain: Option<Vec<PlainCommand>>,
    /// Every way in which each command could be written.
    texts: Vec<String>,
}

/// What a call of a tool is mainly about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Main {
    Command,
    Files,
    Address,
    Nothing,
}

/// How far a rule applies to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hit {
    /// Not at all.
    No,
    /// Perhaps: what will run cannot be told from its text.
    Maybe,
    /// It does.
    Yes,
}

impl Main {
    pub(super) fn of(definition: &ToolDefinition) -> Self {
        let has = |name: &str| definition.parameters.pointer(&format!("/properties/{name}")).is_some();
        if definition.module == "shell" && has("command") {
            Self::Command
        } else if definition.module == "files" || PATHS.iter().any(|name| has(name)) {
            Self::Files
        } else if has("url") {
            Self::Address
        } else {
            Self::Nothing
        }
    }
}

impl<'a> CallTraits<'a> {
    /// Whether it always asks: its tool does, or it changes a file that shells, editors or git obey.
    #[must_use]
    pub fn always_confirm(&self) -> bool {
        self.always_confirm || self.start_file.is_some()
    }

    /// The file that it changes and that shells, editors or git obey, if there is one.
    #[must_use]
    pub fn start_file(&self) -> Option<&str> {
        self.start_file.as_deref()
    }

    /// The same call, of which it is known that it changes these files.
    #[must_use]
    pub fn changing<'p>(mut self, paths: impl Iterator<Item = &'p str>) -> Self {
        self.start_file = self.start_file.or_else(|| start_file(self.risk, paths));
        self
    }

    /// The same call of a tool that always asks, whoever says so.
    #[must_use]
    pub fn always_confirming(self, always_confirm: bool) -> Self {
        Self { always_confirm, ..self }
    }

    /// What the tool, its arguments and the files that they name say.
    #[must_use]
    pub fn new(tool: &'a dyn Tool, arguments: &'a Map<String, Value>, by_user: bool, workspace: &Workspace) -> Self {
        let spec = tool.spec();
        let text = |name: &str| arguments.get(name).and_then(Value::as_str);
        let risk = tool.risk(arguments);
        let main = Main::of(&spec.definition);
        let paths = if main == Main::Files { paths(tool, arguments, workspace) } else { Vec::new() };
        let start_file = start_file(risk, paths.iter().map(String::as_str));
        Self {
            definition: &spec.definition,
            risk,
            start_file,
            further: (risk != spec.definition.risk).then_some(risk),
            always_confirm: spec.always_confirm,
            by_user,
            network_reach: tool.network_reach(),
            arguments,
            command: (main == Main::Command).then(|| Command::new(text("command").unwrap_or_default())),
            paths,
            address: if main == Main::Address { text("url") } else { None },
        }
    }

    /// What it may do.
    pub fn risk(&self) -> Risk {
        self.risk
    }

    /// "The network", and how far that is.
    #[must_use]
    pub fn network(&self) -> String {
        self.network_reach.map_or_else(|| "the network".to_owned(), |reach| format!("the network {reach}"))
    }

    /// Whether the user makes it.
    pub fn by_user(&self) -> bool {
        self.by_user
    }

    /// The texts of an argument: itself, or each thing in a list.
    pub(super) fn texts_of(&self, name: &str) -> Option<Vec<String>> {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned);
        self.arguments.get(name).map(|value| match value {
            Value::Array(items) => items.iter().map(text).collect(),
            value => vec![text(value)],
        })
    }

    /// What certainly runs, if the call is a command and that can be told.
    pub(super) fn certain(&self) -> Option<&[PlainCommand]> {
        self.command.as_ref()?.certain.as_deref()
    }
}

fn start_file<'p>(risk: Risk, mut paths: impl Iterator<Item = &'p str>) -> Option<String> {
    let changes = !matches!(risk, Risk::Read | Risk::Ui);
    changes.then(|| paths.find(|path| is_start_file(path)).map(ToOwned::to_owned)).flatten()
}

/// The files and folders that the arguments name, relative to the workspace where they are in it. A link is followed,
/// so that both its own place and the one it leads to count.
fn paths(tool: &dyn Tool, arguments: &Map<String, Value>, workspace: &Workspace) -> Vec<String> {
    let mut named: Vec<String> = tool.changes(arguments);
    for name in PATHS {
        match arguments.get(*name) {
            Some(Value::String(path)) => named.push(path.clone()),
            Some(Value::Array(paths)) => named.extend(paths.iter().filter_map(Value::as_str).map(ToOwned::to_owned)),
            _ => {}
        }
    }
    if named.is_empty() {
        named.push(".".to_owned());
    }
    let mut paths: Vec<String> = Vec::new();
    for path in named {
        let Ok(relative) = workspace.relative(&path) else {
            paths.push(path);
            continue;
        };
        paths.extend(workspace.real(&relative).map(|real| real.to_string()));
        paths.push(relative.to_string());
    }
    paths.sort();
    paths.dedup();
    paths
}

impl Command {
    fn new(line: &str) -> Self {
        let certain = plain_commands(line);
        let mut texts = Vec::new();
        for command in certain.iter().flatten() {
            spellings(&command.words, &mut texts);
        }
        for command in read_line(line).commands {
            spellings(&command.words, &mut texts);
        }
        Self { certain, texts }
    }

    /// Whether one of the commands is of this kind.
    pub(super) fn hits(&self, pattern: &TextPattern) -> Hit {
        if self.texts.iter().any(|text| pattern.fits(text)) {
            Hit::Yes
        } else if self.certain.is_none() || self.texts.iter().any(|text| pattern.may_fit(text)) {
            Hit::Maybe
        } else {
            Hit::No
        }
    }

    /// Whether a pattern allows a command: exactly as it is written, without variables set for it, and writing to no
    /// file beside what the program itself does.
    pub(super) fn is_allowed(command: &PlainCommand, pattern: &TextPattern) -> bool {
        let harmless = command.writes_to.iter().all(|path| path == "/dev/null");
        if command.words.is_empty() || command.assigns || !harmless {
            return false;
        }
        let text = command.words.join(" ");
        if !pattern.fits(&text) {
            return false;
        }
        // `git -c core.pager=… log` runs what its option says: only a pattern that names the option allows that.
        match command.words.as_slice() {
            [git, option, ..] if git == "git" && (option.starts_with(['-', '{']) || option.contains(UNKNOWN)) => {
                let without = TextPattern::new("git -*");
                without.covers(pattern)
            }
            _ => true,
        }
    }
}

/// A command as it is written, by its program's plain name, and without options before a subcommand.
fn spellings(words: &[String], texts: &mut Vec<String>) {
    if words.is_empty() {
        return;
    }
    let mut plain = words.to_vec();
    plain[0] = program(words).to_owned();
    texts.push(words.join(" "));
    texts.push(plain.join(" "));
    if plain[0] == "git" {
        let valued = ["-c", "-C", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env"];
        let mut at = 1;
        while let Some(option) = plain.get(at).filter(|word| word.starts_with('-')) {
            at += if valued.contains(&option.as_str()) { 2 } else { 1 };
        }
        let rest = plain.get(at..).unwrap_or_default().iter();
        texts.push(std::iter::once("git").chain(rest.map(String::as_str)).collect::<Vec<_>>().join(" "));
    }
}
