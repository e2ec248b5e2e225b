//! [`McpServers`]: all servers of the file, from the start of the program to its end.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex};

use serde_json::{Map, Value};
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::time::timeout;

use super::client::Limits;
use super::error::McpError;
use super::file::{McpConfig, ServerFile};
use super::names::server_id;
use super::prompts::Prompt;
use super::saved::Saved;
use super::status::{ChangedTool, ServerState, ServerStatus, StatusTable};
use super::supervisor::{Order, Shared, Supervisor};
use super::switched_off::SwitchedOff;
use super::tool_approvals::ToolApprovals;
use switchboard_runtime::{KeyValueStore, Shutdown};
use switchboard_tools::ToolRegistry;

/// How many servers start at once; more would only slow each other and everything else.
const STARTS_AT_ONCE: usize = 8;

/// Where the definitions that were agreed to are kept.
pub const DEFINITIONS: &str = "mcp-definitions.json";

/// Where it is kept which servers are switched off.
pub const SWITCHED_OFF: &str = "mcp-switched-off.json";

/// How many orders may wait for a server.
const ORDERS: usize = 4;

/// The MCP servers; cheap to clone.
#[derive(Clone)]
pub struct McpServers {
    shared: Arc<Shared>,
    controls: Arc<BTreeMap<String, Control>>,
}

/// What is said to a server's supervisor.
struct Control {
    orders: mpsc::Sender<Order>,
    on: watch::Sender<bool>,
}

impl McpServers {
    /// Reads the file and starts its servers in the background; which of their tools were agreed to is among `values`.
    ///
    /// # Errors
    /// When a file cannot be used; a server that cannot be started is not an error.
    pub fn start(
        config: &McpConfig,
        registry: &Arc<ToolRegistry>,
        values: Arc<dyn KeyValueStore>,
    ) -> Result<Self, McpError> {
        Self::start_with(config, registry, Limits::default(), Some(values))
    }

    /// No servers.
    ///
    /// # Panics
    /// Never: nothing is read.
    #[must_use]
    pub fn none() -> Self {
        Self::start_with(&McpConfig::default(), &Arc::default(), Limits::default(), None).expect("nothing can be wrong")
    }

    pub(super) fn start_with(
        config: &McpConfig,
        registry: &Arc<ToolRegistry>,
        limits: Limits,
        values: Option<Arc<dyn KeyValueStore>>,
    ) -> Result<Self, McpError> {
        let file = match &config.file {
            Some(path) => ServerFile::read(path, &config.environment)?,
            None => ServerFile::default(),
        };
        for warning in &file.warnings {
            tracing::warn!("{warning}");
        }
        // Without servers there is nothing to remember.
        let values = values.filter(|_| !file.servers.is_empty());
        let saved = |name| values.clone().map(|values| Saved::new(values, name));
        let switched_off = SwitchedOff::read(saved(SWITCHED_OFF))?;
        let shared = Arc::new(Shared {
            registry: Arc::clone(registry),
            statuses: Arc::new(StatusTable::new(&file.servers, &file.disabled)),
            tool_approvals: Arc::new(ToolApprovals::read(saved(DEFINITIONS))?),
            switched_off: Arc::new(switched_off),
            connections: Mutex::default(),
            limits,
            subreaper: config.subreaper.clone(),
            // Of their own: running turns may call tools until the last one has ended.
            shutdown: Shutdown::new(),
            starts: Semaphore::new(STARTS_AT_ONCE),
        });
        let mut controls = BTreeMap::new();
        for server in file.servers {
            let (orders, receiver) = mpsc::channel(ORDERS);
            let (on, is_on) = watch::channel(!shared.switched_off.contains(&server.name));
            controls.insert(server.name.clone(), Control { orders, on });
            drop(shared.shutdown.spawn(Supervisor::new(server, Arc::clone(&shared), receiver, is_on).run()));
        }
        let servers = Self { shared, controls: Arc::new(controls) };
        if let Some(values) = values {
            drop(servers.shared.shutdown.spawn(servers.clone().follow(values.changes())));
        }
        Ok(servers)
    }

    /// What is known of each server, by name.
    #[must_use]
    pub fn list(&self) -> Vec<ServerStatus> {
        self.shared.statuses.all()
    }

    /// The modules that the servers' tools are in.
    #[must_use]
    pub fn modules(&self) -> Vec<String> {
        self.controls.keys().filter_map(|name| server_id(name).ok()).collect()
    }

    /// Ends a server's connection, if there is one, and starts it anew at once; whether there is such a server.
    #[must_use]
    pub fn restart(&self, name: &str) -> bool {
        self.order(name, Order::Restart)
    }

