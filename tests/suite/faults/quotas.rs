//! N11: how much one server keeps.

use serde_json::json;
use switchboard_tests::{ServerOptions, TestClient, TestServer, request};

#[tokio::test]
async fn n11_beyond_the_limit_no_session_begins_until_one_is_deleted() {
    let server = TestServer::start_with(ServerOptions::with(&["--max-sessions", "3"])).await;
    let address = server.address();
    let create = || request(address, "POST", "/api/sessions", &[("Content-Type", "application/json")], b"{}");
    // Baseline: so many begin.
    let mut client = server.connect().await;
    for _ in 0..2 {
        assert_eq!(create().await.status, 201);
    }

    let refused = create().await;
    assert_eq!(refused.status, 507, "{}", refused.text());
    assert!(refused.text().contains("--max-sessions") && refused.text().contains("delete"), "{}", refused.text());
    let closed = TestClient::dial(address, "", &[]).await.expect("a connection").closed().await;
    assert!(closed.reason.contains("--max-sessions"), "by the socket neither: {closed:?}");

    // Those that are there go on, and a deleted one makes room.
    client.ask("Calculate 6 * 7").await.answered().says("42");
    let path = format!("/api/sessions/{}", client.session());
    assert_eq!(request(address, "DELETE", &path, &[], b"").await.status, 204);
    assert_eq!(create().await.status, 201);
}

#[tokio::test]
async fn n11_beyond_the_limit_nothing_more_is_stored() {
    let server = TestServer::start_with(ServerOptions::with(&["--max-stored-mib", "16"])).await;
    let mut client = server.connect().await;
    client.ask("Calculate 6 * 7").await.answered().says("42");
    let large = "x".repeat(1024 * 1024 - 1024);

    let mut stored = 0;
    let refused = loop {
        let value = format!("{stored}{large}");
        client.send(json!({"type": "set-variable", "name": format!("large_{stored}"), "value": value})).await;
        let id = client.post("Calculate 1 + 1").await;
        let answers = ["user-message", "agent-error"];
        let answer = client
            .until("the answer", |frame| {
                frame.to_string().contains(&id) && answers.contains(&frame["type"].as_str().unwrap_or_default())
            })
            .await;
        if answer["type"] == "agent-error" {
            break answer;
        }
        client.end_of(&id).await.answered();
        stored += 1;
        assert!(stored < 40, "more is stored than may be");
    };

    // Baseline: some of them were.
    assert!(stored > 5, "{stored}");
    assert_eq!(refused["code"], "storage-full", "{refused:#}");
    assert!(refused["error"].as_str().is_some_and(|error| error.contains("--max-stored-mib")), "{refused:#}");

    // What is there can be read, and a deleted session makes room for another.
    let path = format!("/api/sessions/{}", client.session());
    assert_eq!(request(server.address(), "GET", &path, &[], b"").await.status, 200);
    assert_eq!(request(server.address(), "DELETE", &path, &[], b"").await.status, 204);
    server.connect().await.ask("Calculate 6 * 7").await.answered().says("42");
}
