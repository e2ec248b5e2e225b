//! The log in NATS, against a real server.

mod access;
mod claims;
mod copies;
mod damage;
mod outages;
mod owners;
mod pages;
mod past;
mod rebuild;
mod search;
mod values;

use std::sync::Arc;
use std::time::Duration;

use switchboard_events::LogError;
use switchboard_events::test_support::Log;
use tempfile::TempDir;

use super::{NatsLog, NatsOptions};
use crate::test_support::NatsServer;

fn options(server: &NatsServer) -> NatsOptions {
    NatsOptions { servers: vec![server.url()], replicas: 1, ..NatsOptions::default() }
}

/// A log of this data folder. A program that another test starts holds the folder's lock until it runs.
async fn open_in(server: &NatsServer, folder: &TempDir) -> Arc<NatsLog> {
    let opened = async {
        loop {
            match NatsLog::open(folder.path(), options(server)).await {
                Err(LogError::InUse { .. }) => tokio::time::sleep(Duration::from_millis(10)).await,
                opened => return Arc::new(opened.expect("a log")),
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(20), opened).await.expect("the folder's lock is free")
}

/// The log of another server, with a data folder of its own.
async fn open(server: &NatsServer) -> (Arc<NatsLog>, TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    (open_in(server, &folder).await, folder)
}

fn any(log: &Arc<NatsLog>) -> Log {
    Arc::<NatsLog>::clone(log)
}
