//! The log in NATS, against a real server.

mod claims;
mod damage;
mod outages;
mod owners;
mod pages;

use std::sync::Arc;

use switchboard_events::test_support::Log;
use tempfile::TempDir;

use super::{NatsLog, NatsOptions};
use crate::test_support::NatsServer;

fn options(server: &NatsServer) -> NatsOptions {
    NatsOptions { servers: vec![server.url()], replicas: 1, ..NatsOptions::default() }
}

/// A log of this data folder.
async fn open_in(server: &NatsServer, folder: &TempDir) -> Arc<NatsLog> {
    Arc::new(NatsLog::open(folder.path(), options(server)).await.expect("a log"))
}

/// The log of another server, with a data folder of its own.
async fn open(server: &NatsServer) -> (Arc<NatsLog>, TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    (open_in(server, &folder).await, folder)
}

fn any(log: &Arc<NatsLog>) -> Log {
    Arc::<NatsLog>::clone(log)
}
