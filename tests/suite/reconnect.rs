//! Coming back: nothing is missing, nothing comes twice.

use serde_json::{Value, json};
use switchboard_tests::{Addresses, ReturningClient, TestClient, TestServer};
use uuid::Uuid;

fn durable(frames: &[Value]) -> Vec<Value> {
    frames.iter().filter(|frame| frame["seq"].is_u64()).cloned().collect()
}

#[tokio::test]
async fn a_client_that_comes_back_gets_what_it_missed() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    client.ask("Calculate 1 + 1").await.answered();
    let (session, seen) = (client.session(), client.last_seq());
    let mut other = server.connect_to(session, seen).await;
    let missed = other.ask("Calculate 2 + 2").await.answered();
    client.close().await;

    let mut back = server.connect_to(session, seen).await;
    let again = back.end_of(missed.end["messageIds"][0].as_str().expect("an id")).await;

    assert_eq!(durable(&again.frames), durable(&missed.frames));
    assert_eq!(back.ready["resumed"], true);
}

#[tokio::test]
async fn two_clients_see_the_same_log() {
    let server = TestServer::start().await;
    let mut one = server.connect().await;
    let mut two = server.connect_to(one.session(), 0).await;

    let id = one.post("Calculate 1 + 1").await;
    one.end_of(&id).await;
    two.end_of(&id).await;

    assert_eq!(durable(&one.frames), durable(&two.frames));
}

#[tokio::test]
async fn d03_a_tab_that_lags_ends_with_the_same_log() {
    let server = TestServer::start().await;
    let mut fast = server.connect().await;
    // It reads nothing for so long that it may be taken for gone; then it comes back.
    let addresses = Addresses::new(vec![server.address().to_owned()]);
    let mut slow = ReturningClient::of(server.connect_to(fast.session(), 0).await, addresses);
    let text = format!("Remember that it is {}", "long ".repeat(40_000));

    // More than waits for a client: of what it does not read it is told by the log.
    let mut last = String::new();
    for _ in 0..20 {
        last = fast.post(&text).await;
        fast.end_of(&last).await;
    }
    slow.end_of(&last).await;

    assert_eq!(durable(&fast.frames), slow.seen);
}

#[tokio::test]
async fn the_tail_comes_with_a_snapshot_and_older_pages_by_http() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    client.ask("Store the number 42 as my_number").await.answered();
    client.ask("Calculate 1 + 1").await.answered();
    let (session, last) = (client.session(), client.last_seq());

    let mut tail = TestClient::connect(server.address(), &format!("?session={session}&tail=3")).await;
    tail.until("the last event", |frame| frame["seq"] == last).await;

    assert_eq!(durable(&tail.frames).len(), 3);
    assert_eq!(tail.ready["snapshot"]["variables"][0]["name"], "my_number");
    assert_eq!(tail.ready["snapshot"]["firstSeq"], last - 2);
    let path = format!("/api/sessions/{session}/events?before={}&limit=100", last - 2);
    let page = switchboard_tests::request(server.address(), "GET", &path, &[], b"").await.json();
    let older: Vec<_> = page["events"].as_array().expect("events").iter().map(|e| e["seq"].as_u64()).collect();
    assert_eq!(older, (1..last - 2).map(Some).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_client_that_comes_in_the_middle_gets_the_output_so_far() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    let turn = client.post("Run `echo so far; until [ -e go ]; do sleep 0.05; done; echo the rest`").await;
    client.until_type("tool-output-chunk").await;

    let mut late = server.connect_to(client.session(), 0).await;
    let caught_up = late.until_type("tool-output-chunk").await;
    server.file("go", "");
    late.end_of(&turn).await.answered();

    assert_eq!((&caught_up["offset"], &caught_up["chunk"]), (&json!(0), &json!("so far\n")));
    assert_eq!(late.ready["busy"]["messageId"], turn.as_str());
    let output: String = late.frames.iter().filter_map(|frame| frame["chunk"].as_str()).collect();
    assert_eq!(output, "so far\nthe rest\n");
}

#[tokio::test]
async fn the_turn_goes_on_without_a_client() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    let session = client.session();
    let turn = client.post("Run `echo begun; until [ -e go ]; do sleep 0.05; done; echo finished`").await;
    client.until_type("tool-output-chunk").await;
    client.close().await;
    server.file("go", "");

    let mut back = server.connect_to(session, 0).await;

    back.end_of(&turn).await.answered().says("finished");
}

#[tokio::test]
async fn unknown_sessions_and_places_are_refused_with_a_code() {
    let server = TestServer::start().await;
    let client = server.connect().await;

    for (query, code) in
        [(format!("?session={}", Uuid::new_v4()), 4004), (format!("?session={}&after=1000", client.session()), 4007)]
    {
        let mut refused = TestClient::dial(server.address(), &query, &[]).await.expect("the upgrade works");
        let closed = refused.closed().await;
        assert_eq!(closed.code, code, "{query}: {closed:?}");
        assert!(!closed.reason.is_empty());
    }
}

#[tokio::test]
async fn a_restart_keeps_everything() {
    let mut server = TestServer::start().await;
    let mut client = server.connect().await;
    client.ask("Store the number 42 as my_number").await.answered();
    let (session, before) = (client.session(), durable(&client.frames));
    server.kill().await;
    server.start_again().await;

    let mut back = server.connect_to(session, 0).await;
    back.ask("What number did I store earlier?").await.answered().says("42");

    assert_eq!(durable(&back.frames)[..before.len()], before);
}
