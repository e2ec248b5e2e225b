//! `kill -9` at the worst moment: nothing acknowledged is missing, nothing is repeated, everything has its end.

use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};
use switchboard_tests::{ServerOptions, TestClient, TestServer, request};
use uuid::Uuid;

use crate::faults::{marked, sandboxes};

/// What must hold of a whole log: `seq` is 1..n, and every message ends exactly once.
pub(super) fn check_log(frames: &[Value]) {
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

/// The question about the call that was cut off.
async fn question(client: &mut TestClient) -> Value {
    let pending = client.ready["pending"].as_array().cloned().unwrap_or_default();
    match pending.into_iter().chain(client.frames.iter().cloned()).find(|f| f["kind"] == "outcome") {
        Some(query) => query,
        None => client.until("the question", |frame| frame["kind"] == "outcome").await,
    }
}

/// Answers the question about the call that was cut off; the question.
async fn settle(client: &mut TestClient, word: &str) -> Value {
    let query = question(client).await;
    client.send(json!({"type": "answer-query", "queryId": query["queryId"], "answer": word})).await;
    query
}

/// A command whose first run is cut off by `kill -9`, and the next server; each run leaves a line in `trace`.
async fn killed_in_a_command() -> (TestServer, TestClient, String) {
    let mut server = TestServer::start().await;
    let mut client = server.connect().await;
    let turn = client.post("Run `echo begun >> trace; echo begun; test -e go || sleep 50`").await;
    client.until_type("tool-output-chunk").await;
    let session = client.session();
    server.kill().await;
    std::fs::write(server.workspace().join("go"), "").expect("a file");
    server.start_again().await;
    let back = server.connect_to(session, 0).await;
    (server, back, turn)
}

#[tokio::test]
async fn a_command_that_was_cut_off_is_asked_about_and_the_answer_is_written_down() {
    let (server, mut client, turn) = killed_in_a_command().await;

    let query = settle(&mut client, "done").await;
    let turn = client.end_of(&turn).await.says("as you say");
    client.send(json!({"type": "get-context"})).await;
    let state = client.until_type("context-state").await;

    assert!(query["message"].as_str().is_some_and(|text| text.contains("echo begun >> trace")), "{query:#}");
    assert_eq!(turn.all("tool-call-start").len(), 1);
    assert_eq!(turn.first("tool-call-end")["success"], true);
    assert_eq!(state["operationHistory"][0]["success"], true, "{state:#}");
    assert_eq!(server.content("trace"), "begun\n", "the command ran once");
    check_log(&events(&server, client.session()).await);
}

#[tokio::test]
async fn a_command_that_was_cut_off_runs_again_only_at_the_users_word() {
    let (mut server, client, turn) = killed_in_a_command().await;
    // Another crash while the question waits runs nothing either.
    let session = client.session();
    server.kill().await;
    server.start_again().await;
    let mut client = server.connect_to(session, 0).await;
    client.until("the question", |frame| frame["kind"] == "outcome").await;
    assert_eq!(server.content("trace"), "begun\n");

    settle(&mut client, "retry").await;
    let turn = client.end_of(&turn).await.answered().says("begun");

    assert_eq!(turn.all("tool-call-start").len(), 2);
    assert_eq!(turn.all("tool-call-end").len(), 1);
    assert_eq!(server.content("trace"), "begun\nbegun\n", "once more, at the user's word");
    check_log(&events(&server, session).await);
}

/// How often a command has begun, and how often it has come to its end, by its lines in `trace`.
fn runs(server: &TestServer, id: &str) -> (usize, usize) {
    let trace = std::fs::read_to_string(server.workspace().join("trace")).unwrap_or_default();
    let count = |line: String| trace.lines().filter(|found| *found == line).count();
    (count(format!("begun {id}")), count(format!("ended {id}")))
}

/// Kills a server while it starts a command, again and again, a little later each time, and has each command run again.
async fn kills_while_commands_start(options: ServerOptions, kills: u64) {
    let mut server = TestServer::start_with(options).await;
    let mut client = server.connect().await;
    let (session, mut settled) = (client.session(), Vec::new());
    for round in 0..kills {
        let id = Uuid::new_v4().to_string();
        let command =
            format!("echo begun {id} >> trace; until [ -e go-{id} ]; do sleep 0.02; done; echo ended {id} >> trace");
        let turn = client.post(&format!("Run `{command}`")).await;
        client.until_type("tool-call-start").await;
        // The steps from here to the command take some ten milliseconds.
        tokio::time::sleep(Duration::from_millis(round * 7 % 60)).await;
        server.signal(Signal::KILL);
        server.ended().await;
        server.start_again().await;
        client = server.connect_to(session, client.last_seq()).await;

        question(&mut client).await;
        let before = runs(&server, &id);
        assert!(before == (0, 0) || before == (1, 0), "kill {round}: {before:?} before the answer");
        assert_eq!(marked(&id), [] as [i32; 0], "kill {round}: it still runs when it is asked about");
        server.file(&format!("go-{id}"), "");
        settle(&mut client, "retry").await;
        client.end_of(&turn).await.answered();

        settled.push((id, before.0 + 1));
    }

    let again = settled.iter().map(|(id, begun)| (runs(&server, id), (*begun, 1)));
    let wrong: Vec<_> = again.filter(|(found, wanted)| found != wanted).collect();
    assert!(wrong.is_empty(), "{} of {kills} ran other than once more: {wrong:?}", wrong.len());
    let begun = settled.iter().filter(|(_, begun)| *begun == 2).count();
    println!("{kills} kills: {begun} commands had begun, and each ran once more at the user's word");
}

#[tokio::test]
async fn n13_a_command_killed_with_its_server_runs_once_more_and_never_twice() {
    for (_, options) in sandboxes() {
        kills_while_commands_start(options, 10).await;
    }
}

#[tokio::test]
#[ignore = "takes minutes: tests/run soak"]
// In the three sandboxes together.
async fn n13_a_command_killed_with_its_server_two_hundred_times_never_runs_twice() {
    for (_, options) in sandboxes() {
        kills_while_commands_start(options, 70).await;
    }
}

async fn running_with_two_queued(server: &TestServer) -> (TestClient, [String; 3]) {
    let mut client = server.connect().await;
    let running = client.post("Run `echo begun >> trace; echo begun; sleep 50`").await;
    client.until_type("tool-output-chunk").await;
    let first = client.post("Calculate 6 * 7").await;
    let second = client.post("Calculate 6 * 8").await;
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
    settle(&mut back, "unknown").await;
    let interrupted = back.end_of(&running).await.failed("interrupted").says("unknown");
    back.end_of(&first).await.answered().says("42");
    back.end_of(&second).await.answered().says("48");

    assert_eq!(interrupted.end["retryable"], true);
    let mut all = client.frames.clone();
    all.extend(back.frames.iter().cloned());
    check_log(&all);
    assert_eq!(server.content("trace"), "begun\n", "the command ran once");
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
                sent.push(client.post(&format!("Calculate {round} + {number}")).await);
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
