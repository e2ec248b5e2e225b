//! [`McpServers`]: all servers of the file, from the start of the program to its end.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Notify, Semaphore};
use tokio::time::timeout;

use super::client::Limits;
use super::error::McpError;
use super::file::{McpConfig, ServerFile};
use super::status::{Board, ServerStatus};
use super::supervisor::{Shared, Supervisor};
use crate::runtime::Shutdown;
use crate::tools::ToolRegistry;

/// How many servers start at once; more would only slow each other and everything else.
const STARTS_AT_ONCE: usize = 8;

/// The MCP servers; cheap to clone.
#[derive(Clone)]
pub struct McpServers {
    board: Arc<Board>,
    wakes: Arc<BTreeMap<String, Arc<Notify>>>,
    shutdown: Shutdown,
    /// How long one server may take to end.
    limit: Duration,
}

impl McpServers {
    /// Reads the file and starts its servers in the background.
    ///
    /// # Errors
    /// When the file cannot be used; a server that cannot be started is no error.
    pub fn start(config: &McpConfig, registry: &Arc<ToolRegistry>) -> Result<Self, McpError> {
        Self::start_with(config, registry, Limits::default())
    }

    pub(super) fn start_with(
        config: &McpConfig,
        registry: &Arc<ToolRegistry>,
        limits: Limits,
    ) -> Result<Self, McpError> {
        let file = match &config.file {
            Some(path) => ServerFile::read(path, &config.environment)?,
            None => ServerFile::default(),
        };
        for warning in &file.warnings {
            tracing::warn!("{warning}");
        }
        let board = Arc::new(Board::new(&file.servers, &file.disabled));
        // Of their own: running turns may call tools until the last one has ended.
        let shutdown = Shutdown::new();
        let shared = Arc::new(Shared {
            registry: Arc::clone(registry),
            board: Arc::clone(&board),
            limits,
            shutdown: shutdown.clone(),
            starts: Semaphore::new(STARTS_AT_ONCE),
        });
        let mut wakes = BTreeMap::new();
        for server in file.servers {
            let wake = Arc::<Notify>::default();
            wakes.insert(server.name.clone(), Arc::clone(&wake));
            drop(shutdown.spawn(Supervisor::new(server, Arc::clone(&shared), wake).run()));
        }
        Ok(Self { board, wakes: Arc::new(wakes), shutdown, limit: limits.end })
    }

    /// What is known of each server, by name.
    #[must_use]
    pub fn list(&self) -> Vec<ServerStatus> {
        self.board.all()
    }

    /// Ends a server's connection, if there is one, and starts it anew at once; whether there is such a server.
    #[must_use]
    pub fn restart(&self, name: &str) -> bool {
        let wake = self.wakes.get(name);
        if let Some(wake) = wake {
            wake.notify_one();
        }
        wake.is_some()
    }

    /// Waits until what is known of the servers fits, and answers it.
    pub async fn until(&self, fits: impl Fn(&[ServerStatus]) -> bool) -> Vec<ServerStatus> {
        let mut changes = self.board.subscribe();
        loop {
            changes.mark_unchanged();
            let all = self.board.all();
            if fits(&all) || changes.changed().await.is_err() {
                return all;
            }
        }
    }

    /// Ends all servers with everything they started.
    pub async fn stop(&self) {
        self.shutdown.cut_off();
        if timeout(2 * self.limit, self.shutdown.ended()).await.is_err() {
            tracing::warn!("some MCP servers did not end");
        }
    }
}
