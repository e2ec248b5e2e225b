//! Calls that the user makes, in parallel with the turn and without approval.

use serde_json::json;
use switchboard_tests::{ServerOptions, TestServer};

#[tokio::test]
async fn a_call_of_the_users_own_runs_unasked() {
    let server = TestServer::start_with(ServerOptions::default()).await;
    let mut client = server.connect().await;

    client
        .send(json!({"type": "call-tool", "callId": "mine", "tool": "file_write",
            "arguments": {"path": "mine.txt", "content": "by hand"}}))
        .await;
    let end = client.until_type("tool-call-end").await;

    assert_eq!((&end["callId"], &end["success"]), (&json!("mine"), &json!(true)), "{end:#}");
    assert_eq!(server.content("mine.txt"), "by hand");
}

#[tokio::test]
async fn a_call_runs_beside_a_turn() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    let turn = client.post("Run `echo begun; until [ -e go ]; do sleep 0.05; done`").await;
    client.until_type("tool-output-chunk").await;

    client
        .send(json!({"type": "call-tool", "callId": "beside", "tool": "file_write",
            "arguments": {"path": "go", "content": ""}}))
        .await;
    client.until("the call's end", |f| f["type"] == "tool-call-end" && f["callId"] == "beside").await;

    client.end_of(&turn).await.answered();
}

#[tokio::test]
async fn the_same_call_id_runs_once() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    let call = json!({"type": "call-tool", "callId": "once", "tool": "bash",
        "arguments": {"command": "echo run >> count"}});
    client.send(call.clone()).await;
    client.until_type("tool-call-end").await;

    client.send(call).await;
    client.ask("Calculate 1 + 1").await.answered();

    assert_eq!(server.content("count"), "run\n");
}

#[tokio::test]
async fn wrong_calls_get_errors_that_say_what_to_do() {
    let server = TestServer::start().await;
    server.file("a.txt", "a");
    let mut client = server.connect().await;

    for (tool, arguments, error_type, says) in [
        ("file_raed", json!({}), "validation_error", "file_read"),
        ("calculator", json!({}), "validation_error", "expression"),
        ("calculator", json!({"expression": 5}), "validation_error", "string"),
        ("file_read", json!({"path": "@nothing"}), "validation_error", "nothing"),
        ("file_read", json!({"path": "../outside"}), "security_error", "workspace"),
        ("file_read", json!({"path": "."}), "user_error", "list_directory"),
        ("bash", json!({"command": "true", "timeout": 3600}), "validation_error", "60"),
    ] {
        client.send(json!({"type": "call-tool", "callId": format!("{tool}{arguments}"), "tool": tool, "arguments": arguments})).await;
        let end = client.until_type("tool-call-end").await;
        assert_eq!(end["errorType"], error_type, "{tool}({arguments}): {end:#}");
        assert!(end.to_string().contains(says), "{tool}({arguments}): no {says:?} in {end:#}");
    }
}

#[tokio::test]
async fn a_symlink_out_of_the_workspace_is_not_followed() {
    let server = TestServer::start().await;
    let outside = server.workspace().parent().expect("a parent").join("secret.txt");
    std::fs::write(&outside, "secret").expect("a secret");
    std::os::unix::fs::symlink(&outside, server.workspace().join("link.txt")).expect("a link");
    let mut client = server.connect().await;

    for (tool, arguments) in [
        ("file_read", json!({"path": "link.txt"})),
        ("file_write", json!({"path": "link.txt", "content": "overwritten"})),
    ] {
        client.send(json!({"type": "call-tool", "callId": tool, "tool": tool, "arguments": arguments})).await;
        client.until_type("tool-call-end").await;
    }

    assert_eq!(std::fs::read_to_string(&outside).expect("the secret"), "secret");
    let log = client.frames.iter().map(ToString::to_string).collect::<String>();
    assert!(!log.contains("\"secret\""), "{log}");
}

#[tokio::test]
async fn a_binary_file_is_no_text() {
    let server = TestServer::start().await;
    std::fs::write(server.workspace().join("image.bin"), [0_u8, 159, 146, 150, 0, 1]).expect("a binary file");
    let mut client = server.connect().await;

    let turn = client.ask("Read image.bin").await;

    assert!(turn.frames.iter().any(|frame| frame.to_string().contains("binary")), "{:#?}", turn.frames);
}
