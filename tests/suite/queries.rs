//! What a running tool asks its user: answered from any socket, by choice or in free words, dismissed, canceled.

use serde_json::{Value, json};
use switchboard_tests::{TestClient, TestServer};

async fn asks(client: &mut TestClient, arguments: &Value) -> (String, Value) {
    let turn = client.post(&format!("use ask_user {arguments}")).await;
    (turn, client.until_type("user-query").await)
}

async fn answer(client: &mut TestClient, query: &Value, answer: &Value) {
    client.send(json!({"type": "answer-query", "queryId": query["queryId"], "answer": answer})).await;
}

#[tokio::test]
async fn an_answer_becomes_the_calls_value() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    let (turn, query) = asks(&mut client, &json!({"question": "Which environment?"})).await;

    answer(&mut client, &query, &json!("staging")).await;
    let turn = client.end_of(&turn).await.answered();

    assert_eq!((&query["kind"], &query["message"]), (&json!("query"), &json!("Which environment?")));
    assert!(query["choices"].is_null() && query["expiresAt"].is_null() && query["seq"].is_u64(), "{query:#}");
    assert_eq!(turn.first("query-resolved")["answer"], "staging");
    assert_eq!(turn.first("tool-call-start")["callId"], query["callId"]);
    assert_eq!(turn.first("tool-call-start")["quiet"], true);
    assert_eq!(turn.stored(), ["user_answer"]);
    client.ask("what is user_answer?").await.answered().says("staging");
}

#[tokio::test]
async fn a_choice_is_answered_from_another_socket() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    let (turn, query) = asks(&mut client, &json!({"question": "Which?", "choices": ["red", "blue"]})).await;

    let mut other = server.connect_to(client.session(), 0).await;
    assert_eq!(other.ready["pending"], json!([query]));
    answer(&mut other, &query, &json!("green")).await;
    let wrong = other.until("the refusal", |frame| frame["code"] == "wrong-answer").await;
    answer(&mut other, &query, &json!("blue")).await;
    client.end_of(&turn).await.answered().says("blue");
    answer(&mut client, &query, &json!("red")).await;
    let late = client.until("the refusal", |frame| frame["code"] == "unknown-query").await;

    assert_eq!(query["choices"][1], json!({"value": "blue", "label": "blue"}));
    assert_eq!(wrong["path"], "answer");
    assert!(late["seq"].is_null() && late["messageIds"].is_null(), "{late:#}");
}

#[tokio::test]
async fn a_dismissed_question_ends_the_call_with_a_result_that_says_so() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    let (turn, query) = asks(&mut client, &json!({"question": "Which environment?"})).await;

    client.send(json!({"type": "answer-query", "queryId": query["queryId"]})).await;
    let turn = client.end_of(&turn).await.says("dismissed");

    let end = turn.first("tool-call-end");
    assert_eq!((&end["success"], &end["started"]), (&json!(true), &json!(true)));
    assert!(turn.first("query-resolved")["answer"].is_null());
}

#[tokio::test]
async fn an_answer_that_is_too_large_or_not_asked_for_is_refused() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    let (turn, query) = asks(&mut client, &json!({"question": "Which environment?"})).await;

    answer(&mut client, &query, &json!("x".repeat(70_000))).await;
    let large = client.until("the refusal", |frame| frame["code"] == "protocol-too-large").await;
    answer(&mut client, &json!({"queryId": "no-such-query"}), &json!("x")).await;
    let unknown = client.until("the refusal", |frame| frame["code"] == "unknown-query").await;
    answer(&mut client, &query, &json!("small")).await;
    client.end_of(&turn).await.answered();

    assert_eq!((&large["path"], &unknown["path"]), (&json!("answer"), &json!("queryId")));
}

#[tokio::test]
async fn cancelling_settles_the_question() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    let (turn, query) = asks(&mut client, &json!({"question": "Which environment?"})).await;

    client.send(json!({"type": "cancel"})).await;
    client.end_of(&turn).await.failed("cancelled");
    answer(&mut client, &query, &json!("late")).await;
    client.until("the refusal", |frame| frame["code"] == "unknown-query").await;
    let back = server.connect_to(client.session(), 0).await;

    assert_eq!(back.ready["pending"], json!([]));
}

#[tokio::test]
async fn a_users_own_call_asks_too() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    client
        .send(json!({"type": "call-tool", "callId": "own", "tool": "ask_user", "arguments": {"question": "Me?"}}))
        .await;
    let query = client.until_type("user-query").await;

    answer(&mut client, &query, &json!({"any": ["json", 1]})).await;
    let end = client.until_type("tool-call-end").await;

    assert_eq!((&query["callId"], &query["turnId"]), (&json!("own"), &Value::Null));
    assert_eq!(end["success"], true);
}
