//! The user's hand on the context.

use serde_json::json;
use switchboard_tests::{TestServer, request};

#[tokio::test]
async fn a_variable_is_set_renamed_and_deleted() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;

    client.send(json!({"type": "set-variable", "name": "user_data", "value": {"name": "John"}})).await;
    let set = client.until_type("context-update").await;
    client.send(json!({"type": "rename-variable", "name": "user_data", "newName": "person"})).await;
    let renamed = client.until_type("context-update").await;
    client.send(json!({"type": "delete-variable", "name": "person"})).await;
    let deleted = client.until_type("context-update").await;

    assert_eq!(set["set"][0]["type"], "object");
    assert_eq!((&renamed["set"][0]["name"], &renamed["removed"]), (&json!("person"), &json!(["user_data"])));
    assert_eq!((&deleted["set"], &deleted["removed"]), (&json!([]), &json!(["person"])));
}

#[tokio::test]
async fn a_variable_has_at_each_event_the_value_that_it_had_then() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    let mut events = Vec::new();
    for frame in [
        json!({"type": "set-variable", "name": "a", "value": 1}),
        json!({"type": "rename-variable", "name": "a", "newName": "b"}),
        json!({"type": "delete-variable", "name": "b"}),
        json!({"type": "set-variable", "name": "a", "value": "two"}),
    ] {
        client.send(frame).await;
        events.push(client.until_type("context-update").await["seq"].as_u64().expect("an event"));
    }
    let at = async |name: &str, seq: &str| {
        let path = format!("/api/sessions/{}/variables/{name}{seq}", client.session());
        let reply = request(server.address(), "GET", &path, &[], b"").await;
        (reply.status, reply.text())
    };
    let [set, renamed, deleted, anew] = [0, 1, 2, 3].map(|number: usize| format!("?at={}", events[number]));

    assert_eq!(at("a", &set).await, (200, "1".to_owned()));
    assert_eq!(at("b", &renamed).await, (200, "1".to_owned()));
    for (name, seq) in [("b", &set), ("a", &renamed), ("a", &deleted), ("b", &deleted), ("b", &anew)] {
        assert_eq!(at(name, seq).await.0, 404, "{name} {seq}");
    }
    assert_eq!(at("a", &anew).await, (200, "two".to_owned()));
    assert_eq!(at("a", "").await, (200, "two".to_owned()));
    assert_eq!(at("a", "?at=0").await.0, 400);
}

#[tokio::test]
async fn what_the_context_holds_needs_no_tool() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    client.send(json!({"type": "set-variable", "name": "user_data", "value": {"name": "John"}})).await;

    let turn = client.ask("What's my name?").await.answered().says("John");

    let thinking = turn.need();
    assert_eq!(thinking["needsTools"], false);
    assert!(thinking["reasoning"].as_str().is_some_and(|text| text.contains("already available in context")));
}

#[tokio::test]
async fn wrong_names_get_a_proposal() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;

    for (name, says) in [("my name", "my_name"), ("1st", "_1st"), ("", "name"), ("__proto__ x", "__proto__x")] {
        client.send(json!({"type": "set-variable", "name": name, "value": 1})).await;
        let error = client.until_type("agent-error").await;
        assert!(error["messageIds"].is_null(), "{error:#}");
        assert!(error.to_string().contains(says), "{name:?}: no {says:?} in {error:#}");
    }
    for frame in [
        json!({"type": "rename-variable", "name": "nothing", "newName": "something"}),
        json!({"type": "delete-variable", "name": "nothing"}),
    ] {
        client.send(frame).await;
        let error = client.until_type("agent-error").await;
        assert!(error.to_string().contains("nothing"), "{error:#}");
    }
}

#[tokio::test]
async fn a_large_value_is_kept_whole_and_shown_short() {
    let server = TestServer::start().await;
    let text = "0123456789".repeat(50_000);
    server.file("large.txt", &text);
    let mut client = server.connect().await;

    let turn = client.ask("Read large.txt").await.answered();

    let variable = &turn.first("context-update")["set"][0];
    assert_eq!(variable["bytes"], 500_000);
    assert!(variable["preview"].as_str().is_some_and(|preview| preview.len() < 2_000));
    let path = format!("/api/sessions/{}/variables/file_content", client.session());
    let whole = request(server.address(), "GET", &path, &[], b"").await;
    assert_eq!((whole.status, whole.text() == text), (200, true));
}
