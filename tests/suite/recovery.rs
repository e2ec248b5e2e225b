//! A tool fails: another finishes the work, or the turn says what was tried.

use switchboard_tests::TestServer;

#[tokio::test]
async fn a_failure_is_kept_as_a_variable() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;

    client.ask("Read missing.json").await.failed("tool-failed");

    let state = {
        client.send(serde_json::json!({"type": "get-context"})).await;
        client.until_type("context-state").await
    };
    let variables = state["variables"].as_array().expect("variables");
    assert!(variables.iter().any(|variable| variable["name"] == "file_read_error"), "{state:#}");
}

#[tokio::test]
async fn a_failed_command_tells_its_exit_code_and_output() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;

    let turn = client.ask("Run `echo partly; exit 3`").await.failed("tool-failed").says("3");

    assert_eq!(turn.end["attemptedTools"], serde_json::json!(["bash"]));
    assert_eq!(turn.first("tool-call-end")["success"], false);
}
