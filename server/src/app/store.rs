//! Where sessions are kept, and what finds something in them.

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::anyhow;
use switchboard_events::{ConversationSearch, EventLog, LogError};
use switchboard_runtime::{FileValues, KeyValueStore, Secret, Shutdown};
#[cfg(feature = "nats")]
use switchboard_store::{ClusterKeys, NatsLog, NatsOptions};
use switchboard_store::{ConversationIndex, IndexedLog, SqliteLog};

#[cfg(feature = "nats")]
use uuid::Uuid;

#[cfg(feature = "nats")]
use super::login_key::LOGIN_KEY;
use crate::config::Config;
#[cfg(feature = "nats")]
use crate::http::ENDED_LOGINS;

/// What servers share beside sessions; what the first of them has in its data folder is where they begin.
#[cfg(feature = "nats")]
const SHARED: [&str; 5] =
    [LOGIN_KEY, ENDED_LOGINS, switchboard_llm::MODELS, switchboard_mcp::DEFINITIONS, switchboard_mcp::SWITCHED_OFF];

/// The value with which they prove to each other who they are.
#[cfg(feature = "nats")]
const NODE_SECRET: &str = "node.secret";

/// The log that was opened.
pub(super) enum Stored {
    /// In a file of the data folder.
    Sqlite(Arc<SqliteLog>),
    /// In NATS JetStream.
    #[cfg(feature = "nats")]
    Nats(Arc<NatsLog>),
}

impl Stored {
    /// Opens the log that the settings name.
    pub(super) async fn open(config: &Config) -> anyhow::Result<Self> {
        let failed = |error: LogError| anyhow!("failed to {error}");
        #[cfg(feature = "nats")]
        if config.store.is_nats() {
            let (max_sessions, workspace) = (config.events.max_sessions, workspace_id(config));
            let options = NatsOptions { max_sessions, workspace, ..config.store.nats(config.store.servers.clone()) };
            // Whoever uses TLS first decides with which cryptography.
            switchboard_net::install_crypto();
            let log = NatsLog::open(&config.paths.data, options).await.map_err(failed)?;
            return Ok(Self::Nats(Arc::new(log)));
        }
        let log = SqliteLog::open(&config.paths.data, config.events).map_err(failed)?;
        Ok(Self::Sqlite(Arc::new(log)))
    }

    /// The log, for whoever needs not know where it is.
    pub(super) fn log(&self) -> Arc<dyn EventLog> {
        match self {
            Self::Sqlite(log) => Arc::<SqliteLog>::clone(log),
            #[cfg(feature = "nats")]
            Self::Nats(log) => Arc::<NatsLog>::clone(log),
        }
    }

    /// What is kept beside sessions: in files of the data folder, or where servers with the same key share it.
    pub(super) async fn values(&self, config: &Config) -> anyhow::Result<Arc<dyn KeyValueStore>> {
        #[cfg(feature = "nats")]
        if let Self::Nats(log) = self {
            if let Some(file) = &config.store.cluster_key {
                let keys = ClusterKeys::read(file).map_err(anyhow::Error::msg)?;
                let values = log.values(keys, &config.paths.data, &SHARED).await;
                return Ok(Arc::new(values.map_err(|error| anyhow!("failed to {error}"))?));
            }
            tracing::warn!(
                "without --cluster-key-file, this server shares only its conversations with others: logins, the choice of a \
                 model with its key, and approvals of MCP servers stay in its data folder"
            );
        }
        Ok(Arc::new(FileValues::new(&config.paths.data)))
    }

    /// Tells the other servers that share the log that this one listens at this address; what they prove to each other with who
    /// they are.
    #[cfg_attr(
        not(feature = "nats"),
        expect(clippy::unused_async, unused_variables, reason = "only a shared log is asked")
    )]
    pub(super) async fn join(
        &self,
        config: &Config,
        address: SocketAddr,
        values: &Arc<dyn KeyValueStore>,
    ) -> anyhow::Result<Option<Secret>> {
        match self {
            Self::Sqlite(_) => Ok(None),
            #[cfg(feature = "nats")]
            Self::Nats(log) => {
                let own = (!address.ip().is_unspecified()).then(|| address.to_string());
                let reached = config.cluster.address.clone().or(own);
                if reached.is_none() {
                    tracing::warn!(
                        "other servers that share the log do not know where this one is reached, so they cannot pass clients \
                         on to it: set --cluster-address HOST:PORT"
                    );
                }
                log.serve_at(reached).await.map_err(|error| anyhow!("failed to {error}"))?;
                if config.store.cluster_key.is_some() {
                    return Ok(Some(shared_secret(values.as_ref())?));
                }
                Ok(Some(log.secret().await.map_err(|error| anyhow!("failed to {error}"))?))
            }
        }
    }

    /// What finds something in it, until the shutdown.
    pub(super) fn search(&self, config: &Config, shutdown: &Shutdown) -> Arc<dyn ConversationSearch> {
        let log: Arc<dyn IndexedLog> = match self {
            Self::Sqlite(log) => Arc::<SqliteLog>::clone(log),
            #[cfg(feature = "nats")]
            Self::Nats(log) => Arc::<NatsLog>::clone(log),
        };
        Arc::new(ConversationIndex::start(&config.paths.data, log, shutdown))
    }
}

/// What servers with the same key prove to each other with who they are; the first one makes it.
#[cfg(feature = "nats")]
fn shared_secret(values: &dyn KeyValueStore) -> anyhow::Result<Secret> {
    let made = || format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple()).into_bytes();
    let secret = match values.get(NODE_SECRET)? {
        Some(secret) => secret,
        None => values.update(NODE_SECRET, &mut |there| Ok(there.map_or_else(made, <[u8]>::to_vec)))?,
    };
    Ok(Secret::new(String::from_utf8(secret)?))
}

/// The name of the workspace: the one that was given, or the machine's with the folder's.
#[cfg(feature = "nats")]
fn workspace_id(config: &Config) -> String {
    config.cluster.workspace_id.clone().unwrap_or_else(|| {
        let system = rustix::system::uname();
        let folder = &config.paths.workspace;
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.clone());
        format!("{}:{}", system.nodename().to_string_lossy(), folder.display())
    })
}
