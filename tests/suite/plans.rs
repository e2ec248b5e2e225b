//! A plan that is shown before it is carried out: taken by a word or a button, left, replaced by another message, and kept
//! across a restart. What is carried out is what was shown.

use serde_json::{Value, json};
use switchboard_tests::{ServerOptions, TestClient, TestServer};

const BEFORE: &str = "{\"port\": 3000}\n";

/// A change of a file whose name is misspelled is shown first.
async fn asks(server: &TestServer, client: &mut TestClient) -> Value {
    server.file("config.json", BEFORE);
    let turn = client.ask("Set the port in confg.json to 8080").await;
    let end = turn.first("agent-response");
    assert_eq!(end["complete"], false, "{end:#}");
    assert_eq!(server.content("config.json"), BEFORE);
    let query = turn.first("user-query").clone();
    assert_eq!((&query["kind"], &query["callId"]), (&json!("plan"), &Value::Null), "{query:#}");
    let message = query["message"].as_str().unwrap_or_default();
    assert!(message.contains("config.json") && message.contains("8080"), "{message}");
    query
}

async fn started() -> (TestServer, TestClient) {
    let server = TestServer::start_with(ServerOptions::with(&["--approve", "auto", "--reasoner", "rules"])).await;
    let client = server.connect().await;
    (server, client)
}

/// The turn of the message that an answer becomes.
async fn answered(client: &mut TestClient, query: &Value, answer: Value) -> switchboard_tests::Turn {
    client.send(json!({"type": "answer-query", "queryId": query["queryId"], "answer": answer})).await;
    let said = client.until_type("user-message").await;
    assert_eq!(said["text"], answer);
    client.end_of(said["messageId"].as_str().unwrap_or_default()).await
}

#[tokio::test]
async fn a_yes_carries_out_the_plan_that_was_shown_and_no_other() {
    let (server, mut client) = started().await;
    let query = asks(&server, &mut client).await;
    // Read anew, the message would now mean this file.
    server.file("confg.json", BEFORE);

    let turn = client.ask("yes").await.answered();

    assert_eq!(turn.first("query-resolved")["queryId"], query["queryId"]);
    assert_eq!(turn.first("query-resolved")["answer"], "yes");
    assert_eq!(turn.first("agent-response")["complete"], true);
    assert_eq!(server.content("config.json"), BEFORE.replace("3000", "8080"));
    assert_eq!(server.content("confg.json"), BEFORE);
}

#[tokio::test]
async fn what_cannot_be_carried_out_is_not_offered() {
    let (server, mut client) = started().await;
    server.file("seeds.csv", "name,packets\nchard,3\nleek,1\n");

    let turn = client.ask("which seeds begin with c").await;

    assert!(turn.all("user-query").is_empty(), "{:#}", turn.first("agent-response"));
    assert_eq!(turn.first("agent-response")["complete"], false);
    client.ask("yes").await.says("Nothing is waiting for a yes");
}

#[tokio::test]
async fn a_button_is_as_good_as_a_yes_and_counts_once() {
    let (server, mut client) = started().await;
    let query = asks(&server, &mut client).await;

    client.send(json!({"type": "answer-query", "queryId": query["queryId"], "answer": "perhaps"})).await;
    client.until("the refusal", |frame| frame["code"] == "wrong-answer").await;
    let turn = answered(&mut client, &query, json!("yes")).await.answered();
    client.send(json!({"type": "answer-query", "queryId": query["queryId"], "answer": "yes"})).await;
    client.until("the second refusal", |frame| frame["code"] == "unknown-query").await;

    assert_eq!(turn.first("query-resolved")["answer"], "yes");
    assert_eq!(server.content("config.json"), BEFORE.replace("3000", "8080"));
}

#[tokio::test]
async fn a_no_leaves_all_as_it_is() {
    let (server, mut client) = started().await;
    asks(&server, &mut client).await;
    let turn = client.ask("no").await.answered();
    assert_eq!(turn.first("query-resolved")["answer"], "no");

    let query = asks(&server, &mut client).await;
    let turn = answered(&mut client, &query, json!("no")).await.answered();
    assert_eq!(turn.first("query-resolved")["answer"], "no");

    client.ask("yes").await.says("Nothing is waiting for a yes");
    assert_eq!(server.content("config.json"), BEFORE);
}

#[tokio::test]
async fn a_dismissed_plan_is_left() {
    let (server, mut client) = started().await;
    let query = asks(&server, &mut client).await;

    client.send(json!({"type": "answer-query", "queryId": query["queryId"]})).await;
    let resolved = client.until_type("query-resolved").await;

    assert!(resolved["answer"].is_null(), "{resolved:#}");
    assert_eq!(server.connect_to(client.session(), 0).await.ready["pending"], json!([]));
    // The words of the reply still offer it; what was left is not taken up by them.
    client.ask("yes").await.says("Nothing is waiting for a yes");
    assert_eq!(server.content("config.json"), BEFORE);
}

#[tokio::test]
async fn another_message_takes_the_plans_place() {
    let (server, mut client) = started().await;
    let query = asks(&server, &mut client).await;

    let turn = client.ask("how many lines are in config.json?").await.answered();
    let resolved = turn.first("query-resolved");
    assert_eq!((&resolved["queryId"], &resolved["answer"]), (&query["queryId"], &Value::Null));

    client.ask("yes").await.says("Nothing is waiting for a yes");
    assert_eq!(server.content("config.json"), BEFORE);
}

#[tokio::test]
async fn a_plan_waits_across_a_restart() {
    let (mut server, mut client) = started().await;
    let query = asks(&server, &mut client).await;
    let (session, seen) = (client.session(), client.last_seq());
    server.kill().await;
    server.start_again().await;

    let mut client = server.connect_to(session, seen).await;
    assert_eq!(client.ready["pending"], json!([query]));
    let turn = client.ask("yes").await.answered();

    assert_eq!(turn.first("query-resolved")["answer"], "yes");
    assert_eq!(server.content("config.json"), BEFORE.replace("3000", "8080"));
}
