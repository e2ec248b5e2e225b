//! What a setting is, and what all of them amount to: [`Config`], with one field for each room that is told something.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use super::env::Environment;
use crate::http::HttpConfig;
use switchboard_agent::DEFAULT_MAX_ITERATIONS;
use switchboard_builtin::{ShellConfig, WebConfig};
use switchboard_llm::{EmbeddingsConfig, LlmConfig};
use switchboard_mcp::McpConfig;
use switchboard_session::SessionConfig;
use switchboard_store::SqliteOptions;
use switchboard_tools::{ApproveMode, Rule};

/// All settings, ready for use.
#[derive(Debug, Clone)]
pub struct Config {
    /// Where the server listens.
    pub listen: SocketAddr,
    /// The tools' world.
    pub workspace: PathBuf,
    /// The home of whoever runs the server; its credentials stay closed.
    pub home: Option<PathBuf>,
    /// Where sessions are kept.
    pub data: PathBuf,
    /// The settings file, whether it is there or not.
    pub file: Option<PathBuf>,
    /// What the HTTP side needs.
    pub http: HttpConfig,
    /// How the log treats its file.
    pub events: SqliteOptions,
    /// Which calls run unasked.
    pub approve: ApproveMode,
    /// What runs unasked, is asked about, or is denied, whatever its risk.
    pub rules: Vec<Rule>,
    /// Whether commands are kept in by the kernel.
    pub sandbox: bool,
    /// How long a command may run when nobody says so.
    pub bash_timeout: Duration,
    /// Folders that commands may read beside the system's.
    pub sandbox_read: Vec<PathBuf>,
    /// What of the web is reached.
    pub web: WebConfig,
    /// Which MCP servers there are.
    pub mcp: McpConfig,
    /// Who makes the decisions.
    pub reasoner: ReasonerChoice,
    /// Which language model is used, and how.
    pub llm: LlmConfig,
    /// Who says what texts mean, for the search of tools.
    pub embeddings: EmbeddingsConfig,
    /// How many rounds a turn may take.
    pub max_iterations: u32,
    /// How many tokens a request to the model and its reply have together; none: what the model says.
    pub context_tokens: Option<u64>,
    /// How many messages the window holds; none: as many as there is room for.
    pub max_history: Option<usize>,
    /// What a model is told first, from a file; none: the built-in instructions.
    pub system_prompt: Option<String>,
    /// Whether what falls out of the window is summarised.
    pub summarize: bool,
    /// How long a session without a client and without work stays in memory.
    pub idle: Duration,
    /// How long running turns may go on after a stop.
    pub drain: Duration,
    /// What is logged.
    pub log: String,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 7878)),
            workspace: PathBuf::new(),
            home: None,
            data: PathBuf::new(),
            file: None,
            http: HttpConfig::default(),
            events: SqliteOptions::default(),
            approve: ApproveMode::Ask,
            rules: Vec::new(),
            sandbox: true,
            bash_timeout: ShellConfig::default().timeout,
            sandbox_read: Vec::new(),
            web: WebConfig::default(),
            mcp: McpConfig::default(),
            reasoner: ReasonerChoice::Auto,
            llm: LlmConfig::default(),
            embeddings: EmbeddingsConfig::default(),
            max_iterations: DEFAULT_MAX_ITERATIONS,
            context_tokens: None,
            max_history: None,
            system_prompt: None,
            summarize: false,
            idle: SessionConfig::default().idle_close,
            drain: Duration::from_secs(30),
            log: "info".to_owned(),
        }
    }
}

/// What `--reasoner` may say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReasonerChoice {
    /// The best there is.
    Auto,
    /// No model.
    Rules,
    /// One prompt a stage.
    Staged,
    /// The model's own function calling.
    Native,
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
    /// Rules of the permissions; in the file a list of texts.
    Rules,
}

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
    /// Whether it is for measurements only, and stands in no list.
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

impl Setting {
    /// Puts a value where it belongs.
    ///
    /// # Errors
    /// Says what would be right.
    pub fn take(&self, config: &mut Config, value: &str) -> Result<(), String> {
        match self.kind {
            Kind::Choice(words) if !words.contains(&value) => {
                Err(format!("\"{value}\" is none of {}", words.join(", ")))
            }
            _ => (self.take)(config, value),
        }
    }

    /// What its value is called in the help.
    #[must_use]
    pub fn value_name(&self) -> String {
        match self.kind {
            Kind::Text(name) | Kind::Number(name) => name.to_owned(),
            Kind::Choice(words) => words.join("|"),
            Kind::Rules => "RULES".to_owned(),
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
