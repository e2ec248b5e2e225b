//! A new session from an old one: `/fork` and `/rerun`; and what was said, as other programs take it.

use serde_json::{Value, json};
use switchboard_tests::{TestClient, TestServer, request};

async fn with_answer() -> (TestServer, TestClient) {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    client.ask("Calculate 6 * 7 and call it answer").await.answered().says("42");
    (server, client)
}

/// Attaches to the session that the answer of a command names, and reads all of it.
async fn opened(server: &TestServer, answer: &Value) -> TestClient {
    let session = answer["sessionId"].as_str().expect("the answer names the new session");
    TestClient::connect(server.address(), &format!("?session={session}&after=0")).await
}

#[tokio::test]
async fn a_fork_knows_what_its_origin_knew_and_goes_its_own_way() {
    let (server, mut client) = with_answer().await;

    let answer = client.command("/fork").await;
    let mut fork = opened(&server, &answer).await;

    assert_eq!(answer["type"], "command-response");
    assert_ne!(fork.session(), client.session());
    fork.ask("Calculate @answer + 1 and call it answer").await.answered().says("43");
    client.ask("Calculate @answer + 2").await.answered().says("44");
    let titles = fork.frames.iter().filter_map(|frame| frame["title"].as_str()).collect::<Vec<_>>();
    assert!(titles.iter().any(|title| title.ends_with(" (fork)")), "{titles:?}");
}

#[tokio::test]
async fn a_fork_ends_at_the_event_that_was_named() {
    let (server, mut client) = with_answer().await;
    let end = client.frames.iter().find(|frame| frame["type"] == "agent-response").expect("an answer")["seq"].clone();
    client.ask("Calculate 1 + 1 and call it second").await.answered();

    let answer = client.command(&format!("/fork {end}")).await;
    let mut fork = opened(&server, &answer).await;
    fork.send(json!({"type": "get-context"})).await;
    let context = fork.until_type("context-state").await;

    let names: Vec<&str> =
        context["variables"].as_array().expect("a list").iter().filter_map(|one| one["name"].as_str()).collect();
    assert_eq!(names, ["answer"]);
}

#[tokio::test]
async fn an_edited_message_runs_in_the_place_of_the_old_one() {
    let (server, mut client) = with_answer().await;
    let first = client.ask("Calculate @answer + 1 and call it next").await.answered();
    let id = first.end["turnId"].as_str().expect("an id").to_owned();

    let answer = client.command(&format!("/rerun {id} Calculate @answer + 100")).await;
    let mut rerun = opened(&server, &answer).await;
    let reply = rerun.until("the reply", |frame| frame["text"].as_str().is_some_and(|text| text.contains("142"))).await;

    assert_eq!(reply["type"], "agent-response");
    let said: Vec<&Value> = rerun.frames.iter().filter(|frame| frame["type"] == "user-message").collect();
    assert_eq!(said.last().expect("messages")["text"], "Calculate @answer + 100");
    assert!(said.iter().all(|frame| frame["messageId"] != id.as_str()), "the old message is not there");
}

#[tokio::test]
async fn the_first_message_runs_again_in_an_empty_session() {
    let (server, mut client) = with_answer().await;

    let answer = client.command("/rerun").await;
    let mut rerun = opened(&server, &answer).await;
    let reply = rerun.until("the reply", |frame| frame["type"] == "agent-response").await;

    assert!(reply["text"].as_str().is_some_and(|text| text.contains("42")), "{reply}");
    assert_eq!(reply["contextUpdated"], json!(["answer"]));
}

#[tokio::test]
async fn a_fork_of_a_running_turn_says_that_it_was_cut_off() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    let running = client.post("Run `echo begun; until [ -e go ]; do sleep 0.05; done; echo done`").await;
    client.until_type("tool-output-chunk").await;

    let answer = client.command("/fork").await;
    let mut fork = opened(&server, &answer).await;
    let cut = fork.end_of(&running).await.failed("interrupted");
    server.file("go", "");

    assert!(cut.text().contains("the session was forked here"), "{:#}", cut.end);
    client.end_of(&running).await.answered().says("done");
}

#[tokio::test]
async fn what_cannot_be_forked_is_said() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;

    let nothing = client.command("/rerun").await;
    let beyond = client.command("/fork 999").await;
    let word = client.command("/fork here").await;
    client.ask("Hello").await.answered();
    let elsewhere = client.command("/rerun 6b0d2c62-4f0e-4a3f-9a51-2f1f0f2f9c11 Goodbye").await;

    for (answer, part) in [
        (elsewhere, "No message of this session has the id"),
        (nothing, "No message has been sent"),
        (beyond, "from 1 to"),
        (word, "from 1 to"),
    ] {
        assert_eq!(answer["type"], "command-error", "{answer}");
        assert!(answer["text"].as_str().is_some_and(|text| text.contains(part)), "{answer}");
        assert!(answer["usage"].is_string());
    }
}

#[tokio::test]
async fn a_transcript_is_what_other_programs_take() {
    let (server, client) = with_answer().await;

    let path = format!("/api/sessions/{}/transcript", client.session());
    let transcript = request(server.address(), "GET", &path, &[], b"").await.json();
    let other =
        request(server.address(), "GET", "/api/sessions/6b0d2c62-4f0e-4a3f-9a51-2f1f0f2f9c11/transcript", &[], b"")
            .await;

    let messages = transcript["messages"].as_array().expect("messages");
    let roles: Vec<&str> = messages.iter().filter_map(|message| message["role"].as_str()).collect();
    assert_eq!(roles, ["user", "assistant", "tool", "assistant"]);
    assert_eq!(messages[1]["tool_calls"][0]["function"]["name"], "calculator");
    assert!(messages[1]["tool_calls"][0]["function"]["arguments"].is_string(), "{}", messages[1]);
    assert_eq!(messages[1]["tool_calls"][0]["id"], messages[2]["tool_call_id"]);
    assert_eq!(other.status, 404);
}
