//! A tool fails: another finishes the work, or the turn says what was tried.

use switchboard_tests::{ServerOptions, TestServer};

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

#[tokio::test]
async fn a_folder_that_is_to_be_read_is_listed() {
    let server = TestServer::start().await;
    server.file("notes/shopping.txt", "milk\n");
    let mut client = server.connect().await;

    let turn = client.ask("Read notes").await.answered().says("shopping.txt");

    assert_eq!(turn.end["toolsUsed"], serde_json::json!(["list_directory"]));
}

#[tokio::test]
async fn what_was_refused_is_not_done_with_another_tool() {
    let server = TestServer::start_with(ServerOptions::with(&["--approve", "deny"])).await;
    server.file("a.txt", "plain\n");
    let mut client = server.connect().await;

    let turn = client.ask("Run `cat a.txt`").await.failed("tool-failed");

    let ends = turn.all("tool-call-end");
    assert_eq!(ends.len(), 1, "{ends:#?}");
    assert_eq!((&ends[0]["tool"], &ends[0]["errorType"]), (&"bash".into(), &"permission_error".into()));
    client.ask("Read a.txt").await.answered().says("plain");
}
