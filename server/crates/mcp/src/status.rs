//! What is known of the servers, for people: `/mcp` shows it, tests wait for it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

use super::file::{ServerConfig, ServerTransport};
use super::process::LastLines;
use super::prompts::Prompt;
use super::tool_approvals::ApprovedDefinition;

/// Where a server stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerState {
    /// It is being started.
    Starting,
    /// Its tools are there.
    Ready,
    /// It failed and is started again soon.
    Waiting,
    /// It was stopped with the server.
    Stopped,
    /// The user has switched it off.
    Off,
    /// The file says that it is not wanted.
    Disabled,
}

/// What is known of one server.
#[derive(Debug, Clone)]
pub struct ServerStatus {
    /// As the file names it.
    pub name: String,
    /// The command or the address, as the file has it: with `${NAME}` where a variable stands, without a user and a
    /// query.
    pub address: String,
    /// Whether it is reached by HTTP.
    pub by_http: bool,
    /// Where it stands.
    pub state: ServerState,
    /// What it says of itself.
    pub about: Option<String>,
    /// Its tools, by their names in the registry.
    pub tools: Vec<String>,
    /// Tools that are held back: their definitions are no longer what was agreed to.
    pub changed: Vec<ChangedTool>,
    /// Its prompts.
    pub prompts: Vec<Prompt>,
    /// What was left out of its tools, and why.
    pub notes: Vec<String>,
    /// Why it failed last.
    pub fault: Option<String>,
    /// How often it was started.
    pub starts: u32,
    next_start: Option<Instant>,
    errors: Arc<LastLines>,
}

/// A tool whose definition is another one than the user agreed to.
#[derive(Debug, Clone)]
pub struct ChangedTool {
    /// Its name in the registry.
    pub tool: String,
    /// The beginning of the description that was agreed to.
    pub before: String,
    /// The beginning of the description it has now.
    pub now: String,
    pub(super) approved: ApprovedDefinition,
}

impl ChangedTool {
    /// What tells the definition it has now from all others: a SHA-256.
    #[must_use]
    pub fn definition(&self) -> &str {
        &self.approved.sha256
    }
}

impl ServerStatus {
    /// In how long it is started again.
    #[must_use]
    pub fn again_in(&self) -> Option<Duration> {
        self.next_start.map(|at| at.saturating_duration_since(Instant::now()))
    }

    /// The last lines of its standard error.
    #[must_use]
    pub fn last_words(&self) -> Vec<String> {
        self.errors.all()
    }
}

/// The status of all servers, by name.
#[derive(Debug)]
pub(super) struct StatusTable(watch::Sender<BTreeMap<String, ServerStatus>>);

impl StatusTable {
    /// All servers of the file, none of them started.
    pub(super) fn new(servers: &[ServerConfig], disabled: &[String]) -> Self {
        let wanted = servers.iter().map(|server| {
            let by_http = matches!(server.transport, ServerTransport::Http(_));
            ServerStatus { by_http, ..status(&server.name, server.shown.clone(), ServerState::Starting) }
        });
        let unwanted = disabled.iter().map(|name| status(name, String::new(), ServerState::Disabled));
        Self(watch::Sender::new(wanted.chain(unwanted).map(|status| (status.name.clone(), status)).collect()))
    }

    /// Changes what is known of a server.
    pub(super) fn change<T>(&self, name: &str, change: impl FnOnce(&mut ServerStatus) -> T) -> Option<T> {
        let mut result = None;
        self.0.send_modify(|all| result = all.get_mut(name).map(change));
        result
    }

    /// A server is started.
    pub(super) fn starting(&self, name: &str) {
        self.change(name, |status| {
            status.state = ServerState::Starting;
            status.starts += 1;
            status.next_start = None;
        });
    }

    /// A server is switched off.
    pub(super) fn off(&self, name: &str) {
        self.change(name, |status| {
            status.state = ServerState::Off;
            status.changed.clear();
            status.notes.clear();
            status.fault = None;
            status.next_start = None;
        });
    }

    /// A server has failed and is started again after the pause; whether it says so for the first time.
    pub(super) fn failed(&self, name: &str, fault: &str, pause: Duration) -> bool {
        let is_news = self.change(name, |status| {
            let is_news = status.fault.as_deref() != Some(fault);
            status.fault = Some(fault.to_owned());
            status.state = ServerState::Waiting;
            status.next_start = Some(Instant::now() + pause);
            is_news
        });
        is_news == Some(true)
    }

    /// Where a server's standard error is kept.
    pub(super) fn errors_of(&self, name: &str) -> Arc<LastLines> {
        self.0.borrow().get(name).map(|status| Arc::clone(&status.errors)).unwrap_or_default()
    }

    /// How many tools a server has.
    pub(super) fn tools_of(&self, name: &str) -> usize {
        self.0.borrow().get(name).map_or(0, |status| status.tools.len())
    }

    /// What is known now.
    pub(super) fn all(&self) -> Vec<ServerStatus> {
        self.0.borrow().values().cloned().collect()
    }

    /// Tells of changes.
    pub(super) fn subscribe(&self) -> watch::Receiver<BTreeMap<String, ServerStatus>> {
        self.0.subscribe()
    }
}

fn status(name: &str, address: String, state: ServerState) -> ServerStatus {
    ServerStatus {
        name: name.to_owned(),
        address,
        by_http: false,
        state,
        about: None,
        tools: Vec::new(),
        changed: Vec::new(),
        prompts: Vec::new(),
        notes: Vec::new(),
        fault: None,
        starts: 0,
        next_start: None,
        errors: Arc::default(),
    }
}
