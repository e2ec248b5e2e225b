//! Puts the four layers together and remembers where each value came from; asked again, it reads the file again.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use super::declared::SETTINGS;
use super::env::Environment;
use super::error::ConfigError;
use super::file;
use super::settings::{Config, Fallback, Setting};
use switchboard_runtime::nearest;
use switchboard_tools::Rule;

/// Where a value came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Nobody said anything.
    Default,
    /// The settings file, at this line.
    File(PathBuf, usize),
    /// This variable of the environment.
    Environment(String),
    /// This flag.
    Flag(String),
}

impl fmt::Display for Source {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => formatter.write_str("default"),
            Self::File(path, line) => formatter.write_str(&file::place(path, *line)),
            Self::Environment(name) => formatter.write_str(name),
            Self::Flag(flag) => formatter.write_str(flag),
        }
    }
}

/// A setting with its value.
pub struct Resolved {
    /// The setting.
    pub setting: &'static Setting,
    /// Its value as it was written; absent when there is none.
    pub value: Option<String>,
    /// Where it came from.
    pub source: Source,
}

/// The settings, and where they came from.
pub struct Loaded {
    /// Ready for use.
    pub config: Config,
    /// One for each of [`SETTINGS`], in their order.
    pub resolved: Vec<Resolved>,
    /// The settings file, whether it is there or not.
    pub file: Option<PathBuf>,
    /// What is odd but harmless.
    pub warnings: Vec<String>,
}

/// What does not change while the program runs: its flags and its environment.
#[derive(Debug, Clone)]
pub struct Loader {
    flags: BTreeMap<String, String>,
    environment: Environment,
}

impl Loader {
    /// Flags by key, among them `config`.
    #[must_use]
    pub fn new(flags: BTreeMap<String, String>, environment: Environment) -> Self {
        Self { flags, environment }
    }

    /// Where the settings file is, and whether somebody named it.
    #[must_use]
    pub fn file(&self) -> (Option<PathBuf>, bool) {
        let named = self.flags.get("config").map(String::as_str).or_else(|| self.environment.setting("config"));
        match named {
            Some(path) => (Some(PathBuf::from(path)), true),
            None => (self.environment.config_file(), false),
        }
    }

    /// Reads all layers.
    ///
    /// # Errors
    /// The first wrong value, with its place.
    pub fn load(&self) -> Result<Loaded, ConfigError> {
        let (path, named) = self.file();
        let file = match &path {
            Some(path) => file::read(path)?,
            None => None,
        };
        if let (Some(path), true, None) = (&path, named, &file) {
            return Err(ConfigError::Missing { path: path.display().to_string() });
        }
        let file = file.unwrap_or_default();

        let mut config = Config::default();
        config.paths.home = self.environment.home();
        let mut resolved = Vec::with_capacity(SETTINGS.len());
        for setting in SETTINGS {
            let in_file = file.get(setting.key).zip(path.as_deref());
            let (value, source) = self.layered(setting, in_file);
            if setting.kind.is_list() {
                take_rules(&mut config, setting, value.as_deref(), &source, in_file)?;
            } else if let Some(value) = &value {
                setting
                    .take(&mut config, value)
                    .map_err(|problem| ConfigError::Wrong { place: wrong_place(setting, &source), problem })?;
            }
            resolved.push(Resolved { setting, value, source });
        }
        for (field, key) in [(&config.paths.data, "data"), (&config.paths.workspace, "workspace")] {
            if field.as_os_str().is_empty() {
                return Err(ConfigError::Wrong {
                    place: format!("--{key}"),
                    problem: format!("there is no home folder to put it in; use --{key} DIR"),
                });
            }
        }
        config.paths.settings.clone_from(&path);
        config.mcp.environment.clone_from(self.environment.variables());
        config.llm.environment.0.clone_from(self.environment.variables());
        Ok(Loaded { config, resolved, file: path, warnings: self.warnings() })
    }

    fn layered(&self, setting: &Setting, in_file: Option<(&file::FileValue, &Path)>) -> (Option<String>, Source) {
        let key = setting.key;
        if let Some(value) = self.flags.get(key) {
            return (Some(value.clone()), Source::Flag(format!("--{key}")));
        }
        if let Some(value) = self.environment.setting(key) {
            return (Some(value.to_owned()), Source::Environment(Environment::variable_of(key)));
        }
        if let Some((value, path)) = in_file {
            return (Some(value.value.clone()), Source::File(path.to_owned(), value.line));
        }
        let value = match setting.default {
            Fallback::None => None,
            Fallback::Text(text) => Some(text.to_owned()),
            Fallback::Found(_, find) => find(&self.environment).map(|path| path.display().to_string()),
        };
        (value, Source::Default)
    }

    fn warnings(&self) -> Vec<String> {
        let mut known: Vec<String> = SETTINGS.iter().map(|setting| Environment::variable_of(setting.key)).collect();
        known.push(Environment::variable_of("config"));
        let warn = |name: &str| match nearest(name, known.iter().map(String::as_str), 1).first() {
            Some(near) => format!("{name} in the environment is not a setting; did you mean {near}?"),
            None => format!("{name} in the environment is not a setting"),
        };
        self.environment.unknown(&known).map(warn).collect()
    }
}

/// Takes rules one by one, each with its own place.
fn take_rules(
    config: &mut Config,
    setting: &Setting,
    value: Option<&str>,
    source: &Source,
    in_file: Option<(&file::FileValue, &Path)>,
) -> Result<(), ConfigError> {
    let listed = in_file.filter(|(value, _)| matches!(source, Source::File(..)) && !value.items.is_empty());
    let rules: Vec<(&str, Source)> = match listed {
        Some((value, path)) => {
            let place = |line: usize| Source::File(path.to_owned(), line);
            value.items.iter().map(|(rule, line)| (rule.as_str(), place(*line))).collect()
        }
        None => Rule::split(value.unwrap_or_default()).into_iter().map(|rule| (rule, source.clone())).collect(),
    };
    for (rule, source) in rules {
        let wrong = |problem| ConfigError::Wrong { place: wrong_place(setting, &source), problem };
        (setting.take_each)(config, rule, source.to_string()).map_err(wrong)?;
    }
    Ok(())
}

fn wrong_place(setting: &Setting, source: &Source) -> String {
    match source {
        Source::File(..) => format!("{source}: {}", setting.key),
        Source::Default => format!("--{}", setting.key),
        other => other.to_string(),
    }
}

#[cfg(test)]
#[path = "loader_tests.rs"]
mod tests;
