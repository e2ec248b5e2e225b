//! What a setting is, and all of them together: [`Config`], with one field for each room that has settings.

use std::path::PathBuf;

use super::env::Environment;
use super::sections::{
    ClusterConfig, CommandsConfig, ConversationConfig, PathsConfig, PermissionsConfig, ReasoningConfig,
    RetentionConfig, ServiceConfig, StoreConfig,
};
use crate::http::HttpConfig;
use switchboard_builtin::WebConfig;
use switchboard_llm::{EmbeddingsConfig, LlmConfig};
use switchboard_mcp::McpConfig;
use switchboard_store::SqliteOptions;

/// All settings, ready for use.
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// Where the server listens, for how long it holds on to what it runs, and what it logs.
    pub service: ServiceConfig,
    /// The folders and files that it was given.
    pub paths: PathsConfig,
    /// What the HTTP side needs.
    pub http: HttpConfig,
    /// Where sessions are kept, if not in the data folder.
    pub store: StoreConfig,
    /// What servers that share a log know of this one.
    pub cluster: ClusterConfig,
    /// How the log treats its file.
    pub events: SqliteOptions,
    /// Which sessions are kept.
    pub retention: RetentionConfig,
    /// Which calls run, are asked about, or are denied.
    pub permissions: PermissionsConfig,
    /// What commands may do, and for how long.
    pub commands: CommandsConfig,
    /// What of the web is reached.
    pub web: WebConfig,
    /// Which MCP servers there are.
    pub mcp: McpConfig,
    /// Who makes the decisions, and for how many rounds.
    pub reasoning: ReasoningConfig,
    /// Which language model is used, and how.
    pub llm: LlmConfig,
    /// Who says what texts mean, for the search of tools.
    pub embeddings: EmbeddingsConfig,
    /// What a model is told of a conversation, and how much of it.
    pub conversation: ConversationConfig,
}

/// What a setting takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Any text, called so in the help.
    Text(&'static str),
    /// A whole number, called so in the help.
    Number(&'static str),
    /// One of these words.
    Choice(&'static [&'static str]),
    /// `on` or `off`; the flag alone means on.
    Switch,
    /// Several texts, called this; in the file a list.
    List(&'static str),
}

/// What a [`Kind::Switch`] takes.
pub const ON_OFF: [&str; 2] = ["on", "off"];

/// One setting.
pub struct Setting {
    /// Its name: the flag without dashes, the key in the file, the variable in capitals.
    pub key: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// Its default, as it would be written.
    pub default: Fallback,
    /// What it means, in a sentence or two.
    pub help: &'static str,
    /// Whether `SIGHUP` changes it while the server runs.
    pub reloads: bool,
    /// Whether its value must not be shown.
    pub secret: bool,
    /// Whether it is for measurements only, and is in no list.
    pub hidden: bool,
    pub(super) take: fn(&mut Config, &str) -> Result<(), String>,
    /// Takes one of several values, and where it stands.
    pub(super) take_each: fn(&mut Config, &str, String) -> Result<(), String>,
}

/// What holds when nothing was said.
pub enum Fallback {
    /// Nothing.
    None,
    /// This text.
    Text(&'static str),
    /// Something that depends on where the program runs; the words describe it.
    Found(&'static str, fn(&Environment) -> Option<PathBuf>),
}

impl Kind {
    /// Whether it takes several values.
    #[must_use]
    pub fn is_list(self) -> bool {
        matches!(self, Self::List(_))
    }
}

impl Setting {
    /// Puts a value where it belongs.
    ///
    /// # Errors
    /// Says what would be right.
    pub fn take(&self, config: &mut Config, value: &str) -> Result<(), String> {
        match self.kind {
            Kind::Choice(words) if !words.contains(&value) => {
                Err(format!("\"{value}\" is not one of {}", words.join(", ")))
            }
            Kind::Switch if !ON_OFF.contains(&value) => Err(format!("\"{value}\" is not on or off")),
            _ => (self.take)(config, value),
        }
    }

    /// What its value is called in the help.
    #[must_use]
    pub fn value_name(&self) -> String {
        match self.kind {
            Kind::Text(name) | Kind::Number(name) | Kind::List(name) => name.to_owned(),
            Kind::Choice(words) => words.join("|"),
            Kind::Switch => ON_OFF.join("|"),
        }
    }

    /// Its default, for people.
    #[must_use]
    pub fn default_words(&self) -> &'static str {
        match self.default {
            Fallback::None => "none",
            Fallback::Text(text) => text,
            Fallback::Found(words, _) => words,
        }
    }
}
