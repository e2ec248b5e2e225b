//! Servers whose log is in NATS JetStream, over real sockets, with a real NATS.

use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};
use switchboard_store::test_support::NatsServer;
use switchboard_tests::{ServerOptions, TestClient, TestServer, request};
use uuid::Uuid;

use crate::crash::check_log;

async fn server(nats: &NatsServer) -> TestServer {
    TestServer::start_with(ServerOptions::with(&["--approve", "auto", "--store", &nats.url()])).await
}

/// All events of a session, as the API gives them.
async fn events(server: &TestServer, session: Uuid) -> Vec<Value> {
    let path = format!("/api/sessions/{session}/events?after=0&limit=1000");
    let page = request(server.address(), "GET", &path, &[], b"").await.json();
    page["events"].as_array().cloned().unwrap_or_else(|| panic!("no events in {page:#}"))
}

/// What became of a message: its acknowledgement, or the refusal.
async fn sent(client: &mut TestClient, id: &str, text: &str) -> Value {
    client.send(json!({"type": "send-message", "text": text, "messageId": id})).await;
    let about = |frame: &Value| match frame["type"].as_str() {
        Some("user-message") => frame["messageId"] == id,
        Some("agent-error") => frame["turnId"] == id && frame["seq"].is_null(),
        _ => false,
    };
    client.until("what became of the message", about).await
}

#[tokio::test]
async fn a_server_with_its_log_in_nats_goes_on_after_a_kill() {
    let nats = NatsServer::start();
    let mut server = server(&nats).await;
    server.file("notes.txt", "alpha\nbeta\n");
    let mut client = server.connect().await;
    let session = client.session();
    client.ask("Read notes.txt").await.answered().says("alpha");
    let before = events(&server, session).await;
    // A turn is cut off in the middle.
    let cut = client.post("Run `echo begun >> trace; echo begun; test -e go || sleep 50`").await;
    client.until_type("tool-output-chunk").await;

    server.kill().await;
    server.file("go", "");
    server.start_again().await;

    let mut client = server.connect_to(session, 0).await;
    let is_question = |frame: &Value| frame["kind"] == "outcome";
    let pending = client.ready["pending"].as_array().cloned().unwrap_or_default();
    let query = match pending.into_iter().find(is_question) {
        Some(query) => query,
        None => client.until("the question about the command", is_question).await,
    };
    client.send(json!({"type": "answer-query", "queryId": query["queryId"], "answer": "retry"})).await;
    client.end_of(&cut).await.answered();
    client.ask("What is 6 * 7?").await.answered().says("42");
    let after = events(&server, session).await;
    assert_eq!(after[..before.len()], before, "what was there is there");
    check_log(&after);
    assert_eq!(server.content("trace"), "begun\nbegun\n", "once more, at the user's word");
}

#[tokio::test]
async fn j03_a_server_that_was_stopped_and_lost_its_session_closes_its_clients_with_4005() {
    let nats = NatsServer::start();
    let (first, second) = (server(&nats).await, server(&nats).await);
    let mut left = first.connect().await;
    let session = left.session();
    left.ask("What is 6 * 7?").await.answered();

    first.signal(Signal::STOP);
    let mut right = second.connect_to(session, 0).await;
    right.ask("What is 7 * 7?").await.answered().says("49");
    let lost = left.post("What is 8 * 8?").await;
    first.signal(Signal::CONT);
    let closed = left.closed().await;

    assert_eq!(closed.code, 4005, "{closed:?}");
    let about = |frame: &&Value| frame["messageId"] == *lost || frame["turnId"] == *lost;
    assert_eq!(left.frames.iter().find(about), None, "nothing is said of it");
    // It comes back with what it has read, and sends what was not acknowledged again.
    let mut back = second.connect_to(session, left.last_seq()).await;
    assert_eq!(sent(&mut back, &lost, "What is 8 * 8?").await["type"], "user-message");
    back.end_of(&lost).await.answered().says("64");
    let all = events(&second, session).await;
    check_log(&all);
    let asked: Vec<_> =
        all.iter().filter(|frame| frame["type"] == "user-message").map(|frame| &frame["text"]).collect();
    assert_eq!(asked, ["What is 6 * 7?", "What is 7 * 7?", "What is 8 * 8?"]);
}

#[tokio::test]
async fn who_looks_at_a_session_that_moves_follows_it() {
    let nats = NatsServer::start();
    let servers = [server(&nats).await, server(&nats).await];
    let mut client = servers[0].connect().await;
    let session = client.session();
    client.ask("What is 1 * 7?").await.answered();

    for round in 1..=4 {
        let mut next = servers[round % 2].connect_to(session, 0).await;
        // Nobody says anything where it was, and yet it is let go of there.
        let closed = client.closed().await;
        assert_eq!(closed.code, 4005, "{closed:?}");
        next.ask(&format!("What is {} * 7?", round + 1)).await.answered();
        client = next;
    }

    let all = events(&servers[0], session).await;
    check_log(&all);
    assert_eq!(all.iter().filter(|frame| frame["type"] == "user-message").count(), 5);
}

#[tokio::test]
async fn j07_while_nats_is_away_messages_are_refused_and_then_it_goes_on() {
    let mut nats = NatsServer::start();
    let server = server(&nats).await;
    let mut client = server.connect().await;
    let session = client.session();
    client.ask("What is 6 * 7?").await.answered();

    nats.kill();
    let refused = sent(&mut client, "m-1", "What is 7 * 7?").await;
    assert_eq!((&refused["code"], &refused["retryable"]), (&json!("storage-failed"), &json!(true)), "{refused:#}");
    assert!(refused["retryAfterMs"].is_u64(), "{refused:#}");
    assert_eq!(request(server.address(), "GET", "/readyz", &[], b"").await.status, 503);

    nats.start_again();
    while sent(&mut client, "m-1", "What is 7 * 7?").await["type"] != "user-message" {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    client.end_of("m-1").await.answered().says("49");
    assert_eq!(request(server.address(), "GET", "/readyz", &[], b"").await.status, 200);
    let all = events(&server, session).await;
    check_log(&all);
    assert_eq!(all.iter().filter(|frame| frame["type"] == "user-message").count(), 2);
}

#[tokio::test]
async fn what_does_not_work_with_a_log_in_nats_says_so() {
    let nats = NatsServer::start();
    let server = server(&nats).await;
    server.connect().await.ask("What is 6 * 7?").await.answered();

    let search = request(server.address(), "GET", "/api/sessions/search?query=what", &[], b"").await;
    assert_eq!(search.status, 501);
    assert!(search.text().contains("does not work yet with a log in NATS"), "{}", search.text());
    let said = server.stderr();
    assert!(said.contains("sync_interval: always") && said.contains("one replica"), "{said}");
    assert!(server.stdout().contains("store: NATS at nats://127.0.0.1:"), "{}", server.stdout());
}
