//! Messages while a turn runs: behind it, into it, instead of it.

use serde_json::json;
use switchboard_tests::{TestClient, TestServer};

const WAITS: &str = "Run `echo begun; until [ -e go ]; do sleep 0.05; done; echo done`";

async fn begun(server: &TestServer) -> (TestClient, String) {
    let mut client = server.connect().await;
    let running = client.post(WAITS).await;
    client.until_type("tool-output-chunk").await;
    (client, running)
}

#[tokio::test]
async fn a_queued_message_is_answered_after_the_running_turn() {
    let server = TestServer::start().await;
    let (mut client, running) = begun(&server).await;

    let waiting = client.post("Calculate 6 * 7").await;
    client.until("the acknowledgement", |f| f["type"] == "user-message" && f["messageId"] == waiting.as_str()).await;
    server.file("go", "");

    client.end_of(&running).await.answered().says("done");
    let waited = client.end_of(&waiting).await.answered().says("42");
    assert_eq!(waited.end["turnId"], waiting.as_str());
}

#[tokio::test]
async fn a_steered_message_joins_the_running_turn() {
    let server = TestServer::start().await;
    let (mut client, running) = begun(&server).await;

    client
        .send(json!({"type": "send-message", "messageId": "joins", "mode": "steer", "text": "Calculate 6 * 7"}))
        .await;
    client.until("the acknowledgement", |f| f["type"] == "user-message" && f["messageId"] == "joins").await;
    server.file("go", "");
    let turn = client.end_of(&running).await;

    assert_eq!(turn.end["messageIds"], json!([running, "joins"]));
    assert!(turn.text().contains("42"), "{:#}", turn.end);
}

#[tokio::test]
async fn an_interrupting_message_replaces_the_running_turn() {
    let server = TestServer::start().await;
    let (mut client, running) = begun(&server).await;

    client
        .send(json!({"type": "send-message", "messageId": "now", "mode": "interrupt", "text": "Calculate 6 * 7"}))
        .await;

    client.end_of(&running).await.failed("cancelled");
    client.end_of("now").await.answered().says("42");
}

#[tokio::test]
async fn a_steered_message_without_a_turn_begins_one() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;

    client
        .send(json!({"type": "send-message", "messageId": "alone", "mode": "steer", "text": "Calculate 6 * 7"}))
        .await;

    client.end_of("alone").await.answered().says("42");
}

#[tokio::test]
async fn the_queue_has_an_end_and_says_so() {
    let server = TestServer::start().await;
    let (mut client, running) = begun(&server).await;

    for number in 0..32 {
        client.send(json!({"type": "send-message", "messageId": format!("q{number}"), "text": "Hello"})).await;
    }
    client.send(json!({"type": "send-message", "messageId": "one-too-many", "text": "Hello"})).await;
    let refusal = client.until_type("agent-error").await;
    server.file("go", "");

    assert_eq!(refusal["code"], "busy", "{refusal:#}");
    assert_eq!(refusal["retryable"], true);
    client.end_of(&running).await.answered();
    client.end_of("q31").await.answered();
    assert!(!client.frames.iter().any(|f| f["type"] == "user-message" && f["messageId"] == "one-too-many"));
}

#[tokio::test]
async fn the_context_may_be_edited_while_a_turn_runs() {
    let server = TestServer::start().await;
    let (mut client, running) = begun(&server).await;

    client.send(json!({"type": "set-variable", "name": "note", "value": "during"})).await;
    let update = client.until_type("context-update").await;
    server.file("go", "");

    assert_eq!(update["set"][0]["name"], "note");
    client.end_of(&running).await.answered();
}

#[tokio::test]
async fn a_message_sent_twice_is_taken_once() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    let frame = json!({"type": "send-message", "messageId": "same", "text": "Calculate 6 * 7"});
    client.send(frame.clone()).await;
    client.end_of("same").await.answered();
    let seq = client.last_seq();

    client.send(frame).await;
    let repeated = client.until_type("user-message").await;
    client.send(json!({"type": "send-message", "messageId": "same", "text": "something else"})).await;
    let conflict = client.until_type("agent-error").await;

    assert_eq!(repeated["repeated"], true);
    assert_eq!(client.last_seq(), seq);
    assert!(conflict["messageIds"].is_null(), "{conflict:#}");
    assert!(conflict["code"].as_str().is_some_and(|code| code.contains("conflict")), "{conflict:#}");
}
