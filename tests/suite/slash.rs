//! Slash commands: they run at once, also during a turn, and say how they are used.

use serde_json::json;
use switchboard_tests::{TestServer, request};

#[tokio::test]
async fn help_lists_every_command_and_explains_one() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;

    let all = client.command("/help").await;
    let one = client.command("/help save").await;

    for command in ["help", "context", "clear", "new", "tools", "history", "debug", "save", "load", "export"] {
        assert!(all["text"].as_str().is_some_and(|text| text.contains(&format!("/{command}"))), "/{command}: {all:#}");
    }
    assert!(one["text"].as_str().is_some_and(|text| text.contains("/save <name>")), "{one:#}");
}

#[tokio::test]
async fn tools_are_listed_and_searched() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;

    let all = client.command("/tools").await;
    let found = client.command("/tools read a file").await;

    assert!(all["text"].as_str().is_some_and(|text| text.contains("calculator") && text.contains("bash")), "{all:#}");
    assert!(found["text"].as_str().is_some_and(|text| text.contains("file_read")), "{found:#}");
}

#[tokio::test]
async fn context_shows_the_variables_and_clear_removes_them() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    client.ask("Store the number 42 as my_number").await.answered();

    let before = client.command("/context").await;
    client.command("/clear").await;
    let after = client.command("/context").await;

    assert!(before["text"].as_str().is_some_and(|text| text.contains("my_number")), "{before:#}");
    assert!(!after["text"].as_str().is_some_and(|text| text.contains("my_number")), "{after:#}");
    assert!(client.frames.iter().any(|frame| frame["type"] == "context-cleared"));
}

#[tokio::test]
async fn new_begins_a_conversation_and_keeps_the_variables() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    client.ask("Store the number 42 as my_number").await.answered();

    client.command("/new").await;
    client.send(json!({"type": "get-context"})).await;
    let state = client.until_type("context-state").await;

    assert_eq!(state["chatHistoryLength"], 0);
    assert_eq!(state["variables"][0]["name"], "my_number");
}

#[tokio::test]
async fn a_saved_state_is_loaded() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    client.ask("Store the number 1 as kept").await.answered();
    client.command("/save before").await;
    client.ask("Store the number 2 as kept").await.answered();
    client.ask("Store the number 3 as later").await.answered();

    let loaded = client.command("/load before").await;
    client.send(json!({"type": "get-context"})).await;
    let state = client.until_type("context-state").await;

    assert_eq!(loaded["type"], "command-response", "{loaded:#}");
    let variables = state["variables"].as_array().expect("variables");
    let shown: Vec<_> = variables.iter().map(|v| (v["name"].as_str(), v["preview"].as_str())).collect();
    assert_eq!(shown, [(Some("kept"), Some("1"))]);
}

#[tokio::test]
async fn history_shows_the_last_operations() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    client.ask("Calculate 1 + 1").await.answered();
    client.ask("Calculate 2 + 2").await.answered();

    let last = client.command("/history 1").await;

    let text = last["text"].as_str().unwrap_or_default();
    assert!(text.contains("calculator") && text.contains("2 + 2") && !text.contains("1 + 1"), "{text}");
}

#[tokio::test]
async fn export_links_to_the_whole_session() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    client.ask("Calculate 1 + 1").await.answered();

    let answer = client.command("/export").await;

    let path = format!("/api/sessions/{}/export", client.session());
    assert!(answer["text"].as_str().is_some_and(|text| text.contains(&path)), "{answer:#}");
    let reply = request(server.address(), "GET", &path, &[], b"").await;
    assert_eq!(reply.status, 200);
    assert!(reply.text().contains("calculator"));
}

#[tokio::test]
async fn wrong_use_answers_with_the_usage() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;

    for (wrong, usage) in
        [("/save", "/save <name>"), ("/load nowhere", "/load <name>"), ("/history many", "/history [n]")]
    {
        let answer = client.command(wrong).await;
        assert_eq!(answer["type"], "command-error", "{wrong}: {answer:#}");
        assert_eq!(answer["usage"], usage, "{wrong}: {answer:#}");
    }
}

#[tokio::test]
async fn only_the_exact_name_is_a_command() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;

    let path = client.ask("/helpful things are here").await;
    let escaped = client.ask("//help").await;

    assert_eq!(path.end["messageIds"].as_array().map(Vec::len), Some(1));
    let texts: Vec<_> = client
        .frames
        .iter()
        .filter(|frame| frame["type"] == "user-message")
        .map(|frame| frame["text"].clone())
        .collect();
    assert_eq!(texts, ["/helpful things are here", "/help"]);
    assert!(escaped.tools().is_empty());
}

#[tokio::test]
async fn commands_run_while_a_turn_does() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    let turn = client.post("Run `sleep 50`").await;
    client.until_type("tool-call-start").await;

    let debug = client.command("/debug").await;
    client.send(json!({"type": "cancel"})).await;

    assert_eq!(debug["type"], "command-response", "{debug:#}");
    client.end_of(&turn).await.failed("cancelled");
}
