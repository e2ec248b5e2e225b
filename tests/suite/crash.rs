//! `kill -9` at the worst moment: nothing acknowledged is missing, nothing is repeated, everything has its end.

use serde_json::{Value, json};
use switchboard_tests::{ServerOptions, TestClient, TestServer, request, soon};
use uuid::Uuid;

/// What must hold of a whole log: `seq` is 1..n, and every message ends exactly once.
fn check_log(frames: &[Value]) {
    let durable: Vec<&Value> = frames.iter().filter(|frame| frame["seq"].is_u64()).collect();
    let order: Vec<_> = durable.iter().filter_map(|frame| frame["seq"].as_u64()).collect();
    assert_eq!(order, (1..=order.len() as u64).collect::<Vec<_>>());
    for message in durable.iter().filter(|frame| frame["type"] == "user-message") {
        let ends = durable
            .iter()
            .filter(|frame| frame["messageIds"].as_array().is_some_and(|ids| ids.contains(&message["messageId"])));
        assert_eq!(ends.count(), 1, "the ends of {message}");
    }
}

async fn events(server: &TestServer, session: Uuid) -> Vec<Value> {
    let path = format!("/api/sessions/{session}/events?after=0&limit=1000");
    let page = request(server.address(), "GET", &path, &[], b"").await.json();
    page["events"].as_array().cloned().unwrap_or_else(|| panic!("no events in {page:#}"))
}

async fn running_with_two_queued(server: &TestServer) -> (TestClient, [String; 3]) {
    let mut client = server.connect().await;
    let running = client.say("Run `echo begun >> trace; echo begun; sleep 50`").await;
    client.until_type("tool-output-chunk").await;
    let first = client.say("Calculate 6 * 7").await;
    let second = client.say("Calculate 6 * 8").await;
    client.until("the acknowledgement", |f| f["type"] == "user-message" && f["messageId"] == second.as_str()).await;
    (client, [running, first, second])
}

#[tokio::test]
async fn a_killed_turn_ends_and_the_queue_goes_on() {
    let mut server = TestServer::start().await;
    let (client, [running, first, second]) = running_with_two_queued(&server).await;
    let (session, seen) = (client.session(), client.last_seq());
    server.kill().await;
    server.start_again().await;

    let mut back = server.connect_to(session, seen).await;
    let interrupted = back.end_of(&running).await.failed("interrupted");
    back.end_of(&first).await.answered().says("42");
    back.end_of(&second).await.answered().says("48");

    assert_eq!(interrupted.end["retryable"], true);
    let mut all = client.frames.clone();
    all.extend(back.frames.iter().cloned());
    check_log(&all);
    assert_eq!(server.content("trace"), "begun\n", "the command ran once");
}

#[tokio::test]
async fn a_turn_that_waited_for_approval_ends_interrupted() {
    let mut server = TestServer::start_with(ServerOptions::default()).await;
    let mut client = server.connect().await;
    let waiting = client.say("Run `touch trace`").await;
    client.until_type("approval-request").await;
    let (session, seen) = (client.session(), client.last_seq());
    server.kill().await;
    server.start_again().await;

    let mut back = server.connect_to(session, seen).await;
    back.end_of(&waiting).await.failed("interrupted");

    assert_eq!(back.ready["pending"], json!([]));
    assert!(!server.workspace().join("trace").exists());
    check_log(&events(&server, session).await);
}

#[tokio::test]
async fn unfinished_messages_run_without_anybody_attached() {
    let mut server = TestServer::start().await;
    let (client, [_, _, last]) = running_with_two_queued(&server).await;
    let session = client.session();
    server.kill().await;
    server.start_again().await;

    let log = soon("the answer to the last message", async {
        loop {
            let log = events(&server, session).await;
            let answered = |frame: &Value| frame["messageIds"].as_array().is_some_and(|ids| ids.contains(&json!(last)));
            if log.iter().any(answered) {
                return log;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    })
    .await;

    check_log(&log);
}

#[tokio::test]
async fn kills_at_any_moment_lose_and_repeat_nothing() {
    let mut server = TestServer::start().await;
    let client = server.connect().await;
    let session = client.session();
    let mut acknowledged: Vec<String> = Vec::new();

    for round in 0..6_usize {
        let mut client = server.connect_to(session, 0).await;
        let sent: Vec<String> = {
            let mut sent = Vec::new();
            for number in 0..5 {
                sent.push(client.say(&format!("Calculate {round} + {number}")).await);
            }
            sent
        };
        // The kill comes after the acknowledgement of another message in each round.
        let until = &sent[round % sent.len()];
        client.until("an acknowledgement", |f| f["type"] == "user-message" && f["messageId"] == until.as_str()).await;
        server.kill().await;
        while let Some(frame) = client.frames.pop() {
            if frame["type"] == "user-message" {
                acknowledged.push(frame["messageId"].as_str().unwrap_or_default().to_owned());
            }
        }
        server.start_again().await;
    }

    let mut client = server.connect_to(session, 0).await;
    client.ask("Calculate 1 + 1").await.answered();
    check_log(&client.frames);
    let there: Vec<_> = client.frames.iter().filter(|f| f["type"] == "user-message").map(|f| &f["messageId"]).collect();
    for id in acknowledged {
        assert!(there.contains(&&json!(id)), "{id} was acknowledged and is lost");
    }
}
