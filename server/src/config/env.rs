//! The one reader of the environment: settings as `SWITCHBOARD_…`, and where this platform keeps data and settings.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// What settings in the environment begin with.
const PREFIX: &str = "SWITCHBOARD_";

/// `SWITCHBOARD_…` variables that are not settings: for the build, and for the container.
const NO_SETTINGS: [&str; 3] = ["SWITCHBOARD_SKIP_UI", "SWITCHBOARD_BIN", "SWITCHBOARD_TEST"];

/// The environment as it was when the program started.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Environment {
    variables: BTreeMap<String, String>,
    current_dir: PathBuf,
}

impl Environment {
    /// The environment of this process.
    #[must_use]
    pub fn of_process() -> Self {
        let variables = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect();
        Self { variables, current_dir: std::env::current_dir().unwrap_or_else(|_| PathBuf::from(".")) }
    }

    /// An environment for tests.
    #[must_use]
    pub fn of<'a>(variables: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let variables = variables.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        Self { variables, current_dir: PathBuf::from(".") }
    }

    /// All variables.
    #[must_use]
    pub fn variables(&self) -> &BTreeMap<String, String> {
        &self.variables
    }

    /// The variable that sets `key`.
    #[must_use]
    pub fn variable_of(key: &str) -> String {
        format!("{PREFIX}{}", key.to_uppercase().replace('-', "_"))
    }

    /// What the environment says about `key`; an empty variable says nothing.
    #[must_use]
    pub fn setting(&self, key: &str) -> Option<&str> {
        self.get(&Self::variable_of(key))
    }

    /// `SWITCHBOARD_…` variables that set nothing.
    pub fn unknown<'a>(&'a self, known: &'a [String]) -> impl Iterator<Item = &'a str> {
        self.variables.keys().map(String::as_str).filter(move |name| {
            name.starts_with(PREFIX) && !NO_SETTINGS.contains(name) && !known.iter().any(|known| known == name)
        })
    }

    /// The folder that the program was started in.
    #[must_use]
    pub fn current_dir(&self) -> PathBuf {
        self.current_dir.clone()
    }

    /// The home of whoever runs this.
    #[must_use]
    pub fn home(&self) -> Option<PathBuf> {
        self.get("HOME").map(PathBuf::from)
    }

    /// Where data lives on this platform.
    #[must_use]
    pub fn data_dir(&self) -> Option<PathBuf> {
        self.platform_dir("XDG_DATA_HOME", ".local/share")
    }

    /// Where the settings file lives on this platform.
    #[must_use]
    pub fn config_file(&self) -> Option<PathBuf> {
        Some(self.platform_dir("XDG_CONFIG_HOME", ".config")?.join("switchboard.toml"))
    }

    /// Whether colors are unwelcome (no-color.org).
    #[must_use]
    pub fn no_color(&self) -> bool {
        self.get("NO_COLOR").is_some() || self.get("TERM") == Some("dumb")
    }

    fn platform_dir(&self, xdg: &str, below_home: &str) -> Option<PathBuf> {
        let base = if cfg!(target_os = "macos") {
            self.home()?.join("Library/Application Support")
        } else {
            // The XDG specification: a relative path there is to be ignored.
            match self.get(xdg).map(PathBuf::from).filter(|path| path.is_absolute()) {
                Some(base) => base,
                None => self.home()?.join(below_home),
            }
        };
        Some(base.join("switchboard"))
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }
}