    /// Switches a server on or off, for every session and over restarts. One that is switched off has ended when this
    /// returns, and its tools are gone. `false`: the file names no such server, or turns it off itself.
    ///
    /// # Errors
    /// When it cannot be saved; then it is as it was.
    pub async fn switch(&self, name: &str, on: bool) -> io::Result<bool> {
        let Some(control) = self.controls.get(name) else { return Ok(false) };
        let (switched_off, to, server) = (Arc::clone(&self.shared.switched_off), control.on.clone(), name.to_owned());
        // Both are done even if nobody waits for it any more.
        let switch = move || {
            switched_off.switch(&server, on, || {
                to.send_replace(on);
            })
        };
        tokio::task::spawn_blocking(switch).await??;
        if !on {
            let is_off = |server: &ServerStatus| server.name == name && server.state == ServerState::Off;
            // Whoever switches it on again meanwhile does not leave this one waiting.
            let mut switched = control.on.subscribe();
            let ended = async {
                tokio::select! {
                    _ = self.until(|all| all.iter().any(is_off)) => {}
                    _ = switched.wait_for(|on| *on) => {}
                }
            };
            let _ = timeout(2 * self.shared.limits.end, ended).await;
        }
        Ok(true)
    }

    /// Agrees to what changed: to one tool of this name, or to all of the server of this name. The names of the tools.
    #[must_use]
    pub fn approve(&self, name: &str) -> Vec<String> {
        self.agree(|server, changed| server == name || changed.tool == name)
    }

    /// Agrees to exactly this definition of a tool of the server, which is one that is held back now. The tool's name.
    #[must_use]
    pub fn approve_definition(&self, server: &str, definition: &str) -> Option<String> {
        self.agree(|name, changed| name == server && changed.definition() == definition).pop()
    }

    fn agree(&self, wanted: impl Fn(&str, &ChangedTool) -> bool) -> Vec<String> {
        let mut agreed = Vec::new();
        for status in self.list() {
            let before = agreed.len();
            for changed in status.changed.into_iter().filter(|changed| wanted(&status.name, changed)) {
                self.shared.tool_approvals.agree(&status.name, &changed.tool, changed.approved);
                agreed.push(changed.tool);
            }
            if agreed.len() > before {
                self.shared.statuses.change(&status.name, |status| {
                    status.changed.retain(|changed| !agreed.contains(&changed.tool));
                });
                self.order(&status.name, Order::List);
            }
        }
        agreed
    }

    /// Takes what is agreed to and switched at other servers, until the end.
    async fn follow(self, mut changes: watch::Receiver<u64>) {
        loop {
            tokio::select! {
                changed = changes.changed() => if changed.is_err() { return },
                () = self.shared.shutdown.stopping().cancelled() => return,
            }
            self.shared.tool_approvals.take_up();
            self.shared.switched_off.take_up(self.controls.iter().map(|(name, control)| (name, &control.on)));
            for status in self.list().iter().filter(|status| !status.changed.is_empty()) {
                self.order(&status.name, Order::List);
            }
        }
    }

    /// The prompts of all servers that are ready.
    #[must_use]
    pub fn prompts(&self) -> Vec<Prompt> {
        self.list().into_iter().flat_map(|status| status.prompts).collect()
    }

    /// Asks the server of this prompt for its text.
    ///
    /// # Errors
    /// Why there is none, for the person who asked.
    pub async fn prompt_text(&self, prompt: &Prompt, arguments: Map<String, Value>) -> Result<String, String> {
        let connection = self.shared.connections().get(&prompt.server).cloned();
        let text = match connection {
            Some(connection) => prompt.text(&connection, arguments, self.shared.limits.answer).await,
            None => Err("it is not available; `/mcp` shows its state".to_owned()),
        };
        text.map_err(|problem| format!("The MCP server {} did not return the prompt: {problem}.", prompt.server))
    }

    /// Sends an order; what is ordered more often than it can be done is left out.
    fn order(&self, name: &str, order: Order) -> bool {
        self.controls.get(name).is_some_and(|control| {
            let _ = control.orders.try_send(order);
            true
        })
    }

    /// Waits until what is known of the servers fits, and answers it.
    pub async fn until(&self, fits: impl Fn(&[ServerStatus]) -> bool) -> Vec<ServerStatus> {
        let mut changes = self.shared.statuses.subscribe();
        loop {
            changes.mark_unchanged();
            let all = self.shared.statuses.all();
            if fits(&all) || changes.changed().await.is_err() {
                return all;
            }
        }
    }

    /// Ends all servers with everything they started.
    pub async fn stop(&self) {
        let Shared { shutdown, limits, .. } = &*self.shared;
        shutdown.cut_off();
        if timeout(2 * limits.end, shutdown.ended()).await.is_err() {
            tracing::warn!("some MCP servers did not stop");
        }
    }
}
