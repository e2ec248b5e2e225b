//! The parts of [`super::Config`] that the program itself uses: where things are, how long it runs, what is allowed,
//! who decides. Settings that only one room uses are in that room, as its own `…Config`.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use switchboard_agent::DEFAULT_MAX_ITERATIONS;
use switchboard_builtin::ShellConfig;
use switchboard_session::SessionConfig;
use switchboard_tools::{ApproveMode, Rule};

/// Where the server listens, for how long it holds on to what it runs, and what it logs.
#[derive(Debug, Clone)]
pub struct ServiceConfig {
    /// Where the server listens.
    pub listen: SocketAddr,
    /// How long a session without a client and without work stays in memory.
    pub idle: Duration,
    /// How long running turns may go on after a stop.
    pub drain: Duration,
    /// What is logged: a filter of `tracing`.
    pub log: String,
    /// Whether WebSocket clients get back what they send, and nothing else.
    pub echo: bool,
}

impl Default for ServiceConfig {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 7878)),
            idle: SessionConfig::default().idle_close,
            drain: Duration::from_secs(8),
            log: "info".to_owned(),
            echo: false,
        }
    }
}

/// The folders and files that the server was given.
#[derive(Debug, Clone, Default)]
pub struct PathsConfig {
    /// The folder that tools work in.
    pub workspace: PathBuf,
    /// Where sessions are kept.
    pub data: PathBuf,
    /// The home of whoever runs the server; its credentials stay closed.
    pub home: Option<PathBuf>,
    /// The settings file, whether it is there or not.
    pub settings: Option<PathBuf>,
}

/// Where sessions are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreConfig {
    /// The NATS servers that have the log; none: a file in the data folder has it.
    pub servers: Vec<String>,
    /// How many of them keep each message, when the log is made.
    pub replicas: u32,
    /// What they let the server in with.
    pub credentials: Option<PathBuf>,
    /// The certificates that they are trusted with.
    pub certificates: Option<PathBuf>,
    /// The certificate that they are shown, with its key.
    pub identity: Option<PathBuf>,
    /// The file with the key that servers with the same log have in common.
    pub cluster_key: Option<PathBuf>,
}

impl Default for StoreConfig {
    fn default() -> Self {
        Self {
            servers: Vec::new(),
            replicas: 1,
            credentials: None,
            certificates: None,
            identity: None,
            cluster_key: None,
        }
    }
}

impl StoreConfig {
    /// How these NATS servers are reached, without what only a server that runs has.
    #[cfg(feature = "nats")]
    #[must_use]
    pub fn nats(&self, servers: Vec<String>) -> switchboard_store::NatsOptions {
        switchboard_store::NatsOptions {
            servers,
            credentials: self.credentials.clone(),
            certificates: self.certificates.clone(),
            identity: self.identity.clone(),
            replicas: self.replicas,
            max_sessions: None,
            workspace: String::new(),
        }
    }

    /// Whether the log is in NATS.
    #[must_use]
    pub fn is_nats(&self) -> bool {
        !self.servers.is_empty()
    }
}

/// What servers that share a log know of this one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClusterConfig {
    /// Where they reach it, as `host:port`; none: where it listens.
    pub address: Option<String>,
    /// The name of its workspace; none: one made of the machine's name and the folder's.
    pub workspace_id: Option<String>,
}

/// Which sessions are kept; without a limit, all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RetentionConfig {
    /// How many days after its last change.
    pub days: Option<u32>,
    /// How many of each user.
    pub sessions: Option<u64>,
}

/// Which calls run, are asked about, or are denied.
#[derive(Debug, Clone)]
pub struct PermissionsConfig {
    /// Which calls run without asking.
    pub approve: ApproveMode,
    /// What runs without asking, is asked about, or is denied, whatever its risk.
    pub rules: Vec<Rule>,
    /// Tools and modules that ask whatever the mode and the rules are.
    pub always_confirm: Vec<String>,
    /// How long an approval or a question waits for its answer; none: until there is one.
    pub approval_limit: Option<Duration>,
}

impl Default for PermissionsConfig {
    fn default() -> Self {
        Self { approve: ApproveMode::Ask, rules: Vec::new(), always_confirm: Vec::new(), approval_limit: None }
    }
}

/// How the kernel must confine commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SandboxChoice {
    /// As well as it can here.
    On,
    /// In namespaces of their own, with nothing left out; else they do not run.
    Strict,
    /// Not at all.
    Off,
}

/// What commands get that may use the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NetworkChoice {
    /// The server's proxy, which asks about each new domain.
    Proxy,
    /// The machine's own.
    Host,
}

/// What commands may do, and for how long.
#[derive(Debug, Clone, PartialEq)]
pub struct CommandsConfig {
    /// How the kernel must confine commands.
    pub sandbox: SandboxChoice,
    /// What they get that may use the network.
    pub network: NetworkChoice,
    /// Whether what they change can be put back.
    pub checkpoints: bool,
    /// How long a command may run when nobody says so.
    pub timeout: Duration,
    /// Folders that commands may read beside the system's.
    pub readable: Vec<PathBuf>,
}

impl Default for CommandsConfig {
    fn default() -> Self {
        Self {
            sandbox: SandboxChoice::On,
            network: NetworkChoice::Proxy,
            checkpoints: true,
            timeout: ShellConfig::default().timeout,
            readable: Vec::new(),
        }
    }
}

/// Who makes the decisions, and for how many rounds.
#[derive(Debug, Clone, PartialEq)]
pub struct ReasoningConfig {
    /// Who makes the decisions.
    pub reasoner: ReasonerChoice,
    /// How many rounds a turn may take.
    pub max_iterations: u32,
}

impl Default for ReasoningConfig {
    fn default() -> Self {
        Self { reasoner: ReasonerChoice::Auto, max_iterations: DEFAULT_MAX_ITERATIONS }
    }
}

/// What `--reasoner` may say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReasonerChoice {
    /// The best there is.
    Auto,
    /// No model.
    Rules,
    /// One prompt per stage.
    Staged,
    /// The model's own function calling.
    Native,
}

/// What a model is told of a conversation, and how much of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ConversationConfig {
    /// How many tokens a request to the model and its reply have together; none: what the model says.
    pub context_tokens: Option<u64>,
    /// How many tokens the definitions of the offered tools have together; none: a quarter of the window.
    pub tool_tokens: Option<u64>,
    /// How many messages the window holds; none: as many as there is room for.
    pub max_history: Option<usize>,
    /// What a model is told first, from a file; none: the built-in instructions.
    pub system_prompt: Option<String>,
    /// Whether what falls out of the window is summarized.
    pub summarize: bool,
}
