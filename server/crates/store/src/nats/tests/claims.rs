//! The log in NATS does what every store must do.

use switchboard_events::test_support::Log;
use tempfile::TempDir;

use super::{any, open, open_in};
use crate::test_support::NatsServer;
use crate::tests::check_opened_again;

async fn log() -> (Log, (NatsServer, TempDir)) {
    let server = NatsServer::start();
    let (log, folder) = open(&server).await;
    (any(&log), (server, folder))
}

switchboard_events::log_claims!(log);

#[tokio::test]
async fn everything_is_there_after_opening_again() {
    let (server, folder) = (NatsServer::start(), tempfile::tempdir().expect("a folder"));
    check_opened_again(async || any(&open_in(&server, &folder).await)).await;
}
