//! The log in a file does what every store must do.

use std::sync::Arc;

use switchboard_events::test_support::Log;

use super::{SqliteLog, SqliteOptions};

async fn log() -> (Log, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let log = SqliteLog::open(folder.path(), SqliteOptions::default()).expect("a log");
    (Arc::new(log), folder)
}

switchboard_events::log_claims!(log);
