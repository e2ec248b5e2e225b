//! A server that ends or stalls without a word: what it had goes on at another one.

use std::time::Instant;

use futures_util::future::join_all;
use rustix::process::Signal;
use serde_json::{Value, json};
use switchboard_tests::{Answer, ScriptedLlm, ServerOptions, TestServer, request};

use super::{AGAIN, Cluster, attached, events};
use crate::crash::check_log;

#[tokio::test]
async fn j02_a_turn_whose_server_is_killed_goes_on_at_another_and_its_command_only_at_the_users_word() {
    let mut cluster = Cluster::start(2).await;
    let mut left = cluster.servers[0].connect().await;
    let session = left.session();
    let mut right = cluster.servers[1].connect_to(session, 0).await;
    left.ask("What is 6 * 7?").await.answered();
    let cut = left.post("Run `echo begun >> trace; echo begun; test -e go || sleep 50`").await;
    right.until_type("tool-output-chunk").await;

    cluster.servers[0].kill().await;
    let killed = Instant::now();
    cluster.servers[1].file("go", "");
    // Whose connection was passed on is told why it ends.
    let closed = right.closed().await;
    assert_eq!(closed.code, 4005, "{closed:?}");
    let mut back = cluster.client(1, session, right.last_seq()).await;
    println!("a client was back {:?} after its server was killed", killed.elapsed());
    let is_question = |frame: &Value| frame["kind"] == "outcome";
    let pending = back.ready["pending"].as_array().cloned().unwrap_or_default();
    let query = match pending.into_iter().find(is_question) {
        Some(query) => query,
        None => back.until("the question about the command", is_question).await,
    };
    assert_eq!(cluster.servers[1].content("trace"), "begun\n", "it is not run again unasked");
    back.send(json!({"type": "answer-query", "queryId": query["queryId"], "answer": "retry"})).await;
    back.end_of(&cut).await.answered();

    assert_eq!(cluster.servers[1].content("trace"), "begun\nbegun\n");
    check_log(&events(&cluster.servers[1], session).await);
    let mut all = right.frames.clone();
    all.extend(back.frames.iter().cloned());
    check_log(&all);
}

#[tokio::test]
async fn j01_a_turn_whose_server_is_killed_while_the_model_writes_goes_on_elsewhere_without_a_client() {
    let held = Answer::text("Plums are blue, and so is the sea.").in_pieces_of(4).stall_after(3);
    let llm = ScriptedLlm::of([held, Answer::text("Plums are blue.")]).await;
    let mut cluster = Cluster::start(0).await;
    for _ in 0..2 {
        let with_model = ServerOptions::default().model(&llm.base_url(), "native").arguments;
        let arguments: Vec<&str> = with_model.iter().map(String::as_str).collect();
        cluster.add(&arguments).await;
    }
    let mut client = cluster.servers[0].connect().await;
    let session = client.session();
    let asked = client.post("Which color are plums?").await;
    client.until_type("agent-delta").await;

    cluster.servers[0].kill().await;
    let killed = Instant::now();
    // Nobody asks for the session, and yet the model is asked again.
    llm.asked(2).await;
    println!("the turn went on {:?} after its server was killed", killed.elapsed());

    let mut back = cluster.client(1, session, client.last_seq()).await;
    back.end_of(&asked).await.answered().says("Plums are blue.");
    let all = events(&cluster.servers[1], session).await;
    check_log(&all);
    assert_eq!(llm.count(), 2, "it was asked once more, by one server");
}

#[tokio::test]
async fn what_a_killed_server_had_is_shared_among_those_that_live() {
    const SESSIONS: usize = 12;
    let mut cluster = Cluster::start(3).await;
    let clients = (0..SESSIONS).map(async |number| {
        let mut client = cluster.servers[0].connect().await;
        client.post(&format!("Run `echo begun; test -e go || sleep 50 # {number}`")).await;
        client.until_type("tool-output-chunk").await;
        client.post(&format!("Write \"{number}\" to out/{number}.txt")).await;
        let taken = |frame: &Value| {
            frame["type"] == "user-message" && frame["text"].as_str().is_some_and(|text| text.starts_with("Write"))
        };
        client.until("the second message's acknowledgement", taken).await;
        client
    });
    let clients = join_all(clients).await;

    cluster.servers[0].kill().await;
    let killed = Instant::now();
    let [_, second, third] = &cluster.servers[..] else { panic!("there are three") };
    let said = |server: &TestServer| server.stderr().matches("taking over what another server left behind").count();
    while said(second) == 0 || said(third) == 0 {
        tokio::time::sleep(AGAIN).await;
    }
    println!("both others had begun {:?} after the server was killed", killed.elapsed());

    // Each comes back at any of the two, and answers the question about its command.
    for (number, client) in clients.into_iter().enumerate() {
        let server = [second, third][number % 2];
        let mut back = attached(server.address(), client.session(), client.last_seq()).await;
        let is_question = |frame: &Value| frame["kind"] == "outcome";
        let pending = back.ready["pending"].as_array().cloned().unwrap_or_default();
        let query = match pending.into_iter().find(is_question) {
            Some(query) => query,
            None => back.until("the question about the command", is_question).await,
        };
        back.send(json!({"type": "answer-query", "queryId": query["queryId"], "answer": "done"})).await;
        let is_written = |frame: &Value| {
            frame["type"] == "agent-response"
                && frame["text"].as_str().is_some_and(|text| text.contains(&format!("{number}.txt")))
        };
        back.until("what had waited", is_written).await;
        let mut all = client.frames.clone();
        all.extend(back.frames.iter().cloned());
        check_log(&all);
        assert_eq!(second.content(&format!("out/{number}.txt")), number.to_string());
    }
}

#[tokio::test]
async fn j03_a_server_that_was_stopped_and_lost_its_session_closes_its_clients_with_4005() {
    let cluster = Cluster::start(2).await;
    let [first, second] = &cluster.servers[..] else { panic!("there are two") };
    let mut left = first.connect().await;
    let session = left.session();
    left.ask("What is 6 * 7?").await.answered();

    first.signal(Signal::STOP);
    let stopped = Instant::now();
    let mut right = cluster.client(1, session, 0).await;
    println!("a client was served {:?} after its server was stopped", stopped.elapsed());
    right.ask("What is 7 * 7?").await.answered().says("49");
    let lost = left.post("What is 8 * 8?").await;
    first.signal(Signal::CONT);
    let closed = left.closed().await;

    assert_eq!(closed.code, 4005, "{closed:?}");
    let about = |frame: &&Value| frame["messageId"] == *lost || frame["turnId"] == *lost;
    assert_eq!(left.frames.iter().find(about), None, "nothing is said of it");
    // It comes back where it was with what it has read, and sends what was not acknowledged again.
    let mut back = cluster.client(0, session, left.last_seq()).await;
    back.send(json!({"type": "send-message", "text": "What is 8 * 8?", "messageId": lost})).await;
    back.end_of(&lost).await.answered().says("64");
    let all = events(second, session).await;
    check_log(&all);
    let asked: Vec<_> =
        all.iter().filter(|frame| frame["type"] == "user-message").map(|frame| &frame["text"]).collect();
    assert_eq!(asked, ["What is 6 * 7?", "What is 7 * 7?", "What is 8 * 8?"]);
    assert_eq!(request(first.address(), "GET", "/readyz", &[], b"").await.status, 200);
}
