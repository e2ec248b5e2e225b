//! One task per server: start it, offer its tools while it is there, take them back when it is gone, start it again.
//!
//! A server's tools are in the registry exactly while its connection lives. A definition that changed is another tool to
//! the registry, so that what was allowed for the old one is not allowed for the new one; a call that runs keeps the
//! tool it began with.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::future::pending;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use switchboard_protocol::ToolDefinition;
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use super::catalogue::Catalogue;
use super::client::{Connection, Limits, Opened};
use super::error::ServerFault;
use super::file::{ServerConfig, ServerTransport};
use super::greeting::Opening;
use super::status::{ServerState, StatusTable};
use super::switched_off::SwitchedOff;
use super::tool_approvals::ToolApprovals;
use switchboard_runtime::Shutdown;
use switchboard_sandbox::WorkerProgram;
use switchboard_tools::{Tool, ToolRegistry};

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
    pub(super) statuses: Arc<StatusTable>,
    pub(super) tool_approvals: Arc<ToolApprovals>,
    pub(super) switched_off: Arc<SwitchedOff>,
    /// The connections there are, by the names of their servers.
    pub(super) connections: Mutex<BTreeMap<String, Arc<Connection>>>,
    pub(super) limits: Limits,
    pub(super) subreaper: WorkerProgram,
    pub(super) shutdown: Shutdown,
    /// So many servers may start at once.
    pub(super) starts: Semaphore,
}

