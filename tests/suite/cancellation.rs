//! Stop stops: the turn, the command, and the command's children.

use std::path::Path;

use serde_json::json;
use switchboard_tests::{HANG, TestServer, soon};

/// Waits until no process works in `folder` any more.
async fn nobody_works_in(folder: &Path) {
    let works = || {
        let processes = std::fs::read_dir("/proc").expect("/proc is there").flatten();
        processes
            .into_iter()
            .any(|process| std::fs::read_link(process.path().join("cwd")).is_ok_and(|cwd| cwd == folder))
    };
    soon("the end of the commands", async {
        while works() {
            tokio::time::sleep(HANG / 1000).await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_running_command_is_cancelled_with_its_children() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    let turn = client.post("Run `echo begun; (setsid sleep 50 &); sleep 50`").await;
    client.until_type("tool-output-chunk").await;

    client.send(json!({"type": "cancel"})).await;
    let turn = client.end_of(&turn).await.failed("cancelled");

    assert_eq!(turn.first("tool-call-end")["success"], false);
    nobody_works_in(&server.workspace()).await;
    client.ask("Calculate 1 + 1").await.answered();
}

#[tokio::test]
async fn a_command_is_ended_at_its_time_limit() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;

    client
        .send(json!({"type": "call-tool", "callId": "slow", "tool": "bash",
            "arguments": {"command": "echo begun; trap '' TERM; sleep 50", "timeout": 1}}))
        .await;
    let end = client.until_type("tool-call-end").await;

    assert_eq!(end["errorType"], "timeout_error", "{end:#}");
    nobody_works_in(&server.workspace()).await;
}

#[tokio::test]
async fn cancel_ends_the_queue_too() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    let running = client.post("Run `echo begun; sleep 50`").await;
    client.until_type("tool-output-chunk").await;
    let waiting = client.post("Calculate 1 + 1").await;
    client.until("its acknowledgement", |f| f["type"] == "user-message" && f["messageId"] == waiting.as_str()).await;

    client.send(json!({"type": "cancel"})).await;

    client.end_of(&running).await.failed("cancelled");
    client.end_of(&waiting).await.failed("cancelled");
}

#[tokio::test]
async fn one_waiting_message_is_cancelled() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    let running = client.post("Run `echo begun; until [ -e go ]; do sleep 0.05; done`").await;
    client.until_type("tool-output-chunk").await;
    let waiting = client.post("Calculate 1 + 1").await;

    client.send(json!({"type": "cancel", "messageId": waiting})).await;
    client.end_of(&waiting).await.failed("cancelled");
    server.file("go", "");

    client.end_of(&running).await.answered();
}

#[tokio::test]
async fn a_waiting_approval_is_cancelled() {
    let server = TestServer::start_with(switchboard_tests::ServerOptions::default()).await;
    let mut client = server.connect().await;
    let turn = client.post("Run `touch trace`").await;
    client.until_type("approval-request").await;

    client.send(json!({"type": "cancel"})).await;
    let turn = client.end_of(&turn).await.failed("cancelled");

    assert_eq!(turn.first("approval-resolved")["decision"], "cancelled");
    assert!(!server.workspace().join("trace").exists());
}

#[tokio::test]
async fn cancelling_nothing_changes_nothing() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    client.ask("Calculate 1 + 1").await.answered();

    client.send(json!({"type": "cancel"})).await;
    client.send(json!({"type": "cancel"})).await;

    client.ask("Calculate 2 + 2").await.answered().says("4");
}

#[tokio::test]
async fn what_was_made_before_the_cancel_stays() {
    let server = TestServer::start().await;
    server.file("in.txt", "payload");
    let mut client = server.connect().await;
    let turn = client.post("Read in.txt, then run `echo begun; sleep 50`").await;
    client.until_type("tool-output-chunk").await;

    client.send(json!({"type": "cancel"})).await;
    client.end_of(&turn).await.failed("cancelled");
    client.send(json!({"type": "get-context"})).await;
    let state = client.until_type("context-state").await;

    assert!(state["variables"].to_string().contains("file_content"), "{state:#}");
}
