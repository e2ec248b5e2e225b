//! Questions of MCP servers to the user: they name the server, are answered like all others, and the server hears what
//! the user said.

use serde_json::{Value, json};
use switchboard_tests::{McpFolder, TestClient, TestServer, npm_entry, request};

use super::listening;

async fn answer(client: &mut TestClient, query: &Value, answer: Value) {
    client.send(json!({"type": "answer-query", "queryId": query["queryId"], "answer": answer})).await;
}

/// The form of server-everything has thirteen fields, of which one is needed.
async fn everything_asks(server: &TestServer) {
    server.until_tool("everything__trigger_elicitation_request").await;
    let mut client = server.connect().await;
    let turn = client.post("Use everything__trigger_elicitation_request with {}").await;

    let form = client.until_type("user-query").await;
    let content = json!({"name": "Ada Lovelace", "integer": 7});
    answer(&mut client, &form, json!({"action": "accept", "content": content})).await;
    let turn = client.end_of(&turn).await.answered();

    assert_eq!(form["kind"], "elicitation");
    let message = form["message"].as_str().unwrap_or_default();
    assert!(message.starts_with("The MCP server everything asks: Please provide inputs"), "{message}");
    let field = |name: &str| form["fields"].as_array().into_iter().flatten().find(|field| field["name"] == name);
    let hint = "Your favorite integer (do not give us your phone number, pin, or other sensitive info); from 1 to 100";
    let integer = json!({
        "name": "integer", "label": "Integer", "hint": hint, "kind": "integer", "required": false, "default": 42,
    });
    assert_eq!(field("integer"), Some(&integer));
    assert_eq!(field("name").map(|field| &field["required"]), Some(&json!(true)));
    assert_eq!(form["callId"], turn.first("tool-call-start")["callId"]);
    let path = format!("/api/sessions/{}/variables/everything__trigger_elicitation_request_result", client.session());
    let heard = String::from_utf8(request(server.address(), "GET", &path, &[], b"").await.body).expect("a text");
    assert!(heard.contains("Name: Ada Lovelace") && heard.contains("Favorite Integer: 7"), "{heard}");
    assert!(heard.contains("Favorite Number: 3.14"), "what is not given has its default: {heard}");
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
async fn f05_a_form_is_asked_for_anew_when_its_call_is_made_again_after_a_crash() {
    let folder = McpFolder::default();
    let servers = json!({"everything": npm_entry("server-everything", &["stdio"])});
    let mut server = folder.start(servers, &["--approve", "auto"]).await;
    server.until_tool("everything__trigger_elicitation_request").await;
    let mut client = server.connect().await;
    let turn = client.post("Use everything__trigger_elicitation_request with {}").await;
    client.until_type("user-query").await;

    server.kill().await;
    server.start_again().await;
    server.until_tool("everything__trigger_elicitation_request").await;
    let mut back = server.connect_to(client.session(), client.last_seq()).await;
    let pending = back.ready["pending"].as_array().cloned().unwrap_or_default();
    assert_eq!(pending.iter().map(|asked| &asked["kind"]).collect::<Vec<_>>(), ["outcome"], "{pending:#?}");
    answer(&mut back, &pending[0], json!("retry")).await;
    let form = back.until("the form", |frame| frame["kind"] == "elicitation").await;
    answer(&mut back, &form, json!({"action": "accept", "content": {"name": "Ada Lovelace"}})).await;

    back.end_of(&turn).await.answered().says("Ada Lovelace");
}

#[tokio::test]
async fn a_client_that_shows_no_forms_answers_one_by_one() {
    let folder = McpFolder::default();
    let servers = json!({"everything": npm_entry("server-everything", &["stdio"])});
    let server = folder.start(servers, &["--approve", "auto"]).await;
    server.until_tool("everything__trigger_elicitation_request").await;
    let mut client = server.connect().await;
    let turn = client.post("Use everything__trigger_elicitation_request with {}").await;
    let form = client.until_type("user-query").await;
    assert_eq!(form["choices"][0]["label"], "Answer one by one");

    answer(&mut client, &form, form["choices"][0]["value"].clone()).await;
    for _ in form["fields"].as_array().into_iter().flatten() {
        let asked = client.until_type("user-query").await;
        // Where there are choices, the last one leaves the field as it is.
        let last = asked["choices"].as_array().and_then(|choices| choices.last());
        let needed = asked["message"].to_string().contains("legal name");
        let skip = last.map_or(json!(if needed { "Ada Lovelace" } else { "-" }), |choice| choice["value"].clone());
        answer(&mut client, &asked, skip).await;
    }

    let turn = client.end_of(&turn).await.answered();
    let preview = turn.first("tool-call-end")["preview"].to_string();
    assert!(preview.contains("User provided the requested information"), "{preview}");
}

#[tokio::test]
async fn an_answer_to_a_form_that_is_neither_a_choice_nor_its_fields_is_refused() {
    let folder = McpFolder::default();
    let server = folder.start(json!({"test": folder.scripted("")}), &["--approve", "auto"]).await;
    server.until_tool("test__ask").await;
    let mut client = server.connect().await;
    let turn = client.post("Use test__ask with {}").await;
    let form = client.until_type("user-query").await;

    answer(&mut client, &form, json!("Kiel")).await;
    let refused = client.until("the refusal", |frame| frame["code"] == "wrong-answer").await;
    answer(&mut client, &form, json!({"action": "accept", "content": {"harbour": "Kiel"}})).await;
    let again = client.until_type("user-query").await;
    answer(&mut client, &again, json!({"action": "accept", "content": {"harbour": "Brest"}})).await;

    assert!(refused.to_string().contains("still waiting"), "{refused:#}");
    assert!(again["message"].to_string().contains("Kiel is not one of its choices"), "{again:#}");
    assert_eq!(again["fields"][0]["default"], "Kiel");
    client.end_of(&turn).await.answered().says("Brest");
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