impl Shared {
    /// The connections there are.
    pub(super) fn connections(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Connection>>> {
        self.connections.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a person may want of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// End it and start it anew, without waiting for the next start.
    Restart,
    /// Ask it anew what it has.
    List,
}

/// Keeps one server running.
pub(super) struct Supervisor {
    server: ServerConfig,
    shared: Arc<Shared>,
    orders: mpsc::Receiver<Order>,
    /// Whether the user has it switched on.
    on: watch::Receiver<bool>,
}

/// Tools of a server that are in the registry.
type Offered = BTreeMap<String, ToolDefinition>;

impl Supervisor {
    pub(super) fn new(
        server: ServerConfig,
        shared: Arc<Shared>,
        orders: mpsc::Receiver<Order>,
        on: watch::Receiver<bool>,
    ) -> Self {
        Self { server, shared, orders, on }
    }

    /// Runs until the servers are stopped; it is there while it is switched on.
    pub(super) async fn run(mut self) {
        let stop = self.shared.shutdown.stopping().clone();
        let mut failures = 0;
        while !stop.is_cancelled() {
            if !self.is_on() {
                self.rest(&stop).await;
                failures = 0;
                continue;
            }
            self.shared.statuses.starting(&self.server.name);
            let (fault, ran, switched_off) = self.run_while_on(&stop).await;
            if stop.is_cancelled() || switched_off {
                failures = 0;
                continue;
            }
            failures = if ran >= SETTLED { 1 } else { failures + 1 };
            let pause = PAUSES[(failures - 1).min(PAUSES.len() - 1)];
            self.failed(&fault, pause);
            if self.wait(pause, &stop).await {
                failures = 0;
            }
        }
        self.shared.statuses.change(&self.server.name, |status| status.state = ServerState::Stopped);
    }

    fn is_on(&self) -> bool {
        *self.on.borrow()
    }

    /// Waits until it is switched on.
    async fn rest(&mut self, stop: &CancellationToken) {
        self.off();
        loop {
            tokio::select! {
                Ok(_) = self.on.wait_for(|on| *on) => return,
                // What was ordered before is not wanted any more.
                Some(_) = self.orders.recv() => {}
                () = stop.cancelled() => return,
            }
        }
    }

    /// From a start to an end, which comes at once when it is switched off.
    async fn run_while_on(&mut self, stop: &CancellationToken) -> (ServerFault, Duration, bool) {
        let run = stop.child_token();
        let mut on = self.on.clone();
        let switched_off = async {
            if on.wait_for(|on| !on).await.is_ok() {
                run.cancel();
            }
            pending::<Infallible>().await
        };
        let (fault, ran) = tokio::select! {
            never = switched_off => match never {},
            ended = self.run_once(&run) => ended,
        };
        (fault, ran, run.is_cancelled())
    }

    /// Nothing of it is there.
    fn off(&self) {
        self.shared.registry.withhold(&self.server.name, Vec::new());
        self.shared.statuses.off(&self.server.name);
    }

    /// Waits before the next start; whether somebody did not want to wait.
    async fn wait(&mut self, pause: Duration, stop: &CancellationToken) -> bool {
        let until = Instant::now() + pause;
        loop {
            tokio::select! {
                () = sleep_until(until) => return false,
                Some(order) = self.orders.recv() => if order == Order::Restart {
                    return true;
                },
                Ok(_) = self.on.wait_for(|on| !on) => return true,
                () = stop.cancelled() => return false,
            }
        }
    }

    /// From a start to an end: why it ended, and how long it was there.
    async fn run_once(&mut self, stop: &CancellationToken) -> (ServerFault, Duration) {
        let shared = Arc::clone(&self.shared);
        let Shared { limits, subreaper, shutdown, starts, statuses, .. } = &*shared;
        let name = self.server.name.clone();
        let permit = tokio::select! {
            permit = starts.acquire() => permit,
            () = stop.cancelled() => return (ServerFault::Ended("it was stopped".to_owned()), Duration::ZERO),
        };
        let errors = &statuses.errors_of(&name);
        let opening = Opening { server: &self.server, subreaper, limits, errors, stop, shutdown };
        let opened = match opening.open().await {
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
            Ok(()) => {
                shared.connections().insert(name.clone(), Arc::clone(&opened.connection));
                self.serve(&opened, &mut offered, stop).await
            }
            Err(fault) => Some(fault),
        };
        shared.connections().remove(&name);
        for name in offered.keys() {
            shared.registry.remove(name);
        }
        statuses.change(&name, |status| {
            status.tools.clear();
            status.prompts.clear();
        });
        let how = opened.close().await;
        (fault.unwrap_or(ServerFault::Ended(how)), began.elapsed())
    }

    /// Keeps the registry as the server says, until it is gone or stopped.
    async fn serve(&mut self, opened: &Opened, offered: &mut Offered, stop: &CancellationToken) -> Option<ServerFault> {
        let limits = self.shared.limits;
        let watch = &opened.connection.watch;
        let mut next_list = Instant::now() + limits.between_lists;
        let mut next_ping = Instant::now() + limits.between_pings;
        let pings = matches!(self.server.transport, ServerTransport::Http(_));
        let stateless = opened.connection.is_stateless();
        let mut changed = false;
        self.ready(opened);
        loop {
            tokio::select! {
                biased;
                () = stop.cancelled() => return None,
                () = watch.ended() => return None,
                Some(order) = self.orders.recv() => match order {
                    Order::Restart => return Some(ServerFault::Ended("it was restarted".to_owned())),
                    Order::List => (changed, next_list) = (true, Instant::now()),
                },
                () = watch.lists_changed() => changed = true,
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
                // What a stateless server has is asked for anew instead, which also tells whether it is there.
                () = sleep_until(next_ping), if stateless => {
                    (changed, next_list) = (true, Instant::now());
                    next_ping = Instant::now() + limits.between_pings;
                }
                () = sleep_until(next_ping), if pings => {
                    if let Err(problem) = opened.connection.ping(&limits).await {
                        return Some(ServerFault::Ended(problem));
                    }
                    next_ping = Instant::now() + limits.between_pings;
                }
            }
        }
    }

    /// Asks what the server has and brings the registry up to it.
    async fn refresh(&self, opened: &Opened, offered: &mut Offered) -> Result<(), ServerFault> {
        let Shared { limits, tool_approvals, statuses, shutdown, .. } = &*self.shared;
        let catalogue = Catalogue::ask(&self.server, &opened.connection, limits, tool_approvals).await?;
        let Catalogue { tools, changed, prompts, mut notes } = catalogue;
        self.offer(tools, offered, &mut notes);
        let name = &self.server.name;
        self.shared.registry.withhold(name, changed.iter().map(|changed| changed.tool.clone()).collect());
        statuses.change(name, |status| {
            for note in notes.iter().filter(|note| !status.notes.contains(note)) {
                tracing::warn!("MCP server {name}: {note}");
            }
            let known = |tool: &str| status.changed.iter().any(|changed| changed.tool == tool);
            for changed in changed.iter().filter(|changed| !known(&changed.tool)) {
                let tool = &changed.tool;
                tracing::warn!("MCP server {name}: {tool} changed and is held back; `/mcp` shows how");
            }
            status.tools = offered.keys().cloned().collect();
            status.changed = changed;
            status.prompts = prompts;
            status.notes = notes;
        });
        let tool_approvals = Arc::clone(tool_approvals);
        drop(shutdown.spawn(async move { tokio::task::spawn_blocking(move || tool_approvals.save()).await }));
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
                Err(error) => notes.push(format!("{name} is skipped: {error}")),
            }
        }
    }

    fn ready(&self, opened: &Opened) {
        let about = opened.connection.about();
        self.shared.statuses.change(&self.server.name, |status| {
            status.about = about;
            status.fault = None;
            status.state = ServerState::Ready;
        });
        let tools = self.shared.statuses.tools_of(&self.server.name);
        tracing::info!("MCP server {} is ready with {tools} tools", self.server.name);
    }

    fn failed(&self, fault: &ServerFault, pause: Duration) {
        let text = fault.to_string();
        if self.shared.statuses.failed(&self.server.name, &text, pause) {
            tracing::warn!(
                "MCP server {}: {text}; it will be restarted in {} s",
                self.server.name,
                pause.as_secs_f64()
            );
        }
    }
}

#[cfg(test)]
#[path = "supervisor_tests.rs"]
mod tests;
