//! Connections that break off at any byte while turns run and replies stream: whoever comes back misses nothing and gets
//! nothing twice.

use std::convert::Infallible;

use serde_json::{Value, json};
use switchboard_tests::{Answer, ScriptedLlm, ServerOptions, TestClient, TestServer, request};
use tokio::io::{AsyncReadExt as _, copy};
use tokio::net::{TcpListener, TcpStream};
use uuid::Uuid;

/// So many bytes of the server one connection lets through at most: a few turns.
const MOST: u64 = 30_000;

/// And every third one: not even the greeting.
const FEW: u64 = 600;

/// Passes bytes on to the server, one connection after the other, and breaks each off after a random number of the server's.
async fn pass_on(listener: TcpListener, server: String) -> Infallible {
    let seed = fastrand::u64(..);
    println!("cut by the dice of the seed {seed}");
    let mut dice = fastrand::Rng::with_seed(seed);
    let mut number = 0_u64;
    loop {
        number += 1;
        let (mut client, _) = listener.accept().await.expect("a client");
        let mut server = TcpStream::connect(&server).await.expect("the server");
        let most = dice.u64(..if number.is_multiple_of(3) { FEW } else { MOST });
        let ((mut said, mut to_client), (answered, mut to_server)) = (client.split(), server.split());
        let mut answered = answered.take(most);
        let _ = tokio::select! {
            ended = copy(&mut said, &mut to_server) => ended,
            ended = copy(&mut answered, &mut to_client) => ended,
        };
    }
}

/// Sends messages, one after the other.
async fn talk(mut client: TestClient) -> Infallible {
    loop {
        client.ask("Read fruit.txt and tell me all about it").await.answered();
    }
}

/// Comes back after each of so many cuts; every durable frame, each of which was the next.
async fn come_back(door: &str, host: &str, session: Uuid, cuts: usize) -> Vec<Value> {
    let mut seen: Vec<Value> = Vec::new();
    for _ in 0..cuts {
        let query = format!("?session={session}&after={}", seen.len());
        // Cut off before it was let in.
        let Ok(mut client) = TestClient::dial(door, &query, &[("host", host)]).await else { continue };
        client.closed().await;
        for frame in client.frames.into_iter().filter(|frame| frame["seq"].is_u64()) {
            assert_eq!(frame["seq"], seen.len() + 1, "the next one: {frame}");
            seen.push(frame);
        }
    }
    seen
}

async fn log(server: &TestServer, session: Uuid, count: usize) -> Vec<Value> {
    let mut events: Vec<Value> = Vec::new();
    while events.len() < count {
        let path = format!("/api/sessions/{session}/events?after={}&limit=1000", events.len());
        let page = request(server.address(), "GET", &path, &[], b"").await.json();
        events.extend(page["events"].as_array().expect("events").iter().cloned());
    }
    events.truncate(count);
    events
}

async fn cut_connections(cuts: usize) {
    let llm = ScriptedLlm::start(|asked| {
        if asked.messages().last().is_some_and(|message| message["role"] == "tool") {
            return Answer::text("Plums, pears and quinces are all in it. ".repeat(20)).in_pieces_of(7);
        }
        Answer::calls([("file_read", json!({"path": "fruit.txt"}))]).saying("I shall read it now.").in_pieces_of(3)
    })
    .await;
    let options = ServerOptions::with(&["--approve", "auto"]).model(&llm.base_url(), "native");
    let server = TestServer::start_with(options).await;
    server.file("fruit.txt", &"plums\npears\nquinces\n".repeat(50));
    let talking = server.connect().await;
    let session = talking.session();
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let door = listener.local_addr().expect("its address").to_string();

    let seen = tokio::select! {
        seen = come_back(&door, server.address(), session, cuts) => seen,
        never = pass_on(listener, server.address().to_owned()) => match never {},
        never = talk(talking) => match never {},
    };

    println!("{} events over {cuts} cuts", seen.len());
    assert!(seen.len() > cuts, "turns went on meanwhile: {}", seen.len());
    assert!(seen == log(&server, session, seen.len()).await, "what came is what the log has");
}

#[tokio::test]
async fn d01_connections_that_break_off_at_any_byte_miss_and_repeat_nothing() {
    cut_connections(50).await;
}

#[tokio::test]
#[ignore = "takes minutes: tests/run soak"]
async fn d01_a_thousand_connections_cut_off_miss_and_repeat_nothing() {
    cut_connections(1000).await;
}
