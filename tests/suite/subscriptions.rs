//! Clients that want some kinds of frames only: `types=`.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use switchboard_tests::{TestClient, TestServer, request};

fn types(frames: &[Value]) -> BTreeSet<&str> {
    frames.iter().filter_map(|frame| frame["type"].as_str()).collect()
}

#[tokio::test]
async fn a_client_gets_only_what_it_subscribed_to_live_and_from_the_log() {
    let server = TestServer::start().await;
    let mut all = server.connect().await;
    let query = format!("?session={}&after=0&types=tool-call-end,agent-response", all.session());
    let mut live = TestClient::connect(server.address(), &query).await;

    let turn = all.ask("Calculate 6 * 7").await.answered();
    let end = live.until_type("agent-response").await;
    let mut late = TestClient::connect(server.address(), &query).await;
    late.until_type("agent-response").await;

    assert_eq!(end, turn.end);
    assert!(types(&all.frames).len() > 4, "{:?}", types(&all.frames));
    for client in [&live, &late] {
        assert_eq!(types(&client.frames), BTreeSet::from(["session-ready", "agent-response", "tool-call-end"]));
        assert_eq!(client.frames[1]["seq"], turn.first("tool-call-end")["seq"]);
    }
}

#[tokio::test]
async fn a_client_that_comes_back_with_its_types_gets_each_once() {
    let server = TestServer::start().await;
    let mut all = server.connect().await;
    all.ask("Calculate 1 + 1").await.answered();
    let query = format!("?session={}&after={}&types=agent-response", all.session(), all.last_seq());
    let second = all.ask("Calculate 2 + 2").await.answered();

    let mut back = TestClient::connect(server.address(), &query).await;
    let missed = back.until_type("agent-response").await;
    let third = all.ask("Calculate 3 + 3").await.answered();
    let live = back.until_type("agent-response").await;

    assert_eq!((missed, live), (second.end, third.end));
    assert_eq!(back.frames.len(), 3, "session-ready and two replies");
}

#[tokio::test]
async fn what_went_wrong_comes_to_everybody() {
    let server = TestServer::start().await;
    let mut client = TestClient::connect(server.address(), "?types=agent-response").await;

    client.send(json!({"type": "send-message", "text": 7})).await;
    let refused = client.next().await;
    let wrong = client.command("/contxt").await;

    assert_eq!(refused["type"], "agent-error");
    assert_eq!(wrong["type"], "command-error");
}

#[tokio::test]
async fn a_type_that_is_none_is_told_with_the_nearest_and_the_connection_closes() {
    let server = TestServer::start().await;
    let mut client = TestClient::dial(server.address(), "?types=agent-respnse", &[]).await.expect("a connection");

    let refused = client.next().await;

    assert_eq!(refused["path"], "types", "{refused:#}");
    assert!(refused["suggestions"][0].as_str().is_some_and(|text| text.contains("agent-response")), "{refused:#}");
    assert_eq!(client.closed().await.code, 4007);
}

#[tokio::test]
async fn a_stream_of_server_sent_events_has_the_types_that_were_asked_for_and_its_end() {
    let server = TestServer::start().await;
    let json = ("Content-Type", "application/json");
    let session = request(server.address(), "POST", "/api/sessions", &[json], b"{}").await.json();
    let path = format!("/api/sessions/{}/messages?types=", session["sessionId"].as_str().expect("an id"));
    let body = json!({"text": "Calculate 6 * 7"}).to_string();

    let stream =
        request(server.address(), "POST", &format!("{path}user-message,tool-call-start"), &[json], body.as_bytes())
            .await;
    let wrong = request(server.address(), "POST", &format!("{path}tool-cal-start"), &[json], body.as_bytes()).await;

    let text = stream.text();
    let data = text.lines().filter_map(|line| line.strip_prefix("data:"));
    let frames: Vec<Value> = data.map(|data| serde_json::from_str(data.trim()).expect("a frame")).collect();
    let kinds: Vec<&str> = frames.iter().filter_map(|frame| frame["type"].as_str()).collect();
    assert_eq!(kinds, ["user-message", "tool-call-start", "agent-response"]);
    assert_eq!(wrong.status, 400);
    assert!(wrong.text().contains("tool-call-start"), "{}", wrong.text());
}
