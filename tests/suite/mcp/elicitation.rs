//! Questions of MCP servers to the user: they name the server, are answered like all others, and the server hears what
//! the user said.

use serde_json::{Value, json};
use switchboard_tests::{McpFolder, TestClient, TestServer, npm_entry};

use super::listening;

async fn answer(client: &mut TestClient, query: &Value, answer: Value) {
    client.send(json!({"type": "answer-query", "queryId": query["queryId"], "answer": answer})).await;
}

/// The form of server-everything has thirteen fields, of which one is needed.
async fn everything_asks(server: &TestServer) {
    server.until_tool("everything__trigger_elicitation_request").await;
    let mut client = server.connect().await;
    let turn = client.post("Use everything__trigger_elicitation_request with {}").await;

    let first = client.until_type("user-query").await;
    answer(&mut client, &first, json!({"action": "needed"})).await;
    let name = client.until_type("user-query").await;
    answer(&mut client, &name, json!("Ada Lovelace")).await;
    let turn = client.end_of(&turn).await.answered();

    assert_eq!(first["kind"], "elicitation");
    let message = first["message"].as_str().unwrap_or_default();
    assert!(message.starts_with("The MCP server everything asks: Please provide inputs"), "{message}");
    assert!(message.contains("- String: Your full, legal name (text)\n"), "{message}");
    assert!(
        message.contains("- Integer: Your favorite integer") && message.contains("(integer from 1 to 100; optional)")
    );
    assert!(name["message"].as_str().is_some_and(|text| text.contains("Your full, legal name")), "{name:#}");
    let call = &turn.first("tool-call-start")["callId"];
    assert_eq!((&first["callId"], &name["callId"]), (call, call));
    let preview = turn.first("tool-call-end")["preview"].to_string();
    assert!(preview.contains("User provided the requested information"), "{preview}");
    client.send(json!({"type": "get-context"})).await;
    let state = client.until_type("context-state").await.to_string();
    assert!(state.contains("Name: Ada Lovelace"), "{state}");
}

#[tokio::test]
async fn a_form_of_server_everything_is_answered_over_stdio() {
    let folder = McpFolder::default();
    let servers = json!({"everything": npm_entry("server-everything", &["stdio"])});

    everything_asks(&folder.start(servers, &["--approve", "auto"]).await).await;
}

#[tokio::test]
async fn a_form_of_server_everything_is_answered_over_http() {
    let (_everything, url) = listening().await;
    let folder = McpFolder::default();

    everything_asks(&folder.start(json!({"everything": {"url": url}}), &["--approve", "auto"]).await).await;
}

#[tokio::test]
async fn the_server_hears_what_the_user_chose_declined_or_dismissed() {
    let folder = McpFolder::default();
    let server = folder.start(json!({"test": folder.scripted("")}), &["--approve", "auto"]).await;
    server.until_tool("test__ask").await;
    let mut client = server.connect().await;

    for (said, heard) in [
        (json!("Husum"), r#"{"action":"accept","content":{"harbour":"Husum"}}"#),
        (json!({"action": "decline"}), r#"{"action":"decline"}"#),
        (Value::Null, r#"{"action":"cancel"}"#),
    ] {
        let turn = client.post("Use test__ask with {}").await;
        let query = client.until_type("user-query").await;
        let labels = query["choices"].as_array().map(|choices| choices.iter().map(|choice| &choice["label"]).collect());
        assert_eq!(labels, Some(vec![&json!("Husum"), &json!("Brest"), &json!("Do not answer")]), "{query:#}");
        let mut frame = json!({"type": "answer-query", "queryId": query["queryId"]});
        if !said.is_null() {
            frame["answer"] = said;
        }
        client.send(frame).await;
        client.end_of(&turn).await.answered().says(heard);
    }
}

#[tokio::test]
async fn a_cancelled_turn_takes_its_question_back() {
    let folder = McpFolder::default();
    let server = folder.start(json!({"test": folder.scripted("")}), &["--approve", "auto"]).await;
    server.until_tool("test__ask").await;
    let mut client = server.connect().await;
    let turn = client.post("Use test__ask with {}").await;
    let query = client.until_type("user-query").await;

    client.send(json!({"type": "cancel"})).await;

    let resolved = client.until_type("query-resolved").await;
    assert_eq!((&resolved["queryId"], resolved.get("answer")), (&query["queryId"], None));
    client.end_of(&turn).await.failed("cancelled");
    folder.until_told("cancelled").await;
}
