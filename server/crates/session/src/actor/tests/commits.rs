//! How often a turn waits for the disk: for its message, before a call that may not run twice, and at its end.

use std::sync::Arc;

use super::failures::Failing;
use crate::SessionConfig;
use crate::test_support::Bench;
use switchboard_tools::ApproveMode;

/// The kinds of the events of a turn that somebody waited for.
async fn waited_for(text: &str) -> Vec<String> {
    let log = Failing::new();
    let bench = Bench::with(Arc::clone(&log) as _, SessionConfig::default(), ApproveMode::Auto);
    let mut client = bench.client().await;

    client.send("m1", text).await;
    client.end_of("m1").await;

    let appended = log.appended();
    assert!(appended.iter().any(|(_, urgent)| !urgent), "most ride along with the next commit: {appended:?}");
    appended.into_iter().filter_map(|(kind, urgent)| urgent.then_some(kind)).collect()
}

#[tokio::test]
async fn a_turn_with_a_call_that_may_not_run_twice_waits_three_times() {
    assert_eq!(waited_for(r#"call act {"on":"this"}"#).await, ["user-message", "tool-call-start", "agent-response"]);
}

#[tokio::test]
async fn a_turn_that_only_reads_waits_twice() {
    assert_eq!(waited_for(r#"call look {"at":"this"}"#).await, ["user-message", "agent-response"]);
    assert_eq!(waited_for("say hello").await, ["user-message", "agent-response"]);
}
