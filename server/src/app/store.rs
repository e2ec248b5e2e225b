//! Where sessions are kept, and what finds something in them.

use std::sync::Arc;

use anyhow::anyhow;
use switchboard_events::{ConversationSearch, EventLog, LogError};
use switchboard_runtime::Shutdown;
use switchboard_store::{ConversationIndex, SqliteLog};
#[cfg(feature = "nats")]
use switchboard_store::{NatsLog, NatsOptions};

#[cfg(feature = "nats")]
use super::no_search::NoSearch;
use crate::config::Config;

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
            let store = config.store.clone();
            let options = NatsOptions {
                servers: store.servers,
                credentials: store.credentials,
                certificates: store.certificates,
                replicas: store.replicas,
                max_sessions: config.events.max_sessions,
            };
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

    /// What finds something in it, until the shutdown.
    pub(super) fn search(&self, config: &Config, shutdown: &Shutdown) -> Arc<dyn ConversationSearch> {
        match self {
            Self::Sqlite(log) => Arc::new(ConversationIndex::start(&config.paths.data, log, shutdown)),
            #[cfg(feature = "nats")]
            Self::Nats(_) => Arc::new(NoSearch),
        }
    }
}
