//! The tools, those of MCP servers too, and the index that finds them, with the embeddings of the settings in place of
//! its table where there are any.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::anyhow;
use async_trait::async_trait;
use switchboard_protocol::SandboxState;

use super::confinement::{sandboxed, worker_lock};
use super::folders::tools_folder;
use crate::config::Config;
use switchboard_builtin::{CustomTools, ShellConfig, WebConfig};
use switchboard_llm::{Embeddings, EmbeddingsConfig};
use switchboard_mcp::McpServers;
use switchboard_net::ProxyReach;
use switchboard_runtime::{KeyValueStore, Shutdown};
use switchboard_sandbox::{WorkerProgram, Workers};
use switchboard_search::{Encoder, ToolIndex};
use switchboard_tools::{ToolChange, ToolRegistry};

/// The longest that anything may take; the search itself waits less.
const LIMIT: Duration = Duration::from_secs(120);

/// The tools, how they are found, and how commands among them are kept in.
pub(super) struct Toolbox {
    pub(super) sandbox: SandboxState,
    pub(super) registry: Arc<ToolRegistry>,
    pub(super) index: Arc<ToolIndex>,
    pub(super) mcp: McpServers,
    pub(super) custom: Option<CustomTools>,
}

impl Toolbox {
    /// Collects the built-in tools, starts the MCP servers and reads the user's own tools; `port` is the server's own.
    ///
    /// # Errors
    /// When a tool's definition is wrong, or the file of MCP servers.
    pub(super) async fn start(
        config: &Config,
        denied: &[PathBuf],
        port: u16,
        values: &Arc<dyn KeyValueStore>,
        shutdown: &Shutdown,
    ) -> anyhow::Result<Self> {
        let lock = Some(worker_lock(config));
        let sandbox = sandboxed(config, denied, port).await;
        let reach = ProxyReach { local: config.web.local.clone(), own_port: port };
        let timeout = config.commands.timeout;
        let shell = ShellConfig { sandbox, timeout, workers: Workers::of(WorkerProgram::own()), lock, reach };
        let (registry, index) = tools(&shell, &config.web, &config.embeddings)?;
        keep_reading(&index, shutdown);
        let mcp = McpServers::start(&config.mcp, &registry, Arc::clone(values))
            .map_err(|error| anyhow!("failed to {error}"))?;
        let state = shell.sandbox.state();
        let custom = tools_folder(config).map(|folder| {
            let environment = Arc::new(|name: &str| std::env::var_os(name)?.into_string().ok());
            CustomTools::new(&registry, shell, environment, switchboard_rules::problem_with, folder)
        });
        if let Some(custom) = &custom {
            custom.watch(shutdown);
        }
        Ok(Self { sandbox: state, registry, index, mcp, custom })
    }
}

/// Reads new tools into the index beside everything else, until the server stops.
fn keep_reading(index: &Arc<ToolIndex>, shutdown: &Shutdown) {
    let index = Arc::clone(index);
    drop(shutdown.spawn(shutdown.stopping().clone().run_until_cancelled_owned(async move {
        index.keep_reading().await;
    })));
}

/// The registry with all tools, and the index that hears of every change in it.
///
/// # Errors
/// When a tool's definition is wrong.
pub fn tools(
    shell: &ShellConfig,
    web: &WebConfig,
    embeddings: &EmbeddingsConfig,
) -> anyhow::Result<(Arc<ToolRegistry>, Arc<ToolIndex>)> {
    let registry = Arc::new(ToolRegistry::new());
    let index = Arc::new(tool_index(embeddings));
    let told = Arc::clone(&index);
    registry.on_change(move |change| match change {
        ToolChange::Added(definition) => told.insert(definition),
        ToolChange::Removed(name) => {
            told.remove(name);
        }
    });
    for tool in switchboard_builtin::all(shell, web) {
        registry.insert(tool)?;
    }
    Ok((registry, index))
}

/// An index without tools, with the settings' embeddings if there are any.
#[must_use]
pub fn tool_index(embeddings: &EmbeddingsConfig) -> ToolIndex {
    match Embeddings::new(embeddings.clone()) {
        Some(embeddings) => ToolIndex::with_encoder(Arc::new(Encoding(embeddings))),
        None => ToolIndex::new(),
    }
}

struct Encoding(Embeddings);

#[async_trait]
impl Encoder for Encoding {
    async fn encode(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, String> {
        self.0.embed(texts, LIMIT).await
    }
}
