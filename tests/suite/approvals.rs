//! What asks before it runs: allow, deny, edit, for the session, from another client.

use serde_json::{Value, json};
use switchboard_tests::{ServerOptions, TestClient, TestServer};

async fn asking() -> (TestServer, TestClient) {
    let server = TestServer::start_with(ServerOptions::default()).await;
    let client = server.connect().await;
    (server, client)
}

async fn answer(client: &mut TestClient, request: &Value, decision: &str) {
    client.send(json!({"type": "approve-tool", "callId": request["callId"], "decision": decision})).await;
}

#[tokio::test]
async fn an_allowed_command_runs() {
    let (_server, mut client) = asking().await;
    let turn = client.post("Run echo was-allowed").await;

    let request = client.until_type("approval-request").await;
    answer(&mut client, &request, "allow-once").await;
    let turn = client.end_of(&turn).await.answered().says("was-allowed");

    assert_eq!(request["tool"], "bash");
    assert_eq!(request["risk"], "execute");
    assert_eq!(request["arguments"]["command"], "echo was-allowed");
    assert_eq!(turn.first("approval-resolved")["decision"], "allow-once");
}

#[tokio::test]
async fn a_denied_command_does_not_run() {
    let (server, mut client) = asking().await;
    let turn = client.post("Run `touch trace`").await;

    let request = client.until_type("approval-request").await;
    client
        .send(json!({"type": "approve-tool", "callId": request["callId"], "decision": "deny", "reason": "not now"}))
        .await;
    let turn = client.end_of(&turn).await.failed("tool-failed");

    assert!(!server.workspace().join("trace").exists());
    let end = turn.first("tool-call-end");
    assert_eq!((&end["started"], &end["errorType"]), (&json!(false), &json!("permission_error")));
    assert!(end["error"].as_str().is_some_and(|error| error.contains("not now")), "{end:#}");
}

#[tokio::test]
async fn an_edited_command_runs_as_edited() {
    let (_server, mut client) = asking().await;
    let turn = client.post("Run echo one").await;

    let request = client.until_type("approval-request").await;
    client
        .send(json!({"type": "approve-tool", "callId": request["callId"], "decision": "allow-once",
            "arguments": {"command": "echo two"}}))
        .await;
    let turn = client.end_of(&turn).await.answered().says("two");

    assert_eq!(turn.first("tool-call-start")["arguments"]["command"], "echo two");
}

#[tokio::test]
async fn what_is_allowed_for_the_session_is_not_asked_again() {
    let (server, mut client) = asking().await;
    let first = client.post("Write \"one\" to a.txt").await;
    let request = client.until_type("approval-request").await;
    answer(&mut client, &request, "allow-session").await;
    client.end_of(&first).await.answered();

    let second = client.ask("Write \"two\" to b.txt").await.answered();

    assert!(second.all("approval-request").is_empty());
    assert_eq!(server.content("b.txt"), "two");
}

#[tokio::test]
async fn another_client_of_the_session_answers() {
    let (server, mut client) = asking().await;
    let turn = client.post("Run echo shared").await;
    client.until_type("approval-request").await;

    let mut other = server.connect_to(client.session(), 0).await;
    let pending = other.ready["pending"][0].clone();
    answer(&mut other, &pending, "allow-once").await;

    assert_eq!(pending["type"], "approval-request");
    client.end_of(&turn).await.answered().says("shared");
    other.end_of(&turn).await.answered().says("shared");
}

#[tokio::test]
async fn a_question_outlives_the_client_that_saw_it() {
    let (server, mut client) = asking().await;
    let session = client.session();
    let turn = client.post("Run echo waited").await;
    client.until_type("approval-request").await;
    client.close().await;

    let mut back = server.connect_to(session, 0).await;
    let request = back.until_type("approval-request").await;
    answer(&mut back, &request, "allow-once").await;

    back.end_of(&turn).await.answered().says("waited");
}

#[tokio::test]
async fn an_answer_to_no_question_is_an_error() {
    let (_server, mut client) = asking().await;

    client.send(json!({"type": "approve-tool", "callId": "nobody", "decision": "allow-once"})).await;
    let error = client.until_type("agent-error").await;

    assert!(error["messageIds"].is_null(), "{error:#}");
    assert!(error["text"].as_str().is_some_and(|text| text.contains("nobody")), "{error:#}");
    client.ask("Calculate 1 + 1").await.answered();
}

#[tokio::test]
async fn reading_is_never_asked() {
    let (server, mut client) = asking().await;
    server.file("a.txt", "plain");

    let turn = client.ask("Read a.txt").await.answered();

    assert!(turn.all("approval-request").is_empty());
}

#[tokio::test]
async fn a_denying_server_names_its_flag() {
    let server = TestServer::start_with(ServerOptions::with(&["--approve", "deny"])).await;
    let mut client = server.connect().await;

    let turn = client.ask("Run echo no").await.failed("tool-failed");

    let end = turn.first("tool-call-end");
    assert_eq!(end["errorType"], "permission_error");
    assert!(end.to_string().contains("--approve"), "{end:#}");
}

#[tokio::test]
async fn plain_destruction_is_refused_under_every_policy() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;

    for command in [
        "rm -rf /",
        "sudo rm -rf --no-preserve-root /",
        "mkfs.ext4 /dev/sda",
        "dd if=/dev/zero of=/dev/sda",
        ":(){ :|:& };:",
        "shutdown -h now",
    ] {
        let turn = client.ask(&format!("Run `{command}`")).await.failed("tool-failed");
        assert_eq!(turn.first("tool-call-end")["errorType"], "security_error", "{command}");
    }
}

#[tokio::test]
async fn a_command_that_wants_the_network_asks_for_that() {
    let (_server, mut client) = asking().await;
    let turn = client.post("Call bash with {\"command\": \"echo connected\", \"network\": true}").await;

    let request = client.until_type("approval-request").await;
    answer(&mut client, &request, "allow-once").await;
    client.end_of(&turn).await.answered().says("connected");

    assert_eq!((&request["risk"], &request["arguments"]["network"]), (&json!("network"), &json!(true)));
    assert_eq!(
        request["reason"],
        "bash runs a program that can reach the network through a proxy that asks about each new domain."
    );
}
