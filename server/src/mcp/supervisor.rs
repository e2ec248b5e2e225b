//! One task a server: start it, offer its tools while it is there, take them back when it is gone, start it again.
//!
//! A server's tools are in the registry exactly while its connection lives. A definition that changed is another tool to
//! the registry, so that what was allowed for the old one is not allowed for the new one; a call that runs keeps the
//! tool it began with.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;
use std::time::Duration;

use switchboard_protocol::ToolDefinition;
use tokio::sync::{Notify, Semaphore};
use tokio::time::{Instant, sleep, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

use super::adapter::McpTool;
use super::caller::Caller;
use super::client::{Limits, MAX_TOOLS, Opened, open};
use super::error::ServerFault;
use super::file::{Door, ServerConfig};
use super::resources;
use super::status::{Board, ServerState};
use crate::runtime::Shutdown;
use crate::tools::{Tool, ToolRegistry};

/// What is waited before a start after this many failures in a row: at most five starts in any minute.
const PAUSES: [Duration; 6] = [
    Duration::from_millis(200),
    Duration::from_secs(1),
    Duration::from_secs(4),
    Duration::from_secs(10),
    Duration::from_secs(20),
    Duration::from_secs(60),
];

/// A server that ran this long has not failed.
const SETTLED: Duration = Duration::from_secs(60);

/// What all supervisors share.
pub(super) struct Shared {
    pub(super) registry: Arc<ToolRegistry>,
    pub(super) board: Arc<Board>,
    pub(super) limits: Limits,
    pub(super) shutdown: Shutdown,
    /// So many servers may start at once.
    pub(super) starts: Semaphore,
}

/// Keeps one server running.
pub(super) struct Supervisor {
    server: ServerConfig,
    shared: Arc<Shared>,
    /// Somebody does not want to wait for the next start.
    wake: Arc<Notify>,
}

/// Tools of a server that are in the registry.
type Offered = BTreeMap<String, ToolDefinition>;

impl Supervisor {
    pub(super) fn new(server: ServerConfig, shared: Arc<Shared>, wake: Arc<Notify>) -> Self {
        Self { server, shared, wake }
    }

    /// Runs until the servers are stopped.
    pub(super) async fn run(self) {
        let stop = self.shared.shutdown.stopping().clone();
        let mut failures = 0;
        while !stop.is_cancelled() {
            self.shared.board.change(&self.server.name, |status| {
                status.state = ServerState::Starting;
                status.starts += 1;
            });
            let (fault, ran) = self.run_once(&stop).await;
            if stop.is_cancelled() {
                break;
            }
            failures = if ran >= SETTLED { 1 } else { failures + 1 };
            let pause = PAUSES[(failures - 1).min(PAUSES.len() - 1)];
            self.failed(&fault, pause);
            tokio::select! {
                () = sleep(pause) => {}
                () = self.wake.notified() => failures = 0,
                () = stop.cancelled() => {}
            }
        }
        self.shared.board.change(&self.server.name, |status| status.state = ServerState::Stopped);
    }

    /// From a start to an end: why it ended, and how long it was there.
    async fn run_once(&self, stop: &CancellationToken) -> (ServerFault, Duration) {
        let Shared { limits, shutdown, starts, .. } = &*self.shared;
        let permit = tokio::select! {
            permit = starts.acquire() => permit,
            () = stop.cancelled() => return (ServerFault::Ended("it was stopped".to_owned()), Duration::ZERO),
        };
        let opened = match open(&self.server, limits, stop, shutdown).await {
            Ok(opened) => opened,
            Err(fault) => return (fault, Duration::ZERO),
        };
        let mut offered = Offered::new();
        let listed = tokio::select! {
            listed = self.refresh(&opened, &mut offered) => listed,
            () = stop.cancelled() => Ok(()),
        };
        drop(permit);
        let began = Instant::now();
        let fault = match listed {
            Ok(()) => self.serve(&opened, &mut offered, stop).await,
            Err(fault) => Some(fault),
        };
        for name in offered.keys() {
            self.shared.registry.remove(name);
        }
        self.shared.board.change(&self.server.name, |status| status.tools.clear());
        let how = opened.close().await;
        (fault.unwrap_or(ServerFault::Ended(how)), began.elapsed())
    }

    /// Keeps the registry as the server says, until it is gone or stopped.
    async fn serve(&self, opened: &Opened, offered: &mut Offered, stop: &CancellationToken) -> Option<ServerFault> {
        let limits = &self.shared.limits;
        let watch = &opened.connection.watch;
        let mut next_list = Instant::now() + limits.between_lists;
        let mut next_ping = Instant::now() + limits.between_pings;
        let pings = matches!(self.server.door, Door::Url(_));
        let mut changed = false;
        self.ready(opened);
        loop {
            tokio::select! {
                biased;
                () = stop.cancelled() => return None,
                () = watch.ended() => return None,
                () = self.wake.notified() => return Some(ServerFault::Ended("it was started anew".to_owned())),
                () = watch.tools_changed() => changed = true,
                () = sleep_until(next_list), if changed => {
                    changed = false;
                    tokio::select! {
                        listed = self.refresh(opened, offered) => if let Err(fault) = listed {
                            return Some(fault);
                        },
                        () = stop.cancelled() => return None,
                    }
                    next_list = Instant::now() + limits.between_lists;
                    self.ready(opened);
                }
                () = sleep_until(next_ping), if pings => {
                    if let Err(problem) = opened.connection.ping(limits).await {
                        return Some(ServerFault::Ended(problem));
                    }
                    next_ping = Instant::now() + limits.between_pings;
                }
            }
        }
    }

    /// Lists the server's tools and brings the registry up to it.
    async fn refresh(&self, opened: &Opened, offered: &mut Offered) -> Result<(), ServerFault> {
        let limit = self.shared.limits.list;
        let listed = timeout(limit, opened.connection.list_tools(&self.shared.limits)).await;
        let listed =
            listed.map_err(|_| ServerFault::NoTools(format!("that took over {} s", limit.as_secs_f64())))??;
        let caller = Caller::new(&self.server, &self.shared.limits, &opened.connection);
        let mut notes = listed.skipped;
        let mut wanted = BTreeMap::new();
        for tool in listed.tools.into_iter().take(MAX_TOOLS) {
            let called = tool.name.chars().take(80).collect::<String>();
            match McpTool::new(&self.server, &caller, tool) {
                Ok((tool, hidden)) => {
                    let name = tool.spec().definition.name.clone();
                    if hidden {
                        notes.push(format!("{name}: characters that nobody sees were taken out of its description"));
                    }
                    match wanted.entry(name) {
                        Entry::Vacant(entry) => {
                            entry.insert(Arc::new(tool) as Arc<dyn Tool>);
                        }
                        Entry::Occupied(entry) => {
                            let name = entry.key();
                            notes.push(format!("{called:?} is left out: there is another tool of the name {name}"));
                        }
                    }
                }
                Err(problem) => notes.push(format!("{called:?} is left out: {problem}")),
            }
        }
        if opened.connection.has_resources() {
            for tool in resources::tools(&self.server, &caller) {
                wanted.entry(tool.spec().definition.name.clone()).or_insert(tool);
            }
        }
        self.offer(wanted, offered, &mut notes);
        self.shared.board.change(&self.server.name, |status| {
            for note in notes.iter().filter(|note| !status.notes.contains(note)) {
                tracing::warn!("MCP server {}: {note}", self.server.name);
            }
            status.tools = offered.keys().cloned().collect();
            status.notes = notes;
        });
        Ok(())
    }

    fn offer(&self, wanted: BTreeMap<String, Arc<dyn Tool>>, offered: &mut Offered, notes: &mut Vec<String>) {
        let registry = &self.shared.registry;
        offered.retain(|name, definition| {
            let stays = wanted.get(name).is_some_and(|tool| tool.spec().definition == *definition);
            if !stays {
                registry.remove(name);
            }
            stays
        });
        for (name, tool) in wanted {
            if offered.contains_key(&name) {
                continue;
            }
            let definition = tool.spec().definition.clone();
            match registry.insert(tool) {
                Ok(()) => {
                    offered.insert(name, definition);
                }
                Err(error) => notes.push(format!("{name} is left out: {error}")),
            }
        }
    }

    fn ready(&self, opened: &Opened) {
        let about = opened.connection.about();
        self.shared.board.change(&self.server.name, |status| {
            status.about = about;
            status.fault = None;
            status.state = ServerState::Ready;
        });
        let tools = self.shared.board.tools_of(&self.server.name);
        tracing::info!("MCP server {} is ready with {tools} tools", self.server.name);
    }

    fn failed(&self, fault: &ServerFault, pause: Duration) {
        let text = fault.to_string();
        let is_news = self.shared.board.change(&self.server.name, |status| {
            let is_news = status.fault.as_deref() != Some(&text);
            status.fault = Some(text.clone());
            status.state = ServerState::Waiting;
            is_news
        });
        if is_news == Some(true) {
            tracing::warn!("MCP server {}: {text}; it is started again in {} s", self.server.name, pause.as_secs_f64());
        }
    }
}

#[cfg(test)]
#[path = "supervisor_tests.rs"]
mod tests;
